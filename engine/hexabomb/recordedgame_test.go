package hexabomb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb/model"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

const (
	benchTurns  = 2000
	benchRadius = 12 // 469 cells
	benchSeats  = 4
	benchEach   = 7
)

// recordedGame is a game of four players as they sent their actions.
type recordedGame struct {
	m     *Map
	turns [][]engine.Input
	final []byte // the last state according to the model
}

// benchGame is the game that the benchmarks play. It is long, so that first accesses to
// the board's memory do not dominate.
var benchGame = sync.OnceValue(
	func() *recordedGame { return record(benchRadius, benchEach, benchTurns) })

// record plays a game of four players on the model on a hexagon; each is the number of
// characters per player.
func record(radius, each, turns int) *recordedGame {
	rnd := rand.New(rand.NewPCG(12, 12))
	r := &recordedGame{m: hexagon(radius)}
	places := rnd.Perm(len(r.m.Cells))
	for range benchSeats {
		var list []hexgrid.Coord
		for range each {
			list = append(list, r.m.Cells[places[0]])
			places = places[1:]
		}
		r.m.Starts = append(r.m.Starts, list)
	}
	g := model.New(model.Board(*r.m), benchSeats, 0)
	for turn := range turns {
		inputs := make([]engine.Input, benchSeats)
		now := g.State()
		for n, p := range rnd.Perm(benchSeats) {
			inputs[n] = engine.Input{
				Player: engine.PlayerID(p), Turn: turn, Actions: sensibleActions(rnd, now, model.Color(p+1)),
			}
		}
		g.Step(inputs)
		r.turns = append(r.turns, inputs)
	}
	s := g.State()
	// cannot fail
	r.final, _ = json.Marshal([]any{s.Characters, s.Cells, s.Bombs, s.CellCount, s.Score})
	return r
}

// sensibleActions returns walks, bombs and revivals of a colour's characters, nearly always with
// success. Two players write JSON as Go does, two as Python does.
func sensibleActions(rnd *rand.Rand, s *model.State, color model.Color) []byte {
	bombAt := func(at hexgrid.Coord) bool {
		return slices.ContainsFunc(s.Bombs, func(b model.Bomb) bool { return b.Coord == at })
	}
	free := func(at hexgrid.Coord) bool { // a cell of another colour without a character or bomb
		return slices.ContainsFunc(s.Cells,
			func(c model.Cell) bool { return c.Coord == at && c.Color != color }) && !bombAt(at) &&
			!slices.ContainsFunc(s.Characters,
				func(c model.Character) bool { return c.Alive && c.Coord == at })
	}
	var list []string
	for _, c := range s.Characters {
		if c.Color != color {
			continue
		}
		dir := hexgrid.Dirs[rnd.IntN(hexgrid.NumDirs)]
		for range 2 * hexgrid.NumDirs {
			if free(c.Step(dir)) {
				break
			}
			dir = hexgrid.Dirs[rnd.IntN(hexgrid.NumDirs)]
		}
		switch {
		case !c.Alive && c.ReviveDelay == 0:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"revive"}`, c.ID))
		case !c.Alive:
		case *c.BombCount > 0 && !bombAt(c.Coord) && rnd.IntN(25) == 0:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"bomb","bomb_range":%d,"bomb_delay":%d}`,
				c.ID, 2+rnd.IntN(3), 2+rnd.IntN(3)))
		default:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"move","direction":"%v"}`, c.ID, dir))
		}
	}
	text := "[" + strings.Join(list, ",") + "]"
	if color > benchSeats/2 {
		text = strings.NewReplacer(":", ": ", ",", ", ").Replace(text)
	}
	return []byte(text)
}

// TestBenchGame checks that the recorded game has enough action to be worth measuring and
// that Game ends it as the model did.
func TestBenchGame(t *testing.T) {
	thorough.Full(t)
	r := benchGame()
	for _, m := range []*Map{r.m, surround(r.m)} {
		r.check(t, m)
	}
}

// check plays the game on m. It fails unless characters move, bomb and revive, at least half
// of the actions succeed, a bomb explodes in every fifth turn or more often, and the last
// state is the model's.
func (r *recordedGame) check(tb testing.TB, m *Map) {
	tb.Helper()
	g := start(tb, m, benchSeats, 0)
	var actions, moves, bombs, revivals, refused, explosions int
	for _, inputs := range r.turns {
		for _, in := range inputs {
			actions += bytes.Count(in.Actions, []byte("{"))
			moves += bytes.Count(in.Actions, []byte(`"move"`))
			bombs += bytes.Count(in.Actions, []byte(`"bomb"`))
			revivals += bytes.Count(in.Actions, []byte(`"revive"`))
		}
		refused += len(g.Step(inputs).Refused)
		if len(g.blast) > 0 {
			explosions++
		}
	}
	turns := len(r.turns)
	if len(m.Cells) < 400 || len(g.chars) < 4*7 || 7*actions < 6*turns*len(g.chars) || moves == 0 ||
		2*bombs < turns ||
		5*revivals < turns || 2*refused > actions || 5*explosions < turns {
		tb.Fatalf("%d cells, %d characters, %d turns, %d actions (%d moves, %d bombs, %d revivals) of "+
			"which %d refused, %d turns with explosions: not worth measuring",
			len(m.Cells), len(g.chars), turns, actions, moves, bombs, revivals, refused, explosions)
	}
	s, err := ParseState(g.AppendState(nil))
	if err != nil {
		tb.Fatal(err)
	}
	s.Cells = slices.DeleteFunc(s.Cells, func(c Cell) bool { return !r.m.HasCell(c.Coord) })
	final := marshal(tb, []any{s.Characters, s.Cells, s.Bombs, s.CellCount, s.Score})
	if !bytes.Equal(final, r.final) {
		tb.Fatalf("the last state = %s, want %s", final, r.final)
	}
}
