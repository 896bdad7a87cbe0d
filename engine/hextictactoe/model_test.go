package hextictactoe

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/protocol/netorcai/model"
)

// The states of random games, and the moves that lead to them, are as model.json says; so are
// all ways in which a game can end.
func TestModelOfStatesAndActions(t *testing.T) {
	m, err := model.Read(os.DirFS("."), "model.json")
	if err != nil {
		t.Fatal(err)
	}
	check := func(name string, text []byte) {
		t.Helper()
		if err := m.Check(model.Type{Kind: model.Named, Name: name}, jsonscan.Value(text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	ended := map[string]bool{}
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, kind := range m.Type("ClockType").Values {
		for range 20 {
			o := Defaults()
			o.WinDistance, o.TurnLimit = 3, 1+rnd.IntN(8)
			if o.Clock.Kind = ClockKind(kind); kind != "none" {
				o.Clock.Base = 1000
			}
			g := start(t, o, 100)
			check(m.State, g.AppendState(nil))
			for !g.over {
				actions := moveOf(randomCell(rnd, &g.board, 2), randomCell(rnd, &g.board, 2))
				check(m.Action, actions[1:len(actions)-1])
				in := engine.Input{Player: g.ToMove().Player(), Actions: actions}
				if rnd.IntN(20) == 0 {
					in.Lapse = engine.Gone
				}
				g.Step([]engine.Input{in})
				check(m.State, g.AppendState(nil))
			}
			ended[g.status()] = true
		}
	}
	for _, status := range m.Type("Status").Values {
		if !ended[status] && status != "in_progress" {
			t.Errorf("no game has ended as %s", status)
		}
	}
	for _, bad := range []string{
		`{}`, `{"pieces":1}`, `{"pieces":[]}`, `{"pieces":[{"q":1}]}`, `{"pieces":["x"]}`,
		`{"pieces":[{"q":1,"r":1},{"q":1,"r":2},{"q":1,"r":3}]}`,
	} {
		_, forfeit, _ := readMove(&engine.Input{Actions: []byte("[" + bad + "]")})
		err := m.Check(model.Type{Kind: model.Named, Name: m.Action}, jsonscan.Value(bad))
		if forfeit == "" || err == nil {
			t.Errorf("%s: forfeit %q, error of the model %v", bad, forfeit, err)
		}
	}
}
