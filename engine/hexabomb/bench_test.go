package hexabomb

import (
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// bench measures turns; look, if any, is called after each of them.
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

func BenchmarkCompile40000Cells(b *testing.B) {
	m := surround(benchGame().m)
	for b.Loop() {
		Compile(m)
	}
}

// TestTurnsAllocateNothing plays a whole game, so that the buffers grow, and then
// measures further turns.
func TestTurnsAllocateNothing(t *testing.T) {
	thorough.Long(t)
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
	if n := testing.AllocsPerRun(thorough.Size(len(r.turns)/4, len(r.turns)), play); n != 0 {
		t.Errorf("a turn allocates %v times, want 0", n)
	}
}
