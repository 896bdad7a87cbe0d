package tui

import (
	"fmt"
	"io"
	"os"
	"strings"

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
		why, _, _ := strings.Cut(r.Err.Error(), "\n") // what a game logic printed is beside the table
		return Plain(strings.TrimSuffix(why, "; it printed:"))
	case r.Winner == "":
		return "no player wins"
	}
	return Plain(r.Winner) + " wins"
}

// TableText returns the table of a report as lines.
func TableText(t *result.Table) string {
	var b strings.Builder
	tableOf(t).Write(&b)
	return b.String()
}

func tableOf(plain *result.Table) *Table {
	t := &Table{}
	for _, c := range plain.Columns {
		t.Columns = append(t.Columns, Column{head: Plain(c.Name), right: c.Right})
	}
	for _, row := range plain.Rows {
		cells := make([]string, len(t.Columns))
		for i := range min(len(cells), len(row)) {
			cells[i] = Plain(row[i])
		}
		t.Add(cells...)
	}
	return t
}

// RankingTable returns the table of a report, in which the names of players have their colors.
func RankingTable(r *result.Report, ids bool) *Table {
	t := tableOf(r.Table(ids))
	seats := r.Ranking()
	specials := 0
	for _, s := range seats {
		if s.Special && s.ID != engine.NoPlayer {
			specials++
		}
	}
	for i, row := range t.rows {
		if s := seats[i]; s.ID != engine.NoPlayer && !s.Special {
			row[result.NameColumn] = Colored(row[result.NameColumn], int(s.ID)-specials)
		}
	}
	return t
}

// WriteRefused writes for each bot the first action that was refused for each of its most frequent
// reasons, as far as the game explains it.
func WriteRefused(w io.Writer, r *result.Report) {
	for i := range r.Seats {
		s := &r.Seats[i]
		for _, reason := range s.ShownRefusals() {
			if why := s.First[reason]; why != "" {
				fmt.Fprintf(w, "%s: %s: %s\n", Plain(s.Name()), Plain(reason), Plain(why))
			}
		}
	}
}

// WriteFailures describes each bot that did not play to the end, with the last lines that
// it printed. If told is set, the reasons of bots that have no seat were printed already.
func WriteFailures(w io.Writer, r *result.Report, told bool) {
	for i := range r.Seats {
		s := &r.Seats[i]
		built := s.Command != nil
		if s.Status == result.Held || s.Status == result.Absent && told && !built {
			continue
		}
		fmt.Fprintf(w, "%s %s: %s\n", Plain(s.Name()), s.Status, PlainLines(s.Error))
		switch {
		case built:
			fmt.Fprintf(w, "  started as: %s\n", Plain(launch.Quote(s.Command)))
			writeLastLines(w, s)
		case s.Log != "":
			fmt.Fprintf(w, "  this is also in %s\n", s.Log)
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
