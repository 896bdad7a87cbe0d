package rating

import (
	"math"
	"slices"

	"github.com/hexarena/hexarena/server/contest/exact"
)

// Level is what results say about the strength of a bot: an estimate with its interval, an end of
// which is infinite if the results do not bound it.
type Level struct {
	// Elo is the estimate. It is the finite end of the interval for a bot outside of [Table.Among]:
	// one that has won all its matches against those, or lost all, for which no strength is too
	// large or too small.
	Elo       float64
	Low, High float64
}

// Among returns the bots whose mean has the level 0: those that are connected by results, each with
// each other one. There are more of them than in any other group.
func (t *Table) Among() []int { return t.among }

// Zero returns the strength of the level 0.
func (t *Table) Zero() float64 { return float64(PerNat * t.mean) }

// Level returns what is known about a bot. Ok is false if that is nothing: it was in less than two
// blocks, all its blocks have the same score without being won or lost as a whole, or it has not
// met those among which levels are measured. Nor is it known of the only one of these.
func (t *Table) Level(bot int, confidence float64) (l Level, ok bool) {
	if !t.Intervals(bot) {
		return l, false
	}
	l.Elo = float64(PerNat * (t.strengths[bot] - t.mean))
	l.Low, l.High = t.Interval(bot, confidence)
	if slices.Contains(t.among, bot) {
		return l, len(t.among) > 1 && t.varied[bot]
	}
	if l.Elo = l.Low; math.IsInf(l.Low, -1) {
		l.Elo = l.High
	}
	return l, !math.IsInf(l.Elo, 0)
}

// end returns the end of a bot's interval in one direction, -1 or 1, which the strength exceeds
// with at most the given probability. It is infinite if results do not bound it.
func (t *Table) end(bot int, probability, direction float64) float64 {
	none := math.Inf(int(direction))
	switch {
	case !slices.Contains(t.among, bot):
		if end, above, ok := t.bound(bot, probability); ok && above == (direction < 0) {
			return end
		}
		return none
	case len(t.among) == 1:
		return 0
	case !t.Intervals(bot) || len(t.samples) < 2 || !t.varied[bot]:
		return none
	}
	return t.strengths[bot] - t.mean + float64(
		direction*t.deviations(bot, t.among, t.blocks[bot], 2*probability))
}

// bound returns the least or the largest strength under which what a bot outside of [Table.Among]
// did against those in it, all wins or all losses, has at least the given probability. Above says
// that it won.
//
// The matches of a block depend on each other. That all of them are won is at most as probable as
// the geometric mean of the probabilities that each one is, so that the root of their product
// bounds it. With two bots and n blocks that have been won, the least probability of a win is the
// n-th root of the given one.
func (t *Table) bound(bot int, probability float64) (strength float64, above, ok bool) {
	type term struct{ own, among, rest, count float64 }
	var terms []term
	won, lost := false, false
	for id, count := range t.stages {
		one := term{count: count}
		for _, m := range t.likelihood.stage(id) {
			weight := float64(m.weight * exact.Exp(t.strengths[m.bot]-t.mean))
			switch {
			case int(m.bot) == bot:
				one.own += m.weight
			case slices.Contains(t.among, int(m.bot)):
				one.among += weight
			default:
				one.rest += weight
			}
		}
		if one.own > 0 && one.among > 0 {
			terms = append(terms, one)
		}
	}
	for _, other := range t.among {
		won = won || t.reached[bot*len(t.strengths)+other] > 0
		lost = lost || t.reached[other*len(t.strengths)+bot] > 0
	}
	if len(terms) == 0 || won == lost {
		return 0, false, false
	}
	least := exact.Log(probability) * float64(t.seats[bot]) / float64(t.blocks[bot])
	likely := func(strength float64) bool {
		power, sum := exact.Exp(strength), 0.0
		for _, o := range terms {
			own := float64(o.own * power)
			share := own / (own + o.among + o.rest) // of the bot, which did not win
			if won {
				share = o.among / (own + o.among + o.rest)
			}
			sum += float64(o.count * exact.Log(max(1-share, impossible)))
		}
		return sum >= least
	}
	low, high := -float64(2*maxStrength), float64(2*maxStrength)
	for range boundSteps {
		middle := low + float64((high-low)/2)
		if likely(middle) == won {
			high = middle
		} else {
			low = middle
		}
	}
	return low + float64((high-low)/2), won, true
}

// impossible stands for a probability of 0, which has no logarithm.
const impossible = 1e-300

// boundSteps halve the range of strengths until the rest is a millionth of a point.
const boundSteps = 35
