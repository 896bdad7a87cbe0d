package enginetest

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

func (s *suite) testStart(t *testing.T) {
	g, result := s.start(t)
	if g.Rules() == "" || g.Rules() != s.newGame().Rules() {
		t.Errorf("Rules() = %q, want a name that is the same for all games", g.Rules())
	}
	s.observe(t, g, result, nil)
}

// testFirstStep checks that a game does not end because the first step has no inputs: no player
// was asked yet.
func (s *suite) testFirstStep(t *testing.T) {
	g, started := s.start(t)
	if m := s.observe(t, g, g.Step(nil), nil); s.Setup.Turns > 1 && !started.Over && m.result.Over {
		t.Errorf(
			"the first step without inputs ends the game (%s), want it to go on: no player was asked yet",
			m.result.Reason)
	}
}

// testStartError checks that a game whose Start failed can still be called.
func (s *suite) testStartError(t *testing.T) {
	refused := append([]engine.Setup{
		{Players: -1}, {Players: s.Setup.Players, Specials: -1}, {Players: 1 << 30}, {Specials: 1 << 30},
	}, s.Refused...)
	for _, setup := range refused {
		g := s.newGame()
		if result, err := g.Start(setup); err == nil {
			t.Errorf("Start(%+v) = %+v, want an error", setup, result)
			continue
		}
		g.Step([]engine.Input{{Player: 0, Actions: []byte("[{}]")}, {Player: -1}})
		checkObject(t, "AppendState", g.AppendState(nil))
		checkObject(t, "AppendDelta", g.AppendDelta(nil))
		g.AppendTally(nil, 0)
	}
}

func (s *suite) testDeterminism(t *testing.T) {
	for seed := range uint64(5) {
		first, second := s.record(t, seed), s.record(t, seed)
		compare(t, second.moments, first.moments)
	}
}

// testInputsAreOnlyRead checks that Step neither modifies nor retains its inputs:
// it overwrites them after each step.
func (s *suite) testInputsAreOnlyRead(t *testing.T) {
	r := s.record(t, 6)
	g, result := s.start(t)
	moments := []moment{s.observe(t, g, result, nil)}
	for _, inputs := range r.inputs {
		given := clone(inputs)
		result := g.Step(given)
		if !reflect.DeepEqual(given, clone(inputs)) {
			t.Fatalf("Step modified its inputs: %v, want %v", given, inputs)
		}
		for i := range given {
			for j := range given[i].Actions {
				given[i].Actions[j] = '#'
			}
			given[i] = engine.Input{Player: -7, Turn: -7}
		}
		moments = append(moments, s.observe(t, g, result, inputs))
	}
	compare(t, moments, r.moments)
}

// testReplay replays a recorded game and skips most states: reading a game's state
// must not change how it continues.
func (s *suite) testReplay(t *testing.T) {
	for seed := range uint64(5) {
		r := s.record(t, 100+seed)
		g, _ := s.start(t)
		for turn, inputs := range r.inputs {
			result := g.Step(inputs)
			if turn%7 == 3 || turn == len(r.inputs)-1 {
				m := s.observe(t, g, result, inputs)
				if diff := m.diff(r.moments[turn+1]); diff != "" {
					t.Fatalf("seed %d, step %d: %s", seed, turn, diff)
				}
			}
		}
	}
}

// testIllegalInput plays games whose input is nothing but nonsense.
func (s *suite) testIllegalInput(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for range 10 {
		g, _ := s.start(t)
		for range s.Turns {
			var inputs []engine.Input
			for range rnd.IntN(6) {
				actions := s.Act(rnd, g.AppendState(nil), 0)
				inputs = append(inputs, s.nonsense(rnd, actions))
			}
			if len(inputs) > 0 {
				inputs = append(inputs, inputs[0])
			}
			s.observe(t, g, g.Step(inputs), inputs)
		}
	}
}

// testAppend checks that the Append methods keep the bytes before them and can be
// called any number of times.
func (s *suite) testAppend(t *testing.T) {
	r := s.record(t, 7)
	g, _ := s.start(t)
	prefix := []byte("before")
	buf := make([]byte, 0, 16)
	for turn, inputs := range r.inputs {
		want := r.moments[turn+1]
		g.Step(inputs)
		for range 2 {
			for _, part := range []struct {
				name   string
				append func([]byte) []byte
				want   []byte
			}{{"AppendState", g.AppendState, want.state}, {"AppendDelta", g.AppendDelta, want.delta}} {
				buf = part.append(append(buf[:0], prefix...))
				if tail, ok := bytes.CutPrefix(buf, prefix); !ok || !bytes.Equal(tail, part.want) {
					t.Fatalf("step %d: %s after %q = %q, want %q", turn, part.name, prefix, buf, part.want)
				}
			}
		}
	}
}

// testTally checks that every player, unknown ones included, has the same counts.
func (s *suite) testTally(t *testing.T) {
	var names []string
	check := func(counts []engine.Count) {
		t.Helper()
		var got []string
		for _, c := range counts {
			got = append(got, c.Name)
		}
		if names == nil {
			names = got
		}
		if len(got) == 0 || !reflect.DeepEqual(got, names) {
			t.Fatalf("a tally has the names %q, want %q", got, names)
		}
	}
	for _, m := range s.record(t, 8).moments {
		for _, counts := range m.tallies {
			check(counts)
		}
	}
	g, _ := s.start(t)
	for _, p := range []engine.PlayerID{engine.NoPlayer, engine.PlayerID(s.players()), 1 << 30} {
		check(g.AppendTally(nil, p))
	}
	kept := []engine.Count{{Name: "kept", Value: 1}}
	if got := g.AppendTally(kept, 0); len(got) != 1+len(names) || got[0] != kept[0] {
		t.Errorf("AppendTally(%v) = %v, want the tally appended", kept, got)
	}
}

// testOver checks that steps after the end change nothing.
func (s *suite) testOver(t *testing.T) {
	for seed := range uint64(20) {
		r := s.record(t, 200+seed)
		for i := 1; i < len(r.moments); i++ {
			before, m := r.moments[i-1], r.moments[i]
			if !before.result.Over {
				continue
			}
			before.delta, before.result.Refused = m.delta, m.result.Refused
			if diff := m.diff(before); diff != "" {
				t.Fatalf("seed %d, step %d after the end: %s", seed, i, diff)
			}
			if m.result.Await != engine.NoOne {
				t.Fatalf("seed %d, step %d after the end awaits %d, want no one", seed, i, m.result.Await)
			}
		}
	}
}

func compare(t *testing.T, got, want []moment) {
	t.Helper()
	for i := range want {
		if diff := got[i].diff(want[i]); diff != "" {
			t.Fatalf("step %d: %s", i, diff)
		}
	}
}
