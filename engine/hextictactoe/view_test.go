package hextictactoe

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

func newView(cells int) *View {
	return &View{
		Cells: make([]int32, 2*cells), Lines: make([]uint8, LineFields*cells), Count: make([]int32, 1),
		Pieces: make([]int32, 3*16), Placed: make([]int32, 1),
	}
}

// A game by pieces leads to the states of the game by moves, and a view of it shows the same
// whether it has seen the positions before or not: what a slow model of it shows.
func TestByPiece(t *testing.T) {
	for seed := range uint64(thorough.Size(5, 60)) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		o := Defaults()
		o.TurnLimit, o.ViewDistance = 30, 1+rnd.IntN(8)
		b, whole := NewByPiece(New(o)), New(o)
		for _, g := range []engine.Game{b, whole} {
			if _, err := g.Start(engine.Setup{Players: 2}); err != nil {
				t.Fatal(err)
			}
		}
		view, first, over := newView(100), Coord{}, false
		for !over {
			b.Show(view)
			checkView(t, b, view)
			n := min(rnd.IntN(int(view.Count[0])), rnd.IntN(int(view.Count[0]))) // near, for rows
			c := Coord{Q: int(view.Cells[2*n]), R: int(view.Cells[2*n+1])}
			second, side := b.Second(), b.ToMove()
			over = b.Step([]engine.Input{{Player: side.Player(), Actions: moveOf(c)}}).Over
			switch move := []Coord{first, c}; {
			case !second && b.Second():
				first = c
			case !second:
				whole.Step([]engine.Input{{Player: side.Player(), Actions: moveOf(c)}})
			default:
				whole.Step([]engine.Input{{Player: side.Player(), Actions: moveOf(move...)}})
			}
			if got, want := b.AppendState(nil), whole.AppendState(nil); !bytes.Equal(got, want) {
				t.Fatalf("seed %d: by pieces the state is %s, want %s", seed, got, want)
			}
			if rnd.IntN(4) == 0 {
				b = b.Copy().(*ByPiece)
			}
		}
		if b.Show(view); view.Count[0] != 0 {
			t.Fatalf("%d cells after the end, want none", view.Count[0])
		}
	}
}

// A first piece whose second does not follow is not on the board of the game that it loses.
func TestByPieceForfeits(t *testing.T) {
	b := NewByPiece(New(Defaults()))
	if _, err := b.Start(engine.Setup{Players: 2}); err != nil {
		t.Fatal(err)
	}
	mover := b.ToMove().Player()
	b.Step([]engine.Input{{Player: mover, Actions: moveOf(Coord{Q: 1})}})
	if !b.Second() {
		t.Fatal("the first piece is not held")
	}
	if !b.Step([]engine.Input{{Player: mover, Actions: []byte("junk")}}).Over {
		t.Fatal("the game goes on")
	}
	if pieces := b.AppendPieces(nil); b.Second() || len(pieces) != 1 {
		t.Errorf("pieces %v, a second one is awaited: %v", pieces, b.Second())
	}
}

// checkView compares a view with a fresh one and with a model.
func checkView(t *testing.T, b *ByPiece, v *View) {
	t.Helper()
	pieces := b.AppendPieces(nil)
	at := map[Coord]Side{}
	for _, p := range pieces {
		at[p.Coord] = p.Side
	}
	distances := map[Coord]int{}
	for _, p := range pieces {
		for _, d := range spiral(b.options.ViewDistance) {
			if c := p.Add(d); at[c] == None {
				if old, ok := distances[c]; !ok || hexgrid.Distance(c, p.Coord) < old {
					distances[c] = hexgrid.Distance(c, p.Coord)
				}
			}
		}
	}
	if want := min(len(distances), len(v.Cells)/2); int(v.Count[0]) != want {
		t.Fatalf("%d cells, want %d", v.Count[0], want)
	}
	last := 0
	for i := range int(v.Count[0]) {
		c := Coord{Q: int(v.Cells[2*i]), R: int(v.Cells[2*i+1])}
		d, ok := distances[c]
		if !ok || d < last {
			t.Fatalf("cell %d is %v at the distance %d, after one at %d, or twice", i, c, d, last)
		}
		last = d
		delete(distances, c)
		got := v.Lines[i*LineFields : (i+1)*LineFields]
		if want := modelLines(at, c); !slices.Equal(got, want) {
			t.Fatalf("the lines of %v are %v, want %v", c, got, want)
		}
	}
	for c, d := range distances {
		if d < last {
			t.Fatalf("%v at the distance %d is not there, others at %d are", c, d, last)
		}
	}
	newest := pieces[len(pieces)-1]
	want := []int32{int32(newest.Q), int32(newest.R), int32(newest.Side)}
	if !slices.Equal(v.Pieces[:3], want) || int(v.Placed[0]) != len(pieces) {
		t.Fatalf("of %d the newest piece is %v, want %v", v.Placed[0], v.Pieces[:3], newest)
	}
}

func modelLines(at map[Coord]Side, c Coord) (lines []uint8) {
	const win = 6
	for _, axis := range axes {
		best := [3]uint8{}
		for back := range win {
			var n [3]uint8
			for i := range win {
				to := c
				for range back {
					to = to.Step(axis.Opposite())
				}
				for range i {
					to = to.Step(axis)
				}
				n[at[to]]++
			}
			for _, side := range []Side{X, O} {
				if n[side.Other()] == 0 {
					best[side] = max(best[side], n[side])
				}
			}
		}
		lines = append(lines, best[X], best[O])
	}
	return lines
}

func BenchmarkView(b *testing.B) {
	v, o := newView(512), Defaults()
	o.Setup = scattered(60)
	start := NewByPiece(New(o))
	if _, err := start.Start(engine.Setup{Players: 2}); err != nil {
		b.Fatal(err)
	}
	start.Show(v)
	rnd := rand.New(rand.NewPCG(1, 1))
	for g := start; b.Loop(); {
		n := rnd.IntN(int(v.Count[0]))
		c := Coord{Q: int(v.Cells[2*n]), R: int(v.Cells[2*n+1])}
		if g.Step([]engine.Input{{Player: g.ToMove().Player(), Actions: moveOf(c)}}).Over ||
			v.Placed[0] > 100 {
			g = start.Copy().(*ByPiece)
		}
		g.Show(v)
	}
}
