package hexabomb

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

const (
	benchTurns  = 2000
	benchRadius = 12 // 469 cells
	benchSeats  = 4
	benchEach   = 7
)

// recordedGame is a game as the players sent it.
type recordedGame struct {
	m     *Map
	turns [][]engine.Input
	final []byte // the last state, by the model
}

// benchGame is a game of four players, played by the model. It is long, so that
// a board's first visits to memory do not count for much.
var benchGame = sync.OnceValue(func() *recordedGame {
	rnd := rand.New(rand.NewPCG(12, 12))
	r := &recordedGame{m: hexagon(benchRadius)}
	places := rnd.Perm(len(r.m.Cells))
	for range benchSeats {
		var list []hexgrid.Coord
		for range benchEach {
			list = append(list, r.m.Cells[places[0]])
			places = places[1:]
		}
		r.m.Starts = append(r.m.Starts, list)
	}
	g := newModel(r.m, benchSeats, 0)
	for turn := range benchTurns {
		inputs := make([]engine.Input, benchSeats)
		for n, p := range rnd.Perm(benchSeats) {
			inputs[n] = engine.Input{Player: engine.PlayerID(p), Turn: turn, Actions: g.sensibleActions(rnd, Color(p+1))}
		}
		g.step(inputs)
		r.turns = append(r.turns, inputs)
	}
	s := g.state()
	r.final = fmt.Append(nil, s.Characters, s.Cells, s.Bombs, s.CellCount, s.Score)
	return r
})

// sensibleActions has all characters of a colour walk, bomb and revive, hardly
// ever in vain. Two players write as Go does, two as Python does.
func (g *model) sensibleActions(rnd *rand.Rand, color Color) []byte {
	var list []string
	for _, c := range g.chars {
		if c.Color != color {
			continue
		}
		dir := hexgrid.Dirs[rnd.IntN(hexgrid.NumDirs)]
		for range 2 * hexgrid.NumDirs {
			to := c.Step(dir)
			if owner, there := g.cells[to]; there && owner != color && !g.occupied(to) {
				break
			}
			dir = hexgrid.Dirs[rnd.IntN(hexgrid.NumDirs)]
		}
		switch {
		case !c.Alive && c.ReviveDelay == 0:
			list = append(list, fmt.Sprintf(`{"id":%d,"movement":"revive"}`, c.ID))
		case !c.Alive:
		case c.BombCount > 0 && !g.bombAt(c.Coord) && rnd.IntN(25) == 0:
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

// TestBenchGame holds that the recorded game is worth measuring, and ends here
// as it did for the model.
func TestBenchGame(t *testing.T) {
	r := benchGame()
	for _, m := range []*Map{r.m, surround(r.m)} {
		r.check(t, m)
	}
}

func (r *recordedGame) check(tb testing.TB, m *Map) {
	tb.Helper()
	g := start(tb, m, benchSeats, 0)
	var actions, refused, explosions int
	for _, inputs := range r.turns {
		for _, in := range inputs {
			actions += bytes.Count(in.Actions, []byte("{"))
		}
		refused += len(g.Step(inputs).Refused)
		if len(g.blast) > 0 {
			explosions++
		}
	}
	if len(m.Cells) < 400 || actions < 24*len(r.turns) || 2*refused > actions || 5*explosions < len(r.turns) {
		tb.Fatalf("%d cells, %d turns, %d actions of which %d refused, %d turns with explosions: not worth measuring",
			len(m.Cells), len(r.turns), actions, refused, explosions)
	}
	s, err := ParseState(g.AppendState(nil))
	if err != nil {
		tb.Fatal(err)
	}
	s.Cells = slices.DeleteFunc(s.Cells, func(c Cell) bool { return !r.m.HasCell(c.Coord) })
	if final := fmt.Append(nil, s.Characters, s.Cells, s.Bombs, s.CellCount, s.Score); !bytes.Equal(final, r.final) {
		tb.Fatalf("the last state = %s, want %s", final, r.final)
	}
}

// surround puts m into a board of 40 000 cells, behind a moat, so that the same
// game can be played on it.
func surround(m *Map) *Map {
	big := hexagon(116)
	big.Cells = slices.DeleteFunc(big.Cells, func(c hexgrid.Coord) bool {
		return hexgrid.Distance(c, hexgrid.Coord{}) == benchRadius+1
	})
	big.Starts = m.Starts
	return big
}

// bench measures turns; after each of them, look may ask for something.
func (r *recordedGame) bench(b *testing.B, m *Map, look func(g *Game)) {
	r.check(b, m)
	board := Compile(m)
	var g *Game
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		turn := i % len(r.turns)
		if turn == 0 {
			b.StopTimer()
			g = board.NewGame()
			if _, err := g.Start(engine.Setup{Players: benchSeats}); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		g.Step(r.turns[turn])
		look(g)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
}

func BenchmarkRules(b *testing.B) {
	r := benchGame()
	r.bench(b, r.m, func(*Game) {})
}

func BenchmarkRulesAndState(b *testing.B) {
	r := benchGame()
	var buf []byte
	r.bench(b, r.m, func(g *Game) { buf = g.AppendState(buf[:0]) })
	b.ReportMetric(float64(len(buf)), "B/state")
}

func BenchmarkRulesAndDelta(b *testing.B) {
	r := benchGame()
	var buf []byte
	r.bench(b, r.m, func(g *Game) { buf = g.AppendDelta(buf[:0]) })
}

// BenchmarkRulesOn40000Cells plays the game of BenchmarkRules on a board nearly
// a hundred times as large.
func BenchmarkRulesOn40000Cells(b *testing.B) {
	r := benchGame()
	r.bench(b, surround(r.m), func(*Game) {})
}

func BenchmarkCompile40000Cells(b *testing.B) {
	m := surround(benchGame().m)
	for b.Loop() {
		Compile(m)
	}
}

// TestTurnsAllocateNothing plays a whole game for the buffers to grow, then
// plays on.
func TestTurnsAllocateNothing(t *testing.T) {
	r := benchGame()
	g := start(t, r.m, benchSeats, 0)
	unusual := []engine.Input{
		{Player: 7},
		{Player: 0, Actions: []byte(`[{"id":0.0,"movement":"move","direction":"x+","why":[1,{}]},{}]`)},
		{Player: 0, Actions: []byte(`[{"id":1,`)},
		{Player: 1, Lapse: engine.Gone},
	}
	var state, delta []byte
	turn := 0
	play := func() {
		g.Step(r.turns[turn%len(r.turns)])
		state, delta = g.AppendState(state[:0]), g.AppendDelta(delta[:0])
		g.Step(unusual)
		turn++
	}
	for range r.turns {
		play()
	}
	state, delta = slices.Grow(state, 1<<16), slices.Grow(delta, 1<<16)
	if n := testing.AllocsPerRun(len(r.turns), play); n != 0 {
		t.Errorf("a turn allocates %v times, want 0", n)
	}
}
