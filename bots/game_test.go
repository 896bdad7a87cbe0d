package bots

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
)

// game is a match of strategies under the real rules.
type game struct {
	t       testing.TB
	game    *hexabomb.Game
	setup   engine.Setup
	players []Strategy
	lots    *rand.Rand // chooses the order of arrival
	turn    int        // the number of the next TURN
	state   []byte
	answers [][]byte
	refused []engine.Refusal // of the last turn
}

// newGame starts a match and, like a server, plays one turn without actions. On a map for sudden
// death, the first name may be the special player's, written as "special hunter". The name "idle"
// stands for a player that does nothing. With "draft " before the first name, the match is by the
// draft rules.
func newGame(t testing.TB, m *hexabomb.Map, names ...string) *game {
	t.Helper()
	return newSeededGame(t, m, 7, names...)
}

// newSeededGame is newGame with a seed for the strategies and the order of arrival.
func newSeededGame(t testing.TB, m *hexabomb.Map, seed uint64, names ...string) *game {
	t.Helper()
	g := &game{
		t: t, game: hexabomb.New(m), lots: rand.New(rand.NewPCG(seed, 7)),
		answers: make([][]byte, len(names)),
	}
	g.setup = engine.Setup{Players: len(names), Turns: 300}
	if first, draft := strings.CutPrefix(names[0], "draft "); draft {
		g.game = hexabomb.Compile(m).NewDraftGame()
		names = append([]string{first}, names[1:]...)
	}
	if strings.HasPrefix(names[0], "special ") {
		g.setup.Players, g.setup.Specials = len(names)-1, 1
	}
	if _, err := g.game.Start(g.setup); err != nil {
		t.Fatal(err)
	}
	g.state = g.game.AppendState(nil)
	for id, name := range names {
		name = strings.TrimPrefix(name, "special ")
		if name == "idle" {
			g.players = append(g.players, nil)
			continue
		}
		s, err := New(name, g.lots.Uint64())
		if err != nil {
			t.Fatal(err)
		}
		info := Info{
			Player: id, Players: g.setup.Players, Specials: g.setup.Specials, Turns: g.setup.Turns,
		}
		if err := s.Start(info, g.state); err != nil {
			t.Fatal(err)
		}
		g.players = append(g.players, s)
	}
	g.game.Step(nil)
	g.state = g.game.AppendState(g.state[:0])
	return g
}

// step plays one turn.
func (g *game) step() {
	g.t.Helper()
	var inputs []engine.Input
	for _, id := range g.lots.Perm(len(g.players)) {
		if g.players[id] == nil {
			continue
		}
		answer, err := g.players[id].Turn(g.turn, g.state, g.answers[id][:0])
		if err != nil {
			g.t.Fatal(err)
		}
		g.answers[id] = answer
		inputs = append(inputs, engine.Input{Player: engine.PlayerID(id), Turn: g.turn, Actions: answer})
	}
	g.refused = g.game.Step(inputs).Refused
	g.state = g.game.AppendState(g.state[:0])
	g.turn++
}

func (g *game) play(turns int) {
	g.t.Helper()
	for range turns {
		g.step()
	}
}

// now returns the decoded state.
func (g *game) now() *hexabomb.State {
	g.t.Helper()
	s, err := hexabomb.ParseState(g.state)
	if err != nil {
		g.t.Fatal(err)
	}
	return s
}

// tally returns one figure of a player's tally.
func (g *game) tally(id int, name string) int64 {
	g.t.Helper()
	for _, c := range g.game.AppendTally(nil, engine.PlayerID(id)) {
		if c.Name == name {
			return c.Value
		}
	}
	g.t.Fatalf("no count %q", name)
	return 0
}
