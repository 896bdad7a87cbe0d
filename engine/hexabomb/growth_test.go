package hexabomb

import (
	"slices"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// surround embeds m, isolated by missing cells, in a board of 40 000 cells, so that the
// same game can be played on it.
func surround(m *Map) *Map {
	big := hexagon(116)
	big.Cells = slices.DeleteFunc(big.Cells, func(c hexgrid.Coord) bool {
		return hexgrid.Distance(c, hexgrid.Coord{}) == benchRadius+1
	})
	big.Starts = m.Starts
	return big
}

// BenchmarkGrowth reports how much more a turn costs when one dimension of the game
// grows. Two games are played alternately, and the median of the ratios is reported.
func BenchmarkGrowth(b *testing.B) {
	b.Run("cells=40000", func(b *testing.B) {
		r := benchGame()
		compare(b, r.timed(b, r.m), r.timed(b, surround(r.m)))
	})
	b.Run("characters=200", func(b *testing.B) {
		const radius, turns = 33, 500 // 3367 cells: room for both
		few, many := record(radius, 7, turns), record(radius, 50, turns)
		compare(b, few.timed(b, few.m), many.timed(b, many.m))
	})
}

// BenchmarkStateOf40000Cells compares writing a state with copying as many bytes.
func BenchmarkStateOf40000Cells(b *testing.B) {
	const rounds = 32
	r := benchGame()
	g := start(b, surround(r.m), benchSeats, 0)
	for _, inputs := range r.turns[:100] {
		g.Step(inputs)
	}
	state := g.AppendState(nil)
	source := slices.Clone(state)
	b.SetBytes(int64(2 * rounds * len(state)))
	repeat := func(f func()) func() time.Duration {
		return func() time.Duration {
			began := time.Now()
			for range rounds {
				f()
			}
			return time.Since(began)
		}
	}
	compare(b, repeat(func() { copy(state, source) }),
		repeat(func() { state = g.AppendState(state[:0]) }))
}

// timed returns a function that plays the game on m and returns the time of its turns.
func (r *recordedGame) timed(b *testing.B, m *Map) func() time.Duration {
	r.check(b, m)
	board := Compile(m)
	return func() time.Duration {
		g := board.NewGame()
		if _, err := g.Start(engine.Setup{Players: benchSeats}); err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		for _, inputs := range r.turns {
			g.Step(inputs)
		}
		return time.Since(began)
	}
}

// compare measures two functions alternately and reports the time of the second as a
// share of that of the first.
func compare(b *testing.B, first, second func() time.Duration) {
	var ratios []float64
	for b.Loop() {
		base := first()
		ratios = append(ratios, float64(second())/float64(base))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "ratio")
}
