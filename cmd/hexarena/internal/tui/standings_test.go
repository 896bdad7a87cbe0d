package tui_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// The cross-table of many bots shows scores alone, and that of more is left out.
func TestWideCrossTable(t *testing.T) {
	for bots, want := range map[int]string{
		20: "in per cent:\n\n    bot     1  2", 30: "Scores of 30 bots against each other do not fit",
	} {
		table := &standings.Table{Seats: 2}
		for i := range bots {
			table.Bots = append(table.Bots, standings.Bot{Rank: i + 1, Name: fmt.Sprint("bot ", i)})
			for j := range i {
				table.Meetings = append(table.Meetings,
					standings.Meeting{Bot: fmt.Sprint("bot ", i), Against: fmt.Sprint("bot ", j), Losses: 1})
			}
		}
		var got bytes.Buffer
		if err := tui.WriteDetails(&got, table); err != nil || !strings.Contains(got.String(), want) {
			t.Errorf("%d bots: %v\n%s", bots, err, &got)
		}
	}
}

// Turns that bots skipped have a column as soon as there is one, and a warning for each bot that
// skipped more than one in a hundred.
func TestSkippedTurns(t *testing.T) {
	const column, warning = "  skipped  ", "warning: "
	for _, tt := range []struct {
		skipped, turns int
		column         bool
		want           string // the warning; empty: none
	}{
		{0, 0, false, ""},
		{0, 200, false, ""},
		{2, 200, true, ""},
		{3, 200, true, "\nwarning: bot b was too late in 3 of 200 turns (1.5 %): "},
		{1, 1, true, "\nwarning: bot b was too late in 1 of 1 turn (100.0 %): "},
	} {
		table := &standings.Table{Seats: 2, Bots: []standings.Bot{
			{Rank: 1, Name: "bot a", Turns: tt.turns},
			{Rank: 2, Name: "bot b", Turns: tt.turns, Skipped: tt.skipped},
		}}
		var b bytes.Buffer
		if err := tui.WriteStandings(&b, table); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		if strings.Contains(got, column) != tt.column {
			t.Errorf("%d of %d skipped, want a column: %v\n%s", tt.skipped, tt.turns, tt.column, got)
		}
		if n := strings.Count(got, warning); n != min(len(tt.want), 1) ||
			!strings.Contains(got, tt.want) {
			t.Errorf("%d of %d skipped, want %q\n%s", tt.skipped, tt.turns, tt.want, got)
		}
	}
}

// The standings of a cup on a terminal: golden files. Names that would control the terminal do not.
func TestStandings(t *testing.T) {
	for _, tt := range append(cuptest.Cases(), cuptest.Case{Name: "begin", Format: plan.RoundRobin, Bots: 4, Seats: 3, Rows: 1}) {
		p := cuptest.Plan(tt.Format, tt.Bots, tt.Seats)
		s := standings.New(p)
		for _, row := range cuptest.Rows(p, tt.Rows) {
			if err := s.Add(row); err != nil {
				t.Fatal(err)
			}
		}
		s.AddFailure(
			&standings.Failure{
				K: 12, Bot: p.Bots[1].Name, Kind: "crash", Exit: "exit status 1",
				Printed: []string{"\x1b[2Jturn 7", "KeyError: 3"},
			},
		)
		s.AddCPU(p.Bots[0].Name, 250_000, 100)
		s.AddCPU(p.Bots[0].Name, 50_000, 100)
		s.AddCPU(p.Bots[1].Name, 1_300, 0)
		s.AddLag(400)
		s.AddLag(12_600)
		table := s.Table(rating.TableResamples)
		var got bytes.Buffer
		if err := tui.WriteStandings(&got, table); err != nil {
			t.Fatal(err)
		}
		if err := tui.WriteDetails(&got, table); err != nil {
			t.Fatal(err)
		}
		cuptest.Golden(t, "standings_"+tt.Name+".txt", got.Bytes())
	}
}
