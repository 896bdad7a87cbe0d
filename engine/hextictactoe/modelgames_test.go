package hextictactoe

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hextictactoe/model"
)

// duel plays the same game with the model and with Game.
type duel struct {
	t       testing.TB
	fast    *Game
	slow    *model.Model
	rebuilt model.State // the state as reconstructed from the deltas
}

func newDuel(t testing.TB, o Options, turns int) *duel {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	d := &duel{t: t, fast: New(o), slow: model.New(text, turns)}
	if _, err := d.fast.Start(engine.Setup{Players: 2, Turns: turns}); err != nil {
		t.Fatal(err)
	}
	d.rebuilt = d.read(d.fast.AppendState(nil))
	d.compare()
	return d
}

// read parses a state or a delta; the cells of the row become a set.
func (d *duel) read(text []byte) (s model.State) {
	d.t.Helper()
	if err := json.Unmarshal(text, &s); err != nil {
		d.t.Fatalf("%s: %v", text, err)
	}
	s.Sort()
	return s
}

// step plays an answer of the side to move.
func (d *duel) step(in engine.Input) engine.Result {
	d.t.Helper()
	in.Player = d.fast.ToMove().Player()
	result := d.fast.Step([]engine.Input{in})
	d.slow.Step([]engine.Input{in})
	delta := d.read(d.fast.AppendDelta(nil))
	delta.Board.Cells = append(d.rebuilt.Board.Cells, delta.Board.Cells...)
	delta.View, delta.Win, delta.Limit, delta.Clock = d.rebuilt.View, d.rebuilt.Win, d.rebuilt.Limit, d.rebuilt.Clock
	d.rebuilt = delta
	d.compare()
	over := d.slow.Over()
	if result.Over != over || result.Over && result.Await != engine.NoOne ||
		!over && result.Await != engine.Only(d.fast.ToMove().Player()) ||
		result.Reason != d.slow.Reason() ||
		result.Winner != d.slow.Winner() {
		d.t.Fatalf("Step(%s) = %+v, the model says %s, %s", in.Actions, result, d.slow.State().Status,
			d.slow.Reason())
	}
	return result
}

func (d *duel) compare() {
	d.t.Helper()
	want := d.slow.State()
	for what, got := range map[string]model.State{"state": d.read(d.fast.AppendState(nil)), "deltas": d.rebuilt} {
		if !reflect.DeepEqual(want, got) {
			d.t.Fatalf("the %s differs from the model (-want +got):\n%s", what, cmp.Diff(want, got))
		}
	}
}

// randomOptions returns options with small numbers, so that games end in all ways, on
// boards anywhere in the plane.
func randomOptions(rnd *rand.Rand) Options {
	o := Options{
		ViewDistance: 1 + rnd.IntN(9), WinDistance: 3 + rnd.IntN(4),
		TurnLimit: rnd.IntN(2) * (1 + rnd.IntN(40)),
		Clock:     Clock{Kind: NoClock},
	}
	if kinds := []ClockKind{TurnClock, MatchClock, Incremental}; rnd.IntN(2) == 0 {
		o.Clock = Clock{Kind: kinds[rnd.IntN(3)], Base: 1 + rnd.Int64N(200)}
		if o.Clock.Kind == Incremental {
			o.Clock.Increment = rnd.Int64N(20)
		}
	}
	if rnd.IntN(2) == 0 {
		o.Setup = randomPosition(rnd, o.WinDistance)
	}
	return o
}

// randomPosition returns pieces in one or two places, without a row.
func randomPosition(rnd *rand.Rand, win int) *Position {
	p := &Position{ToMove: X + Side(rnd.IntN(2))}
	var b Board
	corners := []Coord{
		{Q: 0, R: 0}, {Q: 60, R: -3}, {Q: MaxCoord - 4, R: -MaxCoord + 4}, {Q: -70, R: 1000},
	}
	for range 1 + rnd.IntN(30) {
		corner := corners[rnd.IntN(len(corners))]
		piece := Piece{corner.Add(Coord{Q: rnd.IntN(9) - 4, R: rnd.IntN(9) - 4}), X + Side(rnd.IntN(2))}
		if b.At(piece.Coord) == None && len(b.AppendRows(nil, piece, win)) == 0 {
			b.Place(piece)
			p.Pieces = append(p.Pieces, piece)
		}
	}
	return p
}

// randomCell returns a cell near a piece or, rarely, too far from all of them.
func randomCell(rnd *rand.Rand, b *Board, view int) Coord {
	pieces := b.Pieces()
	near := pieces[max(0, len(pieces)-1-rnd.IntN(12))].Coord
	reach := 1 + rnd.IntN(2)
	if rnd.IntN(12) == 0 {
		reach = view + rnd.IntN(2)
	}
	return near.Add(Coord{Q: rnd.IntN(2*reach+1) - reach, R: rnd.IntN(2*reach+1) - reach})
}

// randomInput returns a move, mostly.
func randomInput(rnd *rand.Rand, g *Game) engine.Input {
	in := engine.Input{Micros: rnd.Int64N(30_000)}
	var cells []Coord
	for len(cells) < 2 {
		c := randomCell(rnd, &g.board, g.options.ViewDistance)
		if rnd.IntN(100) > 0 && (g.fault(c, len(cells) > 0) != "" || slices.Contains(cells, c)) {
			continue
		}
		cells = append(cells, c)
	}
	switch rnd.IntN(80) {
	case 0:
		in.Lapse = engine.TimedOut + engine.Lapse(rnd.IntN(3))
	case 1:
		cells = cells[:1]
	case 2:
		cells = append(cells, Coord{})
	case 3:
		cells[1] = cells[0]
	}
	in.Actions = moveOf(cells...)
	return in
}

// moveOf returns an array of actions with one move.
func moveOf(cells ...Coord) []byte {
	text := append([]byte(nil), `[{"pieces":`...)
	return append(appendCoords(text, cells), `}]`...)
}

// TestModel plays random games and compares every state, delta and result with the
// model's.
func TestModel(t *testing.T) {
	games := thorough.Size(300, 600)
	if testing.Short() {
		games = 75
	}
	ends := map[string]int{}
	for seed := range games {
		rnd := rand.New(rand.NewPCG(uint64(seed), 1))
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			d := newDuel(t, randomOptions(rnd), 60)
			for !d.slow.Over() {
				d.step(randomInput(rnd, d.fast))
			}
			ends[d.slow.Reason()]++
			d.step(randomInput(rnd, d.fast)) // has no effect
		})
	}
	for _, why := range []string{
		won, drawn, forfeitNumber, ForfeitOne, ForfeitOccupied, ForfeitFar, forfeitTime, forfeitLeft,
		forfeitUnreadable,
	} {
		if ends[why] == 0 && !testing.Short() {
			t.Errorf("no game ended by %q: %v", why, ends)
		}
	}
}
