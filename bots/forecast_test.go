package bots

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// TestForecastAgreesWithTheRules compares predicted explosions with those of the game.
func TestForecastAgreesWithTheRules(t *testing.T) {
	for seed := range uint64(30) {
		g := newSeededGame(t, small, seed, "special random", "random", "random")
		lots := rand.New(rand.NewPCG(seed, 0))
		g.play(5 + lots.IntN(20))
		b, err := newBoard(Info{Player: 1, Players: 2, Specials: 1}, g.state)
		if err != nil {
			t.Fatal(err)
		}
		var f forecast
		f.compute(b)
		g.players = nil // from here on no player moves
		for turn := 1; turn <= horizon; turn++ {
			g.step()
			var want, got []hexgrid.Coord
			for _, cells := range g.now().Explosions {
				want = append(want, cells...)
			}
			slices.SortFunc(want, hexgrid.Coord.Compare)
			for c, mask := range f.blast {
				if mask&(1<<turn) != 0 {
					got = append(got, b.coords[c])
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, turn %d: %v explode, want %v", seed, turn, got, want)
			}
		}
	}
}

// survives computes hope by trying all steps.
func (f *forecast) survives(b *board, c cell, turn int) bool {
	if f.blast[c]&(1<<turn) != 0 {
		return false
	}
	if turn > f.last {
		return true
	}
	for _, n := range append(b.next[c][:], c) {
		if n == c || n != none && f.isOpen(b, n, turn+1) {
			if f.survives(b, n, turn+1) {
				return true
			}
		}
	}
	return false
}

func TestHopeIsAWayOut(t *testing.T) {
	both := [2]int{}
	for seed := range uint64(40) {
		g := newSeededGame(t, small, seed, "random", "random")
		lots := rand.New(rand.NewPCG(seed, 0))
		g.play(5 + lots.IntN(40))
		b, err := newBoard(Info{Players: 2}, g.state)
		if err != nil {
			t.Fatal(err)
		}
		var f forecast
		f.compute(b)
		for c := range f.hope {
			want := f.survives(b, cell(c), 1)
			if got := f.safe(cell(c)); got != want {
				t.Fatalf("seed %d: safe(%v) = %v, want %v", seed, b.coords[c], got, want)
			}
			if want {
				both[1]++
			} else {
				both[0]++
			}
		}
	}
	if both[0] == 0 || both[1] == 0 {
		t.Errorf("%d cells without and %d with hope: both kinds are needed", both[0], both[1])
	}
}
