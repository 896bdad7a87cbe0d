package cup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
)

// bots returns the names of this many built-in bots.
func bots(n int) (list []string) {
	for i := range n {
		list = append(list, []string{"painter", "random", "hunter", "sometimes"}[i%4])
	}
	return list
}

// adaptive returns a contest in a format that pairs by results.
func adaptive(t *testing.T, format plan.Format, count, seats, n int, board string) *Contest {
	t.Helper()
	c := contest(t, format, count, seats, bots(n), board)
	c.Turns = 4
	if err := WholeRounds(c.Plan); err != nil {
		t.Fatal(err)
	}
	return c
}

// In formats that pair by results, too, the log does not depend on how many matches are played at
// once, nor on interruptions.
func TestRoundsAreTheSame(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for _, c := range []*Contest{
		adaptive(t, plan.Swiss, 0, 2, 7, "pebble"), adaptive(t, plan.Ladder, 60, 3, 7, "clover"),
		adaptive(t, plan.KnockOut, 40, 2, 6, "pebble"), adaptive(t, plan.Groups, 0, 2, 6, "pebble"),
	} {
		t.Run(string(c.Plan.Format), func(t *testing.T) {
			t.Parallel()
			want := playAll(t, c, t.TempDir(), 1)
			if got := playAll(t, c, t.TempDir(), 4); !bytes.Equal(got, want) {
				t.Errorf("with 4 matches at once the log is\n%s\nwant\n%s", got, want)
			}
			if n := len(rowsOf(t, want)); n != c.Plan.Count {
				t.Errorf("the log has %d rows, want %d", n, c.Plan.Count)
			}
			for stop := 3; stop < c.Plan.Count-8; stop += thorough.Size(33, 11) {
				dir := t.TempDir()
				ctx, cancel := context.WithCancel(t.Context())
				err := run(ctx, t, c, dir, Options{Jobs: 2, Played: func(row *results.Row, _ bool) {
					if row.K == stop {
						cancel()
					}
				}})
				if !errors.Is(err, context.Canceled) {
					t.Fatalf("stopped after match %d: %v", stop, err)
				}
				if got := playAll(t, c, dir, 3); !bytes.Equal(got, want) {
					t.Errorf("stopped after match %d, the log is another one", stop)
				}
			}
		})
	}
}

// In a Swiss of 17, eight tables play in each of five rounds, no two bots meet twice, and five bots
// rest once.
func TestSwissOf17(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	c := adaptive(t, plan.Swiss, 0, 2, 17, "pebble")
	met := map[string]int{}
	played := map[string]int{}
	rounds := 0
	err := run(t.Context(), t, c, t.TempDir(), Options{
		Jobs: 2,
		Played: func(row *results.Row, _ bool) {
			names := slices.Sorted(slices.Values(row.Bots))
			met[fmt.Sprint(names)]++
			for _, name := range names {
				played[name]++
			}
		},
		Round: func(r Round) {
			if rounds++; r.Number != rounds || len(r.Tables) != 8 {
				t.Errorf("round %d is %+v", rounds, r)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(met) != 40 || rounds < 5 {
		t.Errorf("%d pairs met in %d rounds, want 40", len(met), rounds)
	}
	for pair, n := range met {
		if n != 2 {
			t.Errorf("%s met in %d matches, want 2", pair, n)
		}
	}
	rested := 0
	for name, n := range played {
		if n != 10 && n != 8 {
			t.Errorf("%s played %d matches", name, n)
		}
		rested += (10 - n) / 2
	}
	if rested != 5 {
		t.Errorf("bots rested %d times, want 5", rested)
	}
}

// A knock-out ends with a winner, who has won all its tables.
func TestKnockOut(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for _, tt := range []struct{ bots, seats, count, want int }{
		{2, 2, 0, 2}, {5, 2, 0, 8}, {8, 2, 30, 42}, {8, 4, 0, 12},
	} {
		board := "pebble"
		if tt.seats == 4 {
			board = "crossroads"
		}
		c := adaptive(t, plan.KnockOut, tt.count, tt.seats, tt.bots, board)
		if c.Plan.Count != tt.want {
			t.Errorf("%d bots at tables of %d have %d matches, want %d", tt.bots, tt.seats, c.Plan.Count,
				tt.want)
		}
		winner, rows := "", 0
		halves := map[string]int{}
		err := run(t.Context(), t, c, t.TempDir(), Options{
			Jobs: 2,
			Played: func(row *results.Row, _ bool) {
				rows++
				halves[row.Bots[slices.Index(row.Ranks,
					1)]]++
			},
			Round: func(r Round) { winner = r.Winner },
		})
		if err != nil || rows != tt.want || winner == "" || halves[winner] == 0 {
			t.Errorf("%d bots at tables of %d: %d matches, the winner is %q, %v", tt.bots, tt.seats, rows,
				winner, err)
		}
	}
	c := contest(t, plan.KnockOut, 0, 4, bots(7), "crossroads")
	if err := WholeRounds(c.Plan); err == nil {
		t.Error("tables of three of four seats are played")
	}
}
