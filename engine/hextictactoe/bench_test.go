package hextictactoe

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// scattered returns a position of that many pieces without a row, as dense as in real
// games.
func scattered(pieces int) *Position {
	rnd := rand.New(rand.NewPCG(uint64(pieces), 1))
	p := &Position{ToMove: O}
	var b Board
	b.Place(Piece{Side: X})
	p.Pieces = append(p.Pieces, Piece{Side: X})
	for len(p.Pieces) < pieces {
		from := p.Pieces[rnd.IntN(len(p.Pieces))].Coord
		piece := Piece{from.Add(Coord{Q: rnd.IntN(7) - 3, R: rnd.IntN(7) - 3}), X + Side(len(p.Pieces)%2)}
		if b.At(piece.Coord) == None && len(b.AppendRows(nil, piece, 6)) == 0 {
			b.Place(piece)
			p.Pieces = append(p.Pieces, piece)
		}
	}
	return p
}

// burst is a position and a hundred legal moves from it, none of which wins.
type burst struct {
	position *Position
	moves    [][]byte
}

func newBurst(tb testing.TB, pieces int) *burst {
	tb.Helper()
	b := &burst{position: scattered(pieces)}
	rnd := rand.New(rand.NewPCG(2, 2))
	g := b.game(tb)
	for len(b.moves) < 100 {
		var cells []Coord
		for len(cells) < 2 {
			from := b.position.Pieces[rnd.IntN(pieces)].Coord
			c := from.Add(Coord{Q: rnd.IntN(9) - 4, R: rnd.IntN(9) - 4})
			fits := g.fault(c, false) == "" && len(g.board.AppendRows(nil, Piece{c, g.toMove}, 4)) == 0
			if fits && (len(cells) == 0 || cells[0] != c) {
				cells = append(cells, c)
			}
		}
		actions := moveOf(cells...)
		if got := g.Step([]engine.Input{{Player: g.toMove.Player(), Actions: actions}}); got.Over {
			tb.Fatal(got.Reason)
		}
		b.moves = append(b.moves, actions)
	}
	return b
}

func (b *burst) game(tb testing.TB) *Game {
	tb.Helper()
	o := Defaults()
	o.Setup = b.position
	return start(tb, o, 0)
}

// play plays the moves, writes the delta of each and returns the time per piece.
func (b *burst) play(g *Game, inputs []engine.Input, delta []byte) time.Duration {
	begun := time.Now()
	for _, m := range b.moves {
		inputs[0] = engine.Input{Player: g.toMove.Player(), Actions: m}
		g.Step(inputs)
		delta = g.AppendDelta(delta[:0])
	}
	return time.Since(begun) / time.Duration(2*len(b.moves))
}

// BenchmarkPiece reports the cost of a piece, from parsing its move to writing the delta,
// on a small board and a large one, and the ratio of the two.
func BenchmarkPiece(b *testing.B) {
	small, large := newBurst(b, 100), newBurst(b, 10_000)
	inputs, delta := make([]engine.Input, 1), make([]byte, 0, 4096)
	var onSmall, onLarge time.Duration
	rounds := 0
	for b.Loop() {
		b.StopTimer()
		s, l := small.game(b), large.game(b)
		b.StartTimer()
		onSmall += small.play(s, inputs, delta)
		onLarge += large.play(l, inputs, delta)
		rounds++
	}
	b.ReportMetric(float64(onSmall)/float64(rounds), "ns/piece-of-100")
	b.ReportMetric(float64(onLarge)/float64(rounds), "ns/piece-of-10000")
	b.ReportMetric(float64(onLarge)/float64(onSmall), "times")
}

// TestStepAllocatesNothing checks that a step allocates nothing, except that the board's
// storage grows, which happens ever more rarely.
func TestStepAllocatesNothing(t *testing.T) {
	burst := newBurst(t, 1000)
	inputs, delta := make([]engine.Input, 1), make([]byte, 0, 4096)
	g := burst.game(t)
	g.board.pieces = append(make([]Piece, 0, 4096), g.board.pieces...)
	g.cells = append(make([]byte, 0, 1<<18), g.cells...)
	for 4*g.board.used > len(g.board.spans) {
		g.board.grow()
	}
	g.row = make([]Coord, 0, 16)
	step := 0
	n := testing.AllocsPerRun(len(burst.moves)-1, func() {
		inputs[0] = engine.Input{Player: g.toMove.Player(), Actions: burst.moves[step]}
		g.Step(inputs)
		delta = g.AppendDelta(delta[:0])
		step++
	})
	if n != 0 || g.over {
		t.Errorf("a step allocates %v times, want 0; %s", n, g.reason)
	}
}
