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

// Table holds the strengths of the bots of a contest. Strengths are in Elo points above the mean of
// all bots, levels and intervals above that of those that [Table.Among] returns, which are usually
// all.
type Table struct {
	strengths []float64   // natural logarithms
	samples   [][]float64 // of the same, from resampled blocks
	parts     [][]int     // of each sample: the part that each bot is in; nil: all are in one
	blocks    []int       // in which each bot played
	seats     []int       // that it had in them
	varied    []bool      // its blocks have different scores
	reached   []byte      // 1 at i*bots+j: bot i was before bot j, or level with it
	groups    []int       // the group of each bot
	among     []int       // the bots of the largest group
	mean      float64     // of their strengths

	likelihood *likelihood
	stages     []float64 // how often each occurs
}

// Fit returns the table of a contest whose blocks are all known. Bots are numbered from 0.
func Fit(bots int, blocks []Block, o Options) *Table {
	list := NewBlocks(bots)
	for _, block := range blocks {
		list.Add(block)
	}
	return list.Fit(o)
}

// Elo returns a bot's strength, by which tables are ordered. Where results leave it infinite the
// virtual draws decide it: [Table.Level] does not have that.
func (t *Table) Elo(bot int) float64 { return float64(PerNat * t.strengths[bot]) }

// Intervals reports whether a bot's results have intervals: it was in two blocks or more.
func (t *Table) Intervals(bot int) bool { return t.blocks[bot] >= 2 && len(t.samples) > 0 }

// Interval returns the interval that contains the level of a bot with the given confidence,
// such as 0.95. An end that results do not bound is infinite.
func (t *Table) Interval(bot int, confidence float64) (low, high float64) {
	if !slices.Contains(t.among, bot) {
		return float64(
			PerNat * t.end(bot, 1-confidence, -1)), float64(PerNat * t.end(bot, 1-confidence, 1))
	}
	return t.interval(bot, t.among, t.blocks[bot], confidence)
}

// Difference returns how much bot a is stronger than bot b, with its interval. The intervals of
// the two strengths do not tell it: errors that they share cancel.
func (t *Table) Difference(a, b int, confidence float64) (elo, low, high float64) {
	elo = float64(PerNat * (t.strengths[a] - t.strengths[b]))
	if t.groups[a] != t.groups[b] {
		tail := (1 - confidence) / 2
		low, high = t.end(a, tail, -1)-t.end(b, tail, 1), t.end(a, tail, 1)-t.end(b, tail, -1)
		return elo, float64(PerNat * low), float64(PerNat * high)
	}
	low, high = t.interval(a, []int{b}, min(t.blocks[a], t.blocks[b]), confidence)
	return elo, low, high
}

// figure returns a figure of a sample, by its number. It may be infinite, and is NaN if nothing is
// known.
type figure func(sample int) float64

// above returns how much stronger a bot is than the mean of some. If the bot and one of these are
// in different parts of a sample the figure is infinite, since only the virtual draws would bound
// it: an interval is never narrower for them.
func (t *Table) above(bot int, others []int) figure {
	all := len(others) == len(t.strengths) // whose mean is 0 already
	return func(sample int) float64 {
		strengths, parts := t.samples[sample], t.parts[sample]
		if all && parts == nil {
			return strengths[bot]
		}
		figure := t.distance(strengths, bot, others)
		if parts != nil {
			for _, other := range others {
				figure -= farther(parts[other], parts[bot])
			}
		}
		return figure
	}
}

// interval returns the interval of what a bot is above the mean of others, as n blocks say: the
// expanded percentile interval of Hesterberg, "What Teachers Should Know About the Bootstrap", The
// American Statistician 69 (2015). Plain percentiles are those of a normal variable with a
// deviation that is √((n-1)/n) of the right one; the levels here make up for this and for Student's
// t. Without two blocks it has no ends.
//
// If the figure is not finite in some samples, a few matches decide it. Percentiles are too narrow
// then, also on the other side, and the interval has at least the ends of a normal figure with the
// deviation that the virtual draws leave. The command calibrate shows what both contain.
func (t *Table) interval(bot int, others []int, n int, confidence float64) (low, high float64) {
	if n < 2 || len(t.samples) == 0 {
		return math.Inf(-1), math.Inf(1)
	}
	quantile := exact.StudentQuantile(0.5+float64(confidence/2), float64(n-1))
	tail := exact.Normal(-quantile * math.Sqrt(float64(n)/float64(n-1)))
	values := make([]float64, len(t.samples))
	f := t.above(bot, others)
	unknown, finite := 0, true // samples of which nothing is known may be at either end
	for i := range values {
		if values[i] = f(i); math.IsNaN(values[i]) {
			values[i] = math.Inf(-1)
			unknown++
		}
		finite = finite && !math.IsInf(values[i], 0)
	}
	slices.Sort(values)
	low = percentile(values, tail)
	values = append(values[unknown:], slices.Repeat([]float64{math.Inf(1)}, unknown)...)
	high = percentile(values, 1-tail)
	if !finite {
		middle, margin := t.distance(t.strengths, bot, others), t.deviations(bot, others, n, 1-confidence)
		low, high = min(low, middle-margin), max(high, middle+margin)
	}
	return float64(PerNat * low), float64(PerNat * high)
}

// distance returns how much stronger a bot is than the mean of some, by these strengths.
func (t *Table) distance(strengths []float64, bot int, others []int) float64 {
	sum := 0.0
	for _, other := range others {
		sum += strengths[other]
	}
	return strengths[bot] - sum/float64(len(others))
}

// percentile returns the value below which a share of the sorted values lies.
func percentile(sorted []float64, share float64) float64 {
	at := float64(share*float64(len(sorted)+1)) - 1
	i := int(min(max(math.Floor(at), 0), float64(len(sorted)-1)))
	j := min(i+1, len(sorted)-1)
	switch {
	case math.IsInf(sorted[i], 0):
		return sorted[i]
	case math.IsInf(sorted[j], 0):
		return sorted[j]
	}
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
// probability of an error over all of them together, as sprt.Look spends it. Bots that are the same
// as the leader do not count, as they never differ; same may be nil.
func (t *Table) Certain(probability float64, same func(a, b int) bool) bool {
	leader := t.Leader()
	for bot := range t.strengths {
		if bot == leader || same != nil && same(bot, leader) {
			continue
		}
		if !t.Above(leader, bot, probability/float64(len(t.strengths)-1)) {
			return false
		}
	}
	return leader >= 0
}

// Above reports whether bot a is stronger than b; it is wrong with at most the given probability if
// both are equal. It takes differences for normal: probabilities this small need more samples than
// a bootstrap has. Without any variance nothing is certain, but for bots that always won or lost.
func (t *Table) Above(a, b int, probability float64) bool {
	if t.groups[a] != t.groups[b] {
		return t.end(a, probability/2, -1) > t.end(b, probability/2, 1)
	}
	n := min(t.blocks[a], t.blocks[b])
	if n < 2 || len(t.samples) < 2 {
		return false
	}
	margin := t.deviations(a, []int{b}, n, probability)
	return margin > 0 && t.strengths[a]-t.strengths[b] > margin
}

// Within reports whether two bots differ by at most this many points; it is wrong with at most the
// given probability if they differ by more. Without any variance that is never certain.
func (t *Table) Within(a, b int, elo, probability float64) bool {
	n := min(t.blocks[a], t.blocks[b])
	if t.groups[a] != t.groups[b] || n < 2 || len(t.samples) < 2 {
		return false
	}
	margin := t.deviations(a, []int{b}, n, probability)
	return margin > 0 && math.Abs(t.strengths[a]-t.strengths[b])+margin <= elo/PerNat
}

// deviations returns how far a bot's strength above the mean of some others is from the truth at
// the most, with at most the given probability of more in either direction.
func (t *Table) deviations(bot int, others []int, n int, probability float64) float64 {
	values := make([]float64, len(t.samples))
	mean, squares := 0.0, 0.0
	for i, strengths := range t.samples {
		values[i] = t.distance(strengths, bot, others)
		mean += values[i] / float64(len(values))
	}
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	variance := squares / float64(len(values)-1) * (float64(n) / float64(n-1))
	quantile := exact.StudentQuantile(1-float64(probability/2), float64(n-1))
	return float64(quantile * math.Sqrt(variance))
}
