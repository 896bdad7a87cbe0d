package standings_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// of returns the standings of a plan after some rows.
func of(t *testing.T, p *plan.Plan, rows []*results.Row) *standings.Standings {
	t.Helper()
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	s := standings.New(p)
	for _, row := range rows {
		if err := s.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// The tables of each format, as JSON and CSV: golden files.
func TestTables(t *testing.T) {
	for _, tt := range append(cuptest.Cases(), cuptest.Case{Name: "sprt_with", Format: plan.Comparison, Bots: 4, Seats: 4, Rows: 200}) {
		t.Run(tt.Name, func(t *testing.T) {
			p := cuptest.Plan(tt.Format, tt.Bots, tt.Seats)
			s := of(t, p, cuptest.Rows(p, tt.Rows))
			for k, lines := range [][]string{
				{"turn 7", "Traceback (most recent call last):", "  File \"bot.py\", line 12", "KeyError: 7"},
				{"turn 93", "Traceback (most recent call last):", "  File \"bot.py\", line 12", "KeyError: 93"},
				{"turn 93", "Traceback (most recent call last):", "  File \"bot.py\", line 13", "KeyError: 'x'"},
				nil,
			} {
				s.AddFailure(
					&standings.Failure{
						K: 10 * k, Bot: p.Bots[1].Name, Kind: "crash", Exit: "exit status 1", Printed: lines,
					},
				)
			}
			table := s.Table(rating.TableResamples)
			text, err := json.MarshalIndent(table, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			cuptest.Golden(t, tt.Name+".json", append(text, '\n'))
			var csv bytes.Buffer
			if err := table.WriteCSV(&csv); err != nil {
				t.Fatal(err)
			}
			cuptest.Golden(t, tt.Name+".csv", csv.Bytes())
		})
	}
}

// The sums of a table agree with each other and with the rows.
func TestSums(t *testing.T) {
	p := cuptest.Plan(plan.RoundRobin, 5, 3)
	rows := cuptest.Rows(p, 1000)
	table := of(t, p, rows).Table(10)
	seats, crashes, refused := 0, 0, int64(0)
	for _, row := range rows {
		for i, kind := range row.Forfeits {
			if kind != "" {
				crashes--
			}
			refused -= int64(row.Refused[i])
		}
	}
	scores := 0.0
	for _, b := range table.Bots {
		seats += b.Matches
		crashes += b.Forfeits["crash"]
		refused += b.Refused
		scores += b.Score * float64(b.Matches)
	}
	if seats != 3*len(rows) || crashes != 0 || refused != 0 || !(scores > 1499 && scores < 1501) {
		t.Errorf("bots had %d seats and scored %.1f, with %d crashes and %d refused actions too many",
			seats, scores, crashes, refused)
	}
	for _, m := range table.Meetings {
		back := slices.IndexFunc(table.Meetings,
			func(o standings.Meeting) bool { return o.Bot == m.Against && o.Against == m.Bot })
		if o := table.Meetings[back]; o.Wins != m.Losses || o.Ties != m.Ties || o.Losses != m.Wins {
			t.Errorf("%+v does not agree with %+v", m, o)
		}
	}
}

// Statistics count whole blocks only: three rows that begin a block change no Elo, and a block with
// a row that is missing, as when a shard is damaged, is left out.
func TestWholeBlocks(t *testing.T) {
	p := cuptest.Plan(plan.RoundRobin, 4, 4)
	rows := cuptest.Rows(p, 403)
	all, whole := of(t, p, rows).Table(100), of(t, p, rows[:400]).Table(100)
	if all.Blocks != 100 || all.Matches != 403 ||
		!reflect.DeepEqual(all.Bots[0].Elo, whole.Bots[0].Elo) {
		t.Errorf("403 matches have %d blocks and Elo %v, want 100 and %v", all.Blocks, all.Bots[0].Elo,
			whole.Bots[0].Elo)
	}
	for missing := range 4 {
		left := slices.Delete(slices.Clone(rows), 40+missing, 41+missing)
		if got := of(t, p, left).Table(100); got.Blocks != 99 || got.Matches != 402 {
			t.Errorf("without match %d there are %d blocks of %d matches, want 99 of 402", 40+missing,
				got.Blocks, got.Matches)
		}
	}
}

// Rows that are not of the plan are refused, and change nothing.
func TestWrongRows(t *testing.T) {
	p := cuptest.Plan(plan.RoundRobin, 3, 2)
	rows := cuptest.Rows(p, 4)
	s := of(t, p, rows[:2])
	before := s.Table(10)
	stranger, seats, board := *rows[3], *rows[3], *rows[3]
	stranger.Bots = []string{"stranger", "walker"}
	seats.Bots = []string{"walker"}
	board.Map = "elsewhere"
	for _, row := range []*results.Row{rows[1], &stranger, &seats, &board} {
		if err := s.Add(row); err == nil {
			t.Errorf("the row %+v is added", row)
		}
	}
	if !reflect.DeepEqual(s.Table(10), before) {
		t.Error("a refused row has changed the table")
	}
}

// Before the first match and after one, a table has no NaN, which JSON could not say.
func TestFewRows(t *testing.T) {
	for _, format := range []plan.Format{plan.RoundRobin, plan.Gauntlet, plan.Comparison, plan.Swiss} {
		p := cuptest.Plan(format, 3, 3)
		s := standings.New(p)
		if _, err := json.Marshal(s.Table(10)); err != nil {
			t.Errorf("%s without rows: %v", format, err)
		}
		if format.Adaptive() {
			continue
		}
		for _, row := range cuptest.Rows(p, 4) {
			if err := s.Add(row); err != nil {
				t.Fatal(err)
			}
			if _, err := json.Marshal(s.Table(10)); err != nil {
				t.Errorf("%s after match %d: %v", format, row.K, err)
			}
		}
	}
}
