package tui

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/result"
)

// WriteRanking writes one line for each seat of a match, best first, and the command that
// plays it again. If its result can differ, remark says so; otherwise it is empty.
func WriteRanking(w io.Writer, board, again, remark string, r *result.Report) error {
	var b strings.Builder
	if board != "" {
		board = " on " + board
	}
	fmt.Fprintf(&b, "%s%s, %s, seed %d: %s\n\n", r.Rules, board, turnsText(r), r.Seed, Outcome(r))
	RankingTable(r, false).Write(&b)
	fmt.Fprintf(&b, "\nPlay it again%s:\n  %s\n", remark, again)
	if _, err := io.WriteString(colorprofile.NewWriter(w, os.Environ()), b.String()); err != nil {
		return fmt.Errorf("write the ranking: %w", err)
	}
	return nil
}

func turnsText(r *result.Report) string {
	if r.Turns == r.TurnsMax {
		return fmt.Sprintf("%d turns", r.Turns)
	}
	return fmt.Sprintf("%d of %d turns", r.Turns, r.TurnsMax)
}

// Outcome returns how a match ended.
func Outcome(r *result.Report) string {
	switch {
	case r.Err != nil:
		return Plain(r.Err.Error())
	case r.Winner == "":
		return "no player wins"
	}
	return Plain(r.Winner) + " wins"
}

// RankingTable returns a table with a line for each seat of a match, best first: its rank, if ids is
// set its player's id, the game's figures, the times of its answers, and what was wrong.
func RankingTable(r *result.Report, ids bool) *Table {
	seats := r.Ranking()
	t := &Table{}
	heads := []Column{Right(""), Left("bot")}
	if ids {
		heads = append(heads, Right("id"))
	}
	for _, name := range countNames(seats) {
		heads = append(heads, Right(Plain(name)))
	}
	t.Columns = append(heads, Right("p50"), Right("p99"), Right("skipped"), Left("refused"), Remarks())
	specials := 0
	for _, s := range seats {
		if s.Special && s.ID != engine.NoPlayer {
			specials++
		}
	}
	for _, s := range seats {
		t.Add(rankingRow(s, specials, len(t.Columns), ids)...)
	}
	return t
}

// countNames returns the names of the game's figures.
func countNames(seats []*result.SeatReport) (names []string) {
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

func rankingRow(s *result.SeatReport, specials, columns int, ids bool) []string {
	row := []string{rankText(s), colored(s, specials)}
	if s.ID == engine.NoPlayer {
		for len(row) < columns-1 {
			row = append(row, "")
		}
		return append(row, remarks(s))
	}
	if ids {
		row = append(row, strconv.Itoa(int(s.ID)))
	}
	for _, c := range s.Counts {
		row = append(row, strconv.FormatInt(c.Value, 10))
	}
	p50, p99 := duration(s.Time.P50), duration(s.Time.P99)
	if s.Untimed {
		p50, p99 = "-", "-"
	}
	return append(row, p50, p99, strconv.Itoa(s.Skipped), refusedText(s), remarks(s))
}

func rankText(s *result.SeatReport) string {
	if s.Rank == 0 {
		return "-"
	}
	return strconv.Itoa(s.Rank)
}

// refusedText returns how many actions were refused, with the most frequent reasons.
func refusedText(s *result.SeatReport) string {
	const shown = 2
	total := s.RefusedTotal()
	if total == 0 {
		return "0"
	}
	var why []string
	for i, reason := range s.Refusals() {
		if i == shown {
			why = append(why, "…")
			break
		}
		why = append(why, fmt.Sprintf("%s %d", reason, s.Refused[reason]))
	}
	return fmt.Sprintf("%d (%s)", total, strings.Join(why, ", "))
}

func remarks(s *result.SeatReport) string {
	var list []string
	if s.Special {
		list = append(list, "special player")
	}
	if s.Untimed {
		list = append(list, "without a time limit; its time was not measured")
	}
	switch s.Status {
	case result.Held:
	case result.Left:
		list = append(list, Plain(s.Error))
	default:
		list = append(list, string(s.Status)+": "+Plain(s.Error))
	}
	for _, remark := range s.Remarks {
		list = append(list, Plain(remark))
	}
	if s.Missed > 0 {
		list = append(list, fmt.Sprintf("absent for %d turns", s.Missed))
	}
	return strings.Join(list, "; ")
}

// WriteFailures describes each bot that did not play to the end, with the last lines that
// it printed.
func WriteFailures(w io.Writer, r *result.Report) {
	for i := range r.Seats {
		s := &r.Seats[i]
		if s.Status == result.Held {
			continue
		}
		fmt.Fprintf(w, "%s %s: %s\n", Plain(s.Name()), s.Status, Plain(s.Error))
		if s.Command != nil {
			fmt.Fprintf(w, "  started as: %s\n", Plain(launch.Quote(s.Command)))
			writeLastLines(w, s)
		}
		fmt.Fprintln(w)
	}
}

func writeLastLines(w io.Writer, s *result.SeatReport) {
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

// colored returns the name of a seat's player in its color.
func colored(s *result.SeatReport, specials int) string {
	name := Plain(s.Name())
	if s.ID == engine.NoPlayer || s.Special {
		return name
	}
	return Colored(name, int(s.ID)-specials)
}

func duration(m result.Millis) string { return Duration(time.Duration(m)) }
