package picture_test

import (
	"testing"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/games/picture"
)

// played returns the turns of a match of built-in bots, preceded by the initial board.
func played(t testing.TB, mapName string, specials, turns int) []picture.Moment {
	t.Helper()
	board, err := maps.Load(mapName)
	if err != nil {
		t.Fatal(err)
	}
	game := hexabomb.New(board)
	setup := engine.Setup{Players: len(board.Starts), Specials: specials, Turns: turns}
	if _, err := game.Start(setup); err != nil {
		t.Fatal(err)
	}
	moments := []picture.Moment{{State: game.AppendState(nil)}}
	var players []bots.Strategy
	for id := range setup.Players + specials {
		s, err := bots.New([]string{"painter", "hunter"}[id%2], uint64(id))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Start(bots.Info{Player: id, Players: setup.Players, Specials: specials, Turns: turns}, moments[0].State); err != nil {
			t.Fatal(err)
		}
		players = append(players, s)
	}
	for step := 1; step <= turns; step++ {
		m := picture.Moment{Step: step}
		for id, s := range players {
			actions, err := s.Turn(step-1, moments[step-1].State, nil)
			if err != nil {
				t.Fatal(err)
			}
			m.Inputs = append(m.Inputs,
				engine.Input{Player: engine.PlayerID(id), Turn: step - 1, Actions: actions})
		}
		m.Refused = append(m.Refused, game.Step(m.Inputs).Refused...)
		m.State = game.AppendState(nil)
		moments = append(moments, m)
	}
	return moments
}

func newDrawing(t testing.TB, mapName string, specials int, o picture.Options) picture.Drawing {
	t.Helper()
	board, err := maps.Load(mapName)
	if err != nil {
		t.Fatal(err)
	}
	match := picture.Match{
		Names: []string{
			"mistral", "kraken", "tiny-lemur", "hexwitch", "orbit", "sunday",
		}[:specials+len(board.Starts)],
		Specials: specials, Turns: 300,
	}
	d, err := picture.NewHexabomb(board, match, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
