package hextictactoe

import (
	"math/rand/v2"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// TestGridCounts checks the grid's counts after any sequence of placing and taking.
func TestGridCounts(t *testing.T) {
	thorough.Long(t)
	for seed := range thorough.Size[uint64](25, 100) {
		lots := rand.New(rand.NewPCG(seed, 11))
		q := Question{View: 8, Win: 3 + lots.IntN(5), ToMove: rules.X}
		q.Board = cluster(lots, q.Win)
		g := newGrid(&q)
		empty := *newGrid(&q)
		var placed []cell
		for range 60 {
			if n := len(placed); n > 0 && lots.IntN(3) == 0 {
				g.take(placed[n-1])
				placed = placed[:n-1]
				continue
			}
			c := g.cellAt(rules.Coord{Q: lots.IntN(13) - 6, R: lots.IntN(13) - 6})
			if g.cells[c].side == rules.None {
				side := rules.X + rules.Side(lots.IntN(2))
				want := g.score[side-rules.X] - g.score[2-side] + g.gains[c][side-rules.X]
				g.place(c, side)
				if got := g.score[side-rules.X] - g.score[2-side]; got != want {
					t.Fatalf("seed %d: the score after adding a gain is %v, want %v", seed, got, want)
				}
				placed = append(placed, c)
			}
			g.check(t)
		}
		for len(placed) > 0 {
			g.take(placed[len(placed)-1])
			placed = placed[:len(placed)-1]
		}
		if g.check(t); g.score != empty.score || g.hash != empty.hash ||
			len(g.active) != len(empty.active) {
			t.Fatalf("seed %d: the score is %v after removing all pieces, want %v", seed, g.score,
				empty.score)
		}
	}
}

// check recounts every window cell by cell.
func (g *grid) check(t *testing.T) {
	t.Helper()
	listed := 0
	for w := range g.windows {
		var count [2]uint8
		c := g.cells[w/len(axes)].at
		for range g.win {
			if id, ok := g.index[c]; ok && g.cells[id].side != rules.None {
				count[g.cells[id].side-rules.X]++
			}
			c = c.Step(axes[w%len(axes)])
		}
		if g.windows[w].count != count {
			t.Fatalf("window %d has %v, want %v", w, g.windows[w].count, count)
		}
		if side, n, ok := g.holder(&g.windows[w]); ok {
			listed++
			if l := g.open[side][n]; int(g.windows[w].place) >= len(l) || l[g.windows[w].place] != int32(w) {
				t.Fatalf("window %d is not in its list", w)
			}
		}
	}
	for _, lists := range g.open {
		for _, l := range lists {
			listed -= len(l)
		}
	}
	if listed != 0 {
		t.Fatalf("%d open windows are not listed", listed)
	}
}
