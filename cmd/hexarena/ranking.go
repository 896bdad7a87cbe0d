package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/result"
)

// printRanking writes one line a seat, and how to play the match again.
func printRanking(w io.Writer, p *playRun, r *arena.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s, %s, seed %d: %s\n\n", r.Rules, p.instance.Map, turnsText(r), r.Seed, winnerText(r))
	rankingTable(r).write(&b)
	fmt.Fprintf(&b, "\nPlay it again:\n  %s\n", p.again())
	if _, err := io.WriteString(colorprofile.NewWriter(w, os.Environ()), b.String()); err != nil {
		return fmt.Errorf("write the ranking: %w", err)
	}
	return nil
}

func turnsText(r *arena.Report) string {
	if r.Turns == r.TurnsMax {
		return fmt.Sprintf("%d turns", r.Turns)
	}
	return fmt.Sprintf("%d of %d turns", r.Turns, r.TurnsMax)
}

func winnerText(r *arena.Report) string {
	switch {
	case r.Err != nil:
		return plain(r.Err.Error())
	case r.Winner == "":
		return "nobody wins"
	}
	return r.Winner + " wins"
}

// rankingTable is the ranking with a line for each seat, below their heads.
func rankingTable(r *arena.Report) *table {
	seats := r.Ranking()
	t := &table{}
	heads := []column{{"", true}, {"bot", false}}
	for _, name := range countNames(seats) {
		heads = append(heads, column{name, true})
	}
	t.columns = append(heads, column{"p50", true}, column{"p99", true}, column{"skipped", true}, column{"refused", false}, column{"remarks", false})
	specials := 0
	for _, s := range seats {
		if s.Special && s.ID != engine.NoPlayer {
			specials++
		}
	}
	for _, s := range seats {
		t.add(colored(s, specials), rankingRow(s, len(t.columns)))
	}
	return t
}

// countNames are the names of the game's figures.
func countNames(seats []*arena.SeatReport) (names []string) {
	for _, s := range seats {
		if len(s.Counts) > 0 {
			for _, c := range s.Counts {
				names = append(names, c.Name)
			}
			return names
		}
	}
	return nil
}

func rankingRow(s *arena.SeatReport, columns int) []string {
	row := []string{rankText(s), s.Label}
	if s.ID == engine.NoPlayer {
		for len(row) < columns-1 {
			row = append(row, "")
		}
		return append(row, remarks(s))
	}
	for _, c := range s.Counts {
		row = append(row, strconv.FormatInt(c.Value, 10))
	}
	return append(row, timeText(s.Time.P50), timeText(s.Time.P99), strconv.Itoa(s.Skipped), refusedText(s), remarks(s))
}

func rankText(s *arena.SeatReport) string {
	if s.Rank == 0 {
		return "-"
	}
	return strconv.Itoa(s.Rank)
}

// refusedText is how many actions were refused, and the most frequent reasons.
func refusedText(s *arena.SeatReport) string {
	const most = 2
	total := s.RefusedTotal()
	if total == 0 {
		return "0"
	}
	var why []string
	for i, reason := range s.Refusals() {
		if i == most {
			why = append(why, "…")
			break
		}
		why = append(why, fmt.Sprintf("%s %d", reason, s.Refused[reason]))
	}
	return fmt.Sprintf("%d (%s)", total, strings.Join(why, ", "))
}

func remarks(s *arena.SeatReport) string {
	var list []string
	if s.Special {
		list = append(list, "special player")
	}
	switch s.Status {
	case arena.Held:
	case arena.Left:
		list = append(list, plain(s.Error))
	default:
		list = append(list, string(s.Status)+": "+plain(s.Error))
	}
	for _, remark := range s.Remarks {
		list = append(list, plain(remark))
	}
	if s.Missed > 0 {
		list = append(list, fmt.Sprintf("not there for %d turns", s.Missed))
	}
	return strings.Join(list, "; ")
}

// timeText is a duration with about three digits.
func timeText(m result.Millis) string {
	d := time.Duration(m)
	switch {
	case d == 0:
		return "-"
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// printTroubles says of each bot that did not hold out what happened, with the
// last that it printed.
func printTroubles(w io.Writer, r *arena.Report) {
	for i := range r.Seats {
		s := &r.Seats[i]
		if s.Status == arena.Held {
			continue
		}
		fmt.Fprintf(w, "%s %s: %s\n", s.Label, s.Status, plain(s.Error))
		if s.Command != nil {
			fmt.Fprintf(w, "  started as: %s\n", plain(launch.Quote(s.Command)))
			printLastLines(w, s)
		}
		fmt.Fprintln(w)
	}
}

func printLastLines(w io.Writer, s *arena.SeatReport) {
	if len(s.LastLines) == 0 {
		fmt.Fprintln(w, "  it printed nothing")
		return
	}
	all := ""
	if s.Log != "" {
		all = " (all are in " + s.Log + ")"
	}
	fmt.Fprintf(w, "  its last lines%s:\n", all)
	for _, line := range s.LastLines {
		fmt.Fprintf(w, "    %s\n", line)
	}
}

// plain is text that may come from a bot, without what would steer a terminal.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}

// table is text in columns.
type table struct {
	columns []column
	rows    [][]string
	labels  []string // the second cell of each row, with its colour
}

type column struct {
	head  string
	right bool // numbers end, text begins in one line
}

func (t *table) add(label string, row []string) {
	t.rows = append(t.rows, row)
	t.labels = append(t.labels, label)
}

func (t *table) write(b *strings.Builder) {
	widths := make([]int, len(t.columns))
	heads := make([]string, len(t.columns))
	for i, c := range t.columns {
		heads[i] = c.head
	}
	for _, row := range append([][]string{heads}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	t.writeRow(b, widths, heads, heads[1])
	for i, row := range t.rows {
		t.writeRow(b, widths, row, t.labels[i])
	}
}

func (t *table) writeRow(b *strings.Builder, widths []int, row []string, label string) {
	var line strings.Builder
	for i, cell := range row {
		gap := strings.Repeat(" ", widths[i]-lipgloss.Width(cell))
		if i > 0 {
			line.WriteString("  ")
		}
		if i == 1 {
			cell = label
		}
		if t.columns[i].right {
			line.WriteString(gap + cell)
		} else {
			line.WriteString(cell + gap)
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

// colored is a seat's label in its player's colour.
func colored(s *arena.SeatReport, specials int) string {
	if s.ID == engine.NoPlayer || s.Special {
		return s.Label
	}
	color := maps.PlayerLook(int(s.ID) - specials).Dark.Line
	return lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color(color.String())).Render(s.Label)
}
