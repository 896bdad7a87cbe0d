package hextictactoe

import (
	"flag"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

var update = flag.Bool("update", false, "write the golden states")

// goldenStates holds the first and the last state of some games, one a line. tools/schemas checks
// them against the JSON Schema.
const goldenStates = "testdata/states.jsonl"

func readModel(t *testing.T) *model.Model {
	t.Helper()
	m, err := model.Read(os.DirFS("."), "model.json")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// mustConform fails the test if a value is not of a type of the model.
func mustConform(t *testing.T, m *model.Model, name string, text []byte) {
	t.Helper()
	if err := (model.Checker{Model: m}).Check(model.Type{Kind: model.Named, Name: name}, jsonscan.Value(text)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// The states of random games, and the moves that lead to them, are as model.json says; so are
// all ways in which a game can end.
func TestModelOfStates(t *testing.T) {
	m := readModel(t)
	var states []byte
	ended := map[string]bool{}
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, kind := range m.Type("ClockType").Values {
		for game := range 20 {
			o := Defaults()
			o.WinDistance, o.TurnLimit = 3, 1+rnd.IntN(8)
			if o.Clock.Kind = ClockKind(kind); kind != "none" {
				o.Clock.Base = 1000
			}
			g := start(t, o, 100)
			first := g.AppendState(nil)
			mustConform(t, m, m.State, first)
			playAtRandom(t, m, rnd, g)
			ended[g.status()] = true
			if game < 3 {
				states = append(append(states, first...), '\n')
				states = append(g.AppendState(states), '\n')
			}
		}
	}
	for _, status := range m.Type("Status").Values {
		if !ended[status] && status != "in_progress" {
			t.Errorf("no game has ended as %s", status)
		}
	}
	if *update {
		if err := os.WriteFile(goldenStates, states, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(goldenStates); err != nil || string(want) != string(states) {
		t.Errorf("the states are not those of %s (%v); -update writes them", goldenStates, err)
	}
}

// playAtRandom plays a game to its end, and checks its actions and states.
func playAtRandom(t *testing.T, m *model.Model, rnd *rand.Rand, g *Game) {
	t.Helper()
	for !g.over {
		actions := moveOf(randomCell(rnd, &g.board, 2), randomCell(rnd, &g.board, 2))
		mustConform(t, m, m.Action, actions[1:len(actions)-1])
		in := engine.Input{Player: g.ToMove().Player(), Actions: actions}
		if rnd.IntN(20) == 0 {
			in.Lapse = engine.Gone
		}
		g.Step([]engine.Input{in})
		mustConform(t, m, m.State, g.AppendState(nil))
	}
}

// An answer that is no action of the model forfeits the game.
func TestModelOfActions(t *testing.T) {
	m := readModel(t)
	for _, bad := range []string{
		`{}`, `{"pieces":1}`, `{"pieces":[]}`, `{"pieces":[{"q":1}]}`, `{"pieces":["x"]}`,
		`{"pieces":[{"q":1,"r":1},{"q":1,"r":2},{"q":1,"r":3}]}`,
	} {
		_, forfeit, _ := readMove(&engine.Input{Actions: []byte("[" + bad + "]")})
		err := (model.Checker{Model: m}).Check(model.Type{Kind: model.Named, Name: m.Action},
			jsonscan.Value(bad))
		if forfeit == "" || err == nil {
			t.Errorf("%s: forfeit %q, error of the model %v", bad, forfeit, err)
		}
	}
}
