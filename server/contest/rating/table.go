package rating

import (
	"math"
	"slices"

	"github.com/hexarena/hexarena/server/contest/exact"
)

// Options are the settings of [Fit].
type Options struct {
	// VirtualDraws is the number of draws against the field's mean that are added for each bot, so
	// that a bot that won all its matches has a finite strength: [TableDraws] in tables.
	VirtualDraws float64
	// Resamples is the number of samples of the bootstrap: [TableResamples] in tables. Zero means
	// that no intervals are needed.
	Resamples int
	// Seed is that of the bootstrap, so that the same results give the same intervals.
	Seed uint64
}

const (
	// TableDraws is the number of virtual draws in tables: with a quarter, a bot that won all of 50
	// matches against another one is 1 060 points above it, and one that won 30 of 50 moves by less
	// than a point.
	TableDraws = 0.25
	// TableResamples is the number of samples of the bootstrap in tables: with 1 000, an end of a
	// 95 % interval has a standard deviation of 2 % of its width from seed to seed.
	TableResamples = 1000
)

// Table holds the strengths of the bots of a contest. Strengths are in Elo points above the
// bots' mean.
type Table struct {
	strengths []float64   // natural logarithms
	samples   [][]float64 // of the same, from resampled blocks
	blocks    []int       // in which each bot played
}

// Fit returns the table of a contest whose blocks are all known. Bots are numbered from 0.
func Fit(bots int, blocks []Block, o Options) *Table {
	list := NewBlocks(bots)
	for _, block := range blocks {
		list.Add(block)
	}
	return list.Fit(o)
}

// Elo returns a bot's strength.
func (t *Table) Elo(bot int) float64 { return float64(PerNat * t.strengths[bot]) }

// Intervals reports whether a bot's results have intervals: it was in two blocks or more.
func (t *Table) Intervals(bot int) bool { return t.blocks[bot] >= 2 && len(t.samples) > 0 }

// Interval returns the interval that contains the strength of a bot with the given confidence,
// such as 0.95.
func (t *Table) Interval(bot int, confidence float64) (low, high float64) {
	return t.interval(func(strengths []float64) float64 { return strengths[bot] }, t.blocks[bot], confidence)
}

// Difference returns how much bot a is stronger than bot b, with its interval. The intervals of
// the two strengths do not tell it: errors that they share cancel.
func (t *Table) Difference(a, b int, confidence float64) (elo, low, high float64) {
	difference := func(strengths []float64) float64 { return strengths[a] - strengths[b] }
	low, high = t.interval(difference, min(t.blocks[a], t.blocks[b]), confidence)
	return float64(PerNat * difference(t.strengths)), low, high
}

// interval returns the interval of a figure that rests on n blocks: the expanded percentile
// interval of Hesterberg, "What Teachers Should Know About the Bootstrap", The American
// Statistician 69 (2015). Plain percentiles are those of a normal variable with a deviation that
// is √((n-1)/n) of the right one; the levels here make up for this and for Student's t. Without
// two blocks it is as wide as strengths can be apart.
func (t *Table) interval(figure func(strengths []float64) float64, n int, confidence float64) (low, high float64) {
	if n < 2 || len(t.samples) == 0 {
		return -2 * maxStrength * PerNat, 2 * maxStrength * PerNat
	}
	quantile := exact.StudentQuantile(0.5+float64(confidence/2), float64(n-1))
	tail := exact.Normal(-quantile * math.Sqrt(float64(n)/float64(n-1)))
	values := t.figures(figure)
	slices.Sort(values)
	return float64(PerNat * percentile(values, tail)), float64(PerNat * percentile(values, 1-tail))
}

// figures returns a figure of each sample.
func (t *Table) figures(figure func(strengths []float64) float64) []float64 {
	values := make([]float64, len(t.samples))
	for i, sample := range t.samples {
		values[i] = figure(sample)
	}
	return values
}

// percentile returns the value below which a share of the sorted values lies.
func percentile(sorted []float64, share float64) float64 {
	at := float64(share*float64(len(sorted)+1)) - 1
	i := int(min(max(math.Floor(at), 0), float64(len(sorted)-1)))
	j := min(i+1, len(sorted)-1)
	return sorted[i] + float64(min(max(at-float64(i), 0), 1)*(sorted[j]-sorted[i]))
}

// Leader returns the strongest bot, and of several the first; -1 if there are no bots.
func (t *Table) Leader() int {
	leader := -1
	for bot, strength := range t.strengths {
		if leader < 0 || strength > t.strengths[leader] {
			leader = bot
		}
	}
	return leader
}

// Certain reports whether the leader is stronger than each other bot, with at most the given
// probability of an error over all of them together, as sprt.Look spends it. It takes the
// differences for normal: probabilities this small need more samples than a bootstrap has.
func (t *Table) Certain(probability float64) bool {
	leader := t.Leader()
	for bot := range t.strengths {
		if bot != leader && !t.above(leader, bot, probability/float64(len(t.strengths)-1)) {
			return false
		}
	}
	return leader >= 0
}

// above reports whether bot a is stronger than b; it is wrong with at most the given probability if
// both are equal.
func (t *Table) above(a, b int, probability float64) bool {
	n := min(t.blocks[a], t.blocks[b])
	if n < 2 || len(t.samples) < 2 {
		return false
	}
	values := t.figures(func(strengths []float64) float64 { return strengths[a] - strengths[b] })
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	variance := squares / float64(len(values)-1) * (float64(n) / float64(n-1))
	quantile := exact.StudentQuantile(1-float64(probability/2), float64(n-1))
	return t.strengths[a]-t.strengths[b] > float64(quantile*math.Sqrt(variance))
}
