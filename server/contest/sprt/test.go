// Package sprt decides while results come in: it stops a comparison of two bots as soon
// as the answer is certain enough, and a contest as soon as its leader is.
//
// A [Test] is the generalised sequential probability ratio test that chess testers use, on the
// mean scores of blocks in place of pairs of games, so that it serves any number of seats. [Look]
// is the schedule of a contest that goes on until its leader is certain.
package sprt

import (
	"fmt"

	"github.com/hexarena/hexarena/server/contest/exact"
	"github.com/hexarena/hexarena/server/contest/score"
)

// Hypotheses are what a Test decides between: whether the normalised Elo of a bot is NElo0, or
// NElo1. Alpha is the probability of accepting NElo1 although NElo0 is true, Beta that of the
// opposite.
type Hypotheses struct{ NElo0, NElo1, Alpha, Beta float64 }

// Check returns an error if no test can decide between h.
func (h Hypotheses) Check() error {
	switch {
	case !(h.NElo0 < h.NElo1):
		return fmt.Errorf("elo0 = %v, elo1 = %v: elo0 must be below elo1", h.NElo0, h.NElo1)
	case !(h.NElo0 >= -maxNElo && h.NElo1 <= maxNElo):
		return fmt.Errorf("elo0 = %v, elo1 = %v: both must be between -%d and %d", h.NElo0, h.NElo1,
			maxNElo, maxNElo)
	case !(h.Alpha >= minError && h.Alpha <= maxError && h.Beta >= minError && h.Beta <= maxError):
		return fmt.Errorf("alpha = %v, beta = %v: both must be between %v and %v", h.Alpha, h.Beta,
			minError, maxError)
	}
	return nil
}

// The bounds of Hypotheses. A difference of 300 shows within a dozen matches, so that no test is
// needed beyond it. Errors of one half would decide without a match.
const (
	maxNElo  = 300
	minError = 1e-6
	maxError = 0.4
)

// Verdict is what a Test has found so far.
type Verdict uint8

// The verdicts.
const (
	Undecided Verdict = iota
	Accepted0         // the difference is NElo0 rather than NElo1
	Accepted1         // the difference is NElo1 rather than NElo0
)

// Test is a sequential test. Its verdict follows from the order of the blocks as well, so that
// blocks must be added in the contest's order.
type Test struct {
	hypotheses   Hypotheses
	matches      int // per block
	blocks       score.Distribution
	ratio        float64
	lower, upper float64
	down, up     overshoot
	verdict      Verdict
}

// New returns a test without blocks, for blocks of this many matches in which a bot has at most
// this many halves: [score.Most], or twice that for [score.Ahead].
func New(h Hypotheses, most, matches int) (*Test, error) {
	if err := h.Check(); err != nil {
		return nil, err
	}
	if most < 2 || matches < 1 {
		return nil, fmt.Errorf("%d matches with %d halves: a test needs matches of two or more players",
			matches, most)
	}
	return &Test{
		hypotheses: h,
		matches:    matches,
		blocks:     make(score.Distribution, most+1),
		lower:      exact.Log(h.Beta / (1 - h.Alpha)), // the limits are Wald's
		upper:      exact.Log((1 - h.Beta) / h.Alpha),
	}, nil
}

// Add adds a block in which the bot has this many halves and returns the verdict. Blocks after a
// decision change nothing.
func (t *Test) Add(halves int) Verdict {
	if t.verdict != Undecided {
		return t.verdict
	}
	t.blocks[halves]++
	t.ratio = Normalized(t.blocks, t.matches, t.hypotheses.NElo0, t.hypotheses.NElo1)
	t.down.add(-t.ratio)
	t.up.add(t.ratio)
	switch {
	case t.ratio < t.lower+t.down.mean():
		t.verdict = Accepted0
	case t.ratio > t.upper-t.up.mean():
		t.verdict = Accepted1
	}
	return t.verdict
}

// Verdict returns what the blocks so far have decided.
func (t *Test) Verdict() Verdict { return t.verdict }

// Blocks returns the distribution of the blocks that counted. It is the test's own.
func (t *Test) Blocks() score.Distribution { return t.blocks }

// Ratio returns the logarithm of the likelihood ratio, with the limits between which the test
// goes on, without their correction for overshoot.
func (t *Test) Ratio() (ratio, lower, upper float64) { return t.ratio, t.lower, t.upper }

// overshoot estimates by how much the ratio will exceed a limit when it crosses it. Wald's limits
// are for a ratio that meets them; one that jumps over them makes a test longer and surer than
// asked. The mean excess is that over earlier records: the sum of the squares of their jumps
// divided by twice the sum (Siegmund, "Sequential Analysis", 1985, corollary 8.33; fishtest's
// update_SPRT). The command calibrate shows that tests err as often as asked with it.
type overshoot struct{ record, sum, squares float64 }

func (o *overshoot) add(ratio float64) {
	if jump := ratio - o.record; jump > 0 {
		o.record = ratio
		o.sum += jump
		o.squares += float64(jump * jump)
	}
}

func (o *overshoot) mean() float64 {
	if o.sum == 0 {
		return 0
	}
	return o.squares / o.sum / 2
}
