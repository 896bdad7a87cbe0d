package enginetest

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

// testRestore checks that a game goes on from each state as the game did that gave it, and from a
// copy, and that states which were cut are refused.
func (s *suite) testRestore(t *testing.T) {
	for seed := range uint64(2) {
		r := s.record(t, 300+seed)
		g, _ := s.start(t)
		for steps, m := range r.moments {
			again := s.newGame().(engine.Restorer)
			result, err := again.Restore(s.Setup, steps, m.state)
			if err != nil {
				t.Fatalf("seed %d, after %d steps: Restore(%s) = %v", seed, steps, m.state, err)
			}
			result.Refused, m.result.Refused = nil, nil
			if got := s.observe(t, again, result, nil); string(got.state) != string(m.state) ||
				got.result.Await != m.result.Await || got.result.Winner != m.result.Winner ||
				got.result.Over != m.result.Over || got.result.Reason != m.result.Reason {
				t.Fatalf("seed %d, after %d steps: %+v %s, want %+v %s", seed, steps, result, got.state,
					m.result, m.state)
			}
			s.restoreDamaged(t, steps, m.state)
			s.playOn(t, again, r, steps)
			copied := g.(engine.Restorer).Copy()
			if steps < len(r.inputs) {
				g.Step(r.inputs[steps])
			}
			s.playOn(t, copied, r, steps)
		}
	}
}

// restoreDamaged checks that a state which was cut is refused, and that a game goes on from each
// damaged state that is not.
func (s *suite) restoreDamaged(t *testing.T, steps int, state []byte) {
	t.Helper()
	g := s.newGame().(engine.Restorer)
	if _, err := g.Restore(s.Setup, steps, state[:len(state)/2]); err == nil {
		t.Fatalf("half a state is accepted: %s", state)
	}
	rnd := rand.New(rand.NewPCG(uint64(steps), 4))
	for range 5 {
		damaged := bytes.Clone(state)
		for range 1 + rnd.IntN(3) {
			damaged[rnd.IntN(len(damaged))] = "0123456789-{}[],"[rnd.IntN(16)]
		}
		if result, err := g.Restore(s.Setup, steps, damaged); err == nil {
			s.observe(t, g, result, nil)
			for p := range engine.PlayerID(s.players()) {
				inputs := []engine.Input{{Player: p, Actions: s.Act(rnd, state, p)}}
				s.observe(t, g, g.Step(inputs), inputs)
			}
		}
	}
}

// played is how many steps are compared after a restored state: as many as a bomb's longest delay
// and more, and fewer than make the suite slow.
const played = 6

func (s *suite) playOn(t *testing.T, g engine.Game, r recording, steps int) {
	t.Helper()
	for n := steps; n < min(steps+played, len(r.inputs)); n++ {
		got := s.observe(t, g, g.Step(clone(r.inputs[n])), r.inputs[n])
		want := r.moments[n+1]
		got.tallies = want.tallies // of what a state does not show
		if diff := got.diff(want); diff != "" {
			t.Fatalf("restored after %d steps, step %d: %s", steps, n+1, diff)
		}
	}
}
