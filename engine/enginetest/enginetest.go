// Package enginetest holds what every [engine.Game] and its tests are put through,
// and a toy game that shows, and lets others test, what the contract allows beyond
// hexabomb. Only tests import it.
package enginetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine"
)

// Options says how to play the game that is tested.
type Options struct {
	Setup engine.Setup // one that the game starts with

	// Refused are setups that Start refuses. Those with a negative number, or
	// with more players than anybody can seat, need not be listed.
	Refused []engine.Setup

	// Act is an array of actions that makes sense for p in that state, at
	// least often. Everything that makes none is the suite's own business.
	Act func(rnd *rand.Rand, state []byte, p engine.PlayerID) []byte

	Turns int // length of the test games; 50 if it is 0
}

// Run puts games from newGame, each of them fresh, through the whole suite.
func Run(t *testing.T, newGame func() engine.Game, o Options) {
	if o.Turns == 0 {
		o.Turns = 50
	}
	s := suite{newGame: newGame, Options: o}
	t.Run("Start", s.testStart)
	t.Run("StartError", s.testStartError)
	t.Run("Determinism", s.testDeterminism)
	t.Run("InputsAreOnlyRead", s.testInputsAreOnlyRead)
	t.Run("Replay", s.testReplay)
	t.Run("IllegalInput", s.testIllegalInput)
	t.Run("Append", s.testAppend)
	t.Run("Tally", s.testTally)
	t.Run("Over", s.testOver)
	if _, ok := newGame().(engine.Abridger); ok {
		t.Run("Abridged", s.testAbridged)
	}
}

type suite struct {
	newGame func() engine.Game
	Options
}

// moment is all that can be seen of a game after a step.
type moment struct {
	result       engine.Result
	state, delta []byte
	tallies      [][]engine.Count
}

func (s *suite) players() int { return s.Setup.Specials + s.Setup.Players }

func (s *suite) start(t *testing.T) (engine.Game, engine.Result) {
	t.Helper()
	g := s.newGame()
	result, err := g.Start(s.Setup)
	if err != nil {
		t.Fatalf("Start(%+v) = %v", s.Setup, err)
	}
	return g, result
}

// look takes down what a game shows, and checks what holds of any game.
func (s *suite) look(t *testing.T, g engine.Game, result engine.Result, inputs []engine.Input) moment {
	t.Helper()
	m := moment{result: result, state: g.AppendState(nil), delta: g.AppendDelta(nil)}
	m.result.Refused = slices.Clone(result.Refused) // valid until the next step only
	for p := range engine.PlayerID(s.players()) {
		m.tallies = append(m.tallies, g.AppendTally(nil, p))
	}
	checkObject(t, "AppendState", m.state)
	checkObject(t, "AppendDelta", m.delta)
	if p := result.Winner; p < engine.NoPlayer || int(p) >= s.players() {
		t.Fatalf("the winner is %d of %d players", p, s.players())
	}
	if a := result.Await; a < engine.NoOne || int(a) >= s.players() {
		t.Fatalf("it awaits %d of %d players", a, s.players())
	}
	s.checkRefused(t, result.Refused, inputs)
	return m
}

func (s *suite) checkRefused(t *testing.T, refused []engine.Refusal, inputs []engine.Input) {
	t.Helper()
	lengths := make([]int, len(inputs)) // of the arrays of actions, 0 for what is none
	for i, in := range inputs {
		var list []json.RawMessage
		if json.Unmarshal(in.Actions, &list) == nil {
			lengths[i] = len(list)
		}
	}
	for i, r := range refused {
		if r.Input < 0 || r.Input >= len(inputs) {
			t.Fatalf("refused %+v, there are %d inputs", r, len(inputs))
		}
		if r.Action < -1 || r.Action >= lengths[r.Input] {
			t.Fatalf("refused %+v, the actions are %.200q", r, inputs[r.Input].Actions)
		}
		if r.Player != inputs[r.Input].Player || r.Reason == "" {
			t.Fatalf("refused %+v, the input is %d's; a reason is needed", r, inputs[r.Input].Player)
		}
		if i > 0 && refused[i-1].Input > r.Input {
			t.Fatalf("refused %+v after %+v, out of the order of the inputs", r, refused[i-1])
		}
	}
}

func checkObject(t *testing.T, what string, text []byte) {
	t.Helper()
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil || object == nil {
		t.Fatalf("%s = %.200q, want a JSON object (%v)", what, text, err)
	}
	if bytes.ContainsAny(text, "\r\n") {
		t.Fatalf("%s holds a line feed: %.200q", what, text)
	}
}

func (m moment) diff(other moment) string {
	switch {
	case !bytes.Equal(m.state, other.state):
		return fmt.Sprintf("state %s, want %s", m.state, other.state)
	case !bytes.Equal(m.delta, other.delta):
		return fmt.Sprintf("delta %s, want %s", m.delta, other.delta)
	case !reflect.DeepEqual(m.tallies, other.tallies):
		return fmt.Sprintf("tallies %v, want %v", m.tallies, other.tallies)
	case !slices.Equal(m.result.Refused, other.result.Refused):
		return fmt.Sprintf("refused %v, want %v", m.result.Refused, other.result.Refused)
	}
	m.result.Refused, other.result.Refused = nil, nil
	if !reflect.DeepEqual(m.result, other.result) {
		return fmt.Sprintf("result %+v, want %+v", m.result, other.result)
	}
	return ""
}

// recording is a game that was played: what went in and what came out.
type recording struct {
	inputs  [][]engine.Input
	moments []moment // one more than inputs: the first is that of Start
}

// record plays a game of sense and nonsense.
func (s *suite) record(t *testing.T, seed uint64) (r recording) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 2))
	g, result := s.start(t)
	r.moments = append(r.moments, s.look(t, g, result, nil))
	for turn := range s.Turns {
		state := r.moments[turn].state
		inputs := s.someInputs(rnd, turn, state, result.Await)
		result = g.Step(clone(inputs))
		r.inputs = append(r.inputs, inputs)
		r.moments = append(r.moments, s.look(t, g, result, inputs))
	}
	return r
}

// someInputs has the players answer, most of them most of the time, in any
// order, some twice.
func (s *suite) someInputs(rnd *rand.Rand, turn int, state []byte, await engine.PlayerSet) (inputs []engine.Input) {
	for p := range engine.PlayerID(s.players()) {
		if !await.Has(p) && rnd.IntN(10) > 0 {
			continue
		}
		for range 1 + rnd.IntN(10)/9 {
			in := engine.Input{Player: p, Turn: turn, Actions: s.Act(rnd, state, p)}
			if rnd.IntN(40) == 0 {
				in = s.nonsense(rnd, in.Actions)
			}
			inputs = append(inputs, in)
		}
	}
	rnd.Shuffle(len(inputs), func(i, j int) { inputs[i], inputs[j] = inputs[j], inputs[i] })
	return inputs
}

var garbage = []string{
	"", " ", "[", "]", "{}", "null", "[null]", "[[],{},0,\"\",true,1e999]", "[{\"id\":{}}]", "[1,2", "\xff\xfe", "[{}]]",
	"[{\"a\":\"\\u12\"}]", "[{\"\":0,\"\":1}]", "[\x00]", "[-]", "[1e400]", "[{\"id\":99999999999999999999}]",
}

// nonsense is an input as no player sends it, made of a good one.
func (s *suite) nonsense(rnd *rand.Rand, actions []byte) engine.Input {
	ids := []engine.PlayerID{0, 0, 0, -1, -2147483648, 2147483647, engine.PlayerID(s.players())}
	turns := []int{0, -1, math.MaxInt, math.MinInt}
	micros := []int64{0, -1, math.MaxInt64, math.MinInt64}
	in := engine.Input{
		Player: ids[rnd.IntN(len(ids))],
		Turn:   turns[rnd.IntN(len(turns))],
		Lapse:  engine.Lapse(rnd.IntN(5)), // one of them is none
		Micros: micros[rnd.IntN(len(micros))],
	}
	if s.players() > 0 && rnd.IntN(2) == 0 {
		in.Player = engine.PlayerID(rnd.IntN(s.players()))
		in.Lapse = engine.Answered
	}
	switch actions = bytes.Clone(actions); rnd.IntN(4) {
	case 0:
		in.Actions = []byte(garbage[rnd.IntN(len(garbage))])
	case 1:
		in.Actions = actions[:rnd.IntN(len(actions)+1)]
	case 2:
		for range 1 + rnd.IntN(3) {
			if len(actions) > 0 {
				actions[rnd.IntN(len(actions))] = byte(rnd.Uint32())
			}
		}
		in.Actions = actions
	default:
		in.Actions = slices.Concat([]byte("["), bytes.Repeat([]byte("{},"), 500), []byte("[]]"))
	}
	return in
}

func clone(inputs []engine.Input) []engine.Input {
	inputs = slices.Clone(inputs)
	for i := range inputs {
		inputs[i].Actions = bytes.Clone(inputs[i].Actions)
	}
	return inputs
}
