package sprt

import (
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/server/contest/score"
)

// State is all that a Test knows beyond its hypotheses, so that it can go on later.
type State struct {
	Blocks  score.Distribution `json:"blocks"`
	Ratio   float64            `json:"ratio"`
	Down    [3]float64         `json:"down"` // the overshoot at the lower limit: record, sum, squares
	Up      [3]float64         `json:"up"`
	Verdict Verdict            `json:"verdict"`
}

// State returns what the test knows.
func (t *Test) State() State {
	return State{
		Blocks: slices.Clone(t.blocks), Ratio: t.ratio, Verdict: t.verdict,
		Down: [3]float64{t.down.record, t.down.sum, t.down.squares},
		Up:   [3]float64{t.up.record, t.up.sum, t.up.squares},
	}
}

// Restore sets what the test knows. It returns an error if the state is one of other blocks.
func (t *Test) Restore(s State) error {
	if len(s.Blocks) != len(t.blocks) || s.Verdict > Accepted1 {
		return fmt.Errorf("the state of a test has %d results of a block, want %d", len(s.Blocks),
			len(t.blocks))
	}
	t.blocks, t.ratio, t.verdict = slices.Clone(s.Blocks), s.Ratio, s.Verdict
	t.down, t.up = overshoot{s.Down[0], s.Down[1], s.Down[2]}, overshoot{s.Up[0], s.Up[1], s.Up[2]}
	return nil
}
