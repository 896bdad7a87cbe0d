package enginetest

import (
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

// testAbridged replays games with each answer that had no effect replaced by its
// abridged form. Only the refusals of the actions left out may differ.
func (s *suite) testAbridged(t *testing.T) {
	const limit = 256
	abridged := 0
	for seed := range uint64(20) {
		r := s.record(t, 300+seed)
		g, _ := s.start(t)
		again, result := s.start(t)
		s.observe(t, again, result, nil)
		for turn, inputs := range r.inputs {
			g.Step(inputs)
			want := r.moments[turn+1]
			less := clone(inputs)
			for i := range inputs {
				in := &inputs[i]
				if in.Lapse != engine.Answered {
					continue
				}
				text, kept, ok := g.(engine.Abridger).AppendAbridged([]byte("before"), i, in, limit)
				if !ok {
					continue
				}
				abridged++
				if text = text[len("before"):]; len(text) > limit {
					t.Fatalf("abridging %.80q gives %d bytes, the limit is %d", in.Actions, len(text), limit)
				}
				less[i].Actions = text
				want.result.Refused = slices.DeleteFunc(slices.Clone(
					want.result.Refused), func(r engine.Refusal) bool {
					return r.Input == i && r.Action >= kept
				})
			}
			m := s.observe(t, again, again.Step(less), less)
			if diff := m.diff(want); diff != "" {
				t.Fatalf("seed %d, step %d: %+v, abridged from %+v: %s", seed, turn, less, inputs, diff)
			}
		}
	}
	if abridged == 0 && s.players() > 0 {
		t.Error("no answer was abridged")
	}
}
