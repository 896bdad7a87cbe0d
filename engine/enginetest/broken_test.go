package enginetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

// broken is a toy game that breaks the contract in one way. Each function that is
// not nil replaces the toy's method.
type broken struct {
	engine.Game
	step  func(g engine.Game, inputs []engine.Input) engine.Result
	state func(g engine.Game, b []byte) []byte
	delta func(g engine.Game, b []byte) []byte
	tally func(g engine.Game, dst []engine.Count, p engine.PlayerID) []engine.Count
}

func (g broken) Step(inputs []engine.Input) engine.Result {
	if g.step != nil {
		return g.step(g.Game, inputs)
	}
	return g.Game.Step(inputs)
}

func (g broken) AppendState(b []byte) []byte {
	if g.state != nil {
		return g.state(g.Game, b)
	}
	return g.Game.AppendState(b)
}

func (g broken) AppendDelta(b []byte) []byte {
	if g.delta != nil {
		return g.delta(g.Game, b)
	}
	return g.Game.AppendDelta(b)
}

func (g broken) AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count {
	if g.tally != nil {
		return g.tally(g.Game, dst, p)
	}
	return g.Game.AppendTally(dst, p)
}

// breaches lists the ways to break the contract, each with the part of the suite
// that must detect it.
var breaches = []struct {
	name, caughtBy string
	make           func() broken
}{
	{"draws its own random numbers", "Determinism", func() broken {
		return broken{step: func(g engine.Game, in []engine.Input) engine.Result {
			if rand.IntN(3) == 0 {
				in = nil
			}
			return g.Step(in)
		}}
	}},
	{"takes the first step for missed moves", "FirstStep", func() broken {
		return broken{step: func(g engine.Game, in []engine.Input) engine.Result {
			r := g.Step(in)
			if len(in) == 0 {
				r.Over, r.Await, r.Reason = true, engine.NoOne, "forfeit"
			}
			return r
		}}
	}},
	{"modifies its inputs", "InputsAreOnlyRead", func() broken {
		return broken{step: func(g engine.Game, in []engine.Input) engine.Result {
			r := g.Step(in)
			for i := range in {
				in[i].Turn++
			}
			return r
		}}
	}},
	{"retains its inputs", "InputsAreOnlyRead", func() broken {
		var kept []engine.Input
		return broken{
			step: func(g engine.Game, in []engine.Input) engine.Result {
				kept = in
				return g.Step(in)
			},
			delta: func(_ engine.Game, b []byte) []byte {
				return fmt.Appendf(b, `{"inputs":%q}`, fmt.Sprint(kept))
			},
		}
	}},
	{"changes when it is inspected", "Replay", func() broken {
		return broken{state: func(g engine.Game, b []byte) []byte {
			defer g.Step([]engine.Input{{Player: 0, Actions: []byte(`[{"take":1}]`)}})
			return g.AppendState(b)
		}}
	}},
	{"panics on garbage", "IllegalInput", func() broken {
		return broken{step: func(g engine.Game, in []engine.Input) engine.Result {
			for _, in := range in {
				_ = in.Actions[0]
			}
			return g.Step(in)
		}}
	}},
	{"refuses an action that does not exist", "IllegalInput", func() broken {
		return broken{step: func(g engine.Game, in []engine.Input) engine.Result {
			r := g.Step(in)
			r.Refused = append(r.Refused, engine.Refusal{Player: 0, Input: len(in), Reason: "no"})
			return r
		}}
	}},
	{"overwrites the buffer it appends to", "Append", func() broken {
		return broken{state: func(g engine.Game, b []byte) []byte { return g.AppendState(b[:0]) }}
	}},
	{"writes line feeds", "Start", func() broken {
		return broken{delta: func(_ engine.Game, b []byte) []byte { return append(b, "{\n}"...) }}
	}},
	{"does not write an object", "Start", func() broken {
		return broken{state: func(_ engine.Game, b []byte) []byte { return append(b, "null"...) }}
	}},
	{"has tallies for some players only", "Tally", func() broken {
		return broken{tally: func(g engine.Game, dst []engine.Count, p engine.PlayerID) []engine.Count {
			if p == 1 {
				return dst
			}
			return g.AppendTally(dst, p)
		}}
	}},
	{"continues after the end", "Over", func() broken {
		steps := 0
		return broken{
			step: func(g engine.Game, in []engine.Input) engine.Result {
				steps++
				return g.Step(in)
			},
			state: func(g engine.Game, b []byte) []byte {
				b = g.AppendState(b)
				return fmt.Appendf(bytes.TrimSuffix(b, []byte("}")), `,"steps":%d}`, steps)
			},
		}
	}},
}

const breachVariable = "ENGINETEST_BREACH"

// TestSuiteDetects runs the suite on each broken game. The suite fails there, so
// each run has its own process.
func TestSuiteDetects(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, breach := range breaches {
		t.Run(breach.name, func(t *testing.T) {
			cmd := exec.Command(self, "-test.run", "^TestBroken$/^"+breach.caughtBy+"$")
			cmd.Env = append(os.Environ(), breachVariable+"="+breach.name)
			out, err := cmd.CombinedOutput()
			caught := strings.Contains(string(out), "--- FAIL: TestBroken/"+breach.caughtBy) ||
				strings.Contains(string(out), "panic: ")
			if err == nil || !caught {
				t.Errorf("%s does not detect a game that %s: %v\n%s", breach.caughtBy, breach.name, err, out)
			}
		})
	}
}

// TestBroken is the test that TestSuiteDetects starts; run on its own it skips.
func TestBroken(t *testing.T) {
	for _, breach := range breaches {
		if breach.name == os.Getenv(breachVariable) {
			Run(t, func() engine.Game {
				g := breach.make()
				g.Game = NewToy()
				return g
			}, toyOptions())
		}
	}
}
