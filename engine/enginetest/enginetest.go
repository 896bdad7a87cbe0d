// Package enginetest holds the test suite for implementations of [engine.Game] and
// a toy game that uses the parts of the contract that hexabomb does not. Only tests
// import it.
package enginetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hexarena/hexarena/engine"
)

// Options configures the suite for the game under test.
type Options struct {
	Setup engine.Setup // a setup that Start accepts

	// Refused lists setups that Start must refuse. Setups with negative numbers or
	// with an absurd number of players are tried anyway.
	Refused []engine.Setup

	// Act returns an array of actions for p that makes sense in that state, at least
	// most of the time. The suite adds the invalid input itself.
	Act func(rnd *rand.Rand, state []byte, p engine.PlayerID) []byte

	Turns int // length of the test games; 0 means 50
}

// Run runs the whole suite; newGame returns a fresh game each time.
func Run(t *testing.T, newGame func() engine.Game, o Options) {
	if o.Turns == 0 {
		o.Turns = 50
	}
	s := suite{newGame: newGame, Options: o}
	t.Run("Start", s.testStart)
	t.Run("StartError", s.testStartError)
	t.Run("FirstStep", s.testFirstStep)
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
	if _, ok := newGame().(engine.Restorer); ok {
		t.Run("Restore", s.testRestore)
	}
}

type suite struct {
	newGame func() engine.Game
	Options
}

// moment holds everything that can be observed of a game after a step.
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

// observe records what a game shows and checks what must hold of every game.
func (s *suite) observe(
	t *testing.T, g engine.Game, result engine.Result, inputs []engine.Input,
) moment {
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
	if explainer, ok := g.(engine.Explainer); ok {
		checkExplained(t, explainer, result.Refused, inputs)
	}
	return m
}

// mostExplained is the most bytes of an explanation: lines of bots' logs are cut at 512.
const mostExplained = 400

func checkExplained(
	t *testing.T, g engine.Explainer, refused []engine.Refusal, inputs []engine.Input,
) {
	t.Helper()
	for i := range refused {
		in := &inputs[refused[i].Input]
		why := g.Explain(in, &refused[i])
		oneLine := utf8.ValidString(why) && !strings.ContainsAny(why, "\r\n")
		if !oneLine || len(why) > mostExplained {
			t.Fatalf("it explains %+v of %.200q by %q", refused[i], in.Actions, why)
		}
	}
}

func (s *suite) checkRefused(t *testing.T, refused []engine.Refusal, inputs []engine.Input) {
	t.Helper()
	// of the arrays of actions; 0 for anything that is not an array
	lengths := make([]int, len(inputs))
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

// recording is a played game: its inputs and what came of them.
type recording struct {
	inputs  [][]engine.Input
	moments []moment // one more than inputs: the first is after Start
}

// record plays a game of valid and invalid input.
func (s *suite) record(t *testing.T, seed uint64) (r recording) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 2))
	g, result := s.start(t)
	r.moments = append(r.moments, s.observe(t, g, result, nil))
	for turn := range s.Turns {
		state := r.moments[turn].state
		inputs := s.someInputs(rnd, turn, state, result.Await)
		result = g.Step(clone(inputs))
		r.inputs = append(r.inputs, inputs)
		r.moments = append(r.moments, s.observe(t, g, result, inputs))
	}
	return r
}

// someInputs returns answers of most of the players, in random order, some of them
// twice.
func (s *suite) someInputs(
	rnd *rand.Rand, turn int, state []byte, await engine.PlayerSet,
) (inputs []engine.Input) {
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
	"", " ", "[", "]", "{}", "null", "[null]", "[[],{},0,\"\",true,1e999]", "[{\"id\":{}}]", "[1,2",
	"\xff\xfe", "[{}]]",
	"[{\"a\":\"\\u12\"}]", "[{\"\":0,\"\":1}]", "[\x00]", "[-]", "[1e400]",
	"[{\"id\":99999999999999999999}]",
}

// nonsense returns an invalid input derived from a valid one.
func (s *suite) nonsense(rnd *rand.Rand, actions []byte) engine.Input {
	ids := []engine.PlayerID{0, 0, 0, -1, -2147483648, 2147483647, engine.PlayerID(s.players())}
	turns := []int{0, -1, math.MaxInt, math.MinInt}
	micros := []int64{0, -1, math.MaxInt64, math.MinInt64}
	in := engine.Input{
		Player: ids[rnd.IntN(len(ids))],
		Turn:   turns[rnd.IntN(len(turns))],
		Lapse:  engine.Lapse(rnd.IntN(5)), // the largest is not a valid lapse
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
