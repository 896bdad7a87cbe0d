package host_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// replay applies recorded inputs to a game. It returns all states, beginning with the
// initial one, and the winner.
func replay(t *testing.T, g engine.Game, n *inputLog) (states []string, winner engine.PlayerID) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	result, err := g.Start(n.setup)
	if err != nil {
		t.Fatal(err)
	}
	states = append(states, string(g.AppendState(nil)))
	for _, in := range n.inputs {
		result = g.Step(in)
		states = append(states, string(g.AppendState(nil)))
	}
	return states, result.Winner
}

// clientLog holds the messages that a client received.
type clientLog struct {
	start servertest.Message
	turns []servertest.Message
	end   servertest.Message
}

// follow plays a whole match. act answers each TURN.
func follow(t *testing.T, c *servertest.Client, act func(turn int) string) *clientLog {
	s := &clientLog{start: c.Expect("GAME_STARTS")}
	for {
		m, err := c.Receive()
		if err != nil {
			t.Errorf("in the match: %v", err)
			return s
		}
		switch m.Type {
		case "TURN":
			s.turns = append(s.turns, m)
			c.Answer(m.Turn, act(m.Turn))
		case "GAME_ENDS":
			s.end = m
			c.ExpectKick("Game is finished")
			return s
		default:
			t.Errorf("in the match: %s", m.Raw)
			return s
		}
	}
}

// revivedAnywhere returns actions in which every revival names a cell, as the draft rules require.
func revivedAnywhere(rng *rand.Rand, actions string) string {
	cell := fmt.Sprintf(`"movement":"revive","revive_q":%d,"revive_r":%d`, rng.IntN(9)-4,
		rng.IntN(9)-4)
	return strings.ReplaceAll(actions, `"movement":"revive"`, cell)
}

// Four players and a visualization, over both wires, receive exactly the states that
// follow from the inputs in the order of their arrival.
func TestHexabomb(t *testing.T) {
	thorough.Long(t)
	for _, tt := range []struct {
		name     string
		specials int
		game     func(*hexabomb.Board) *hexabomb.Game
	}{
		{"classical", 0, (*hexabomb.Board).NewGame},
		{"sudden death", 1, (*hexabomb.Board).NewGame},
		{"draft", 0, (*hexabomb.Board).NewDraftGame},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const turns = 120
			board, specials := hexabomb.Compile(hexagon(4, 4)), tt.specials
			n := &inputLog{}
			h := open(t, host.Spec{
				Settings:  match.Settings{Turns: turns, Players: 4, Specials: specials, Visus: 1},
				Autostart: true,
				Game:      game(tt.game(board)),
				Watchers:  []match.Watcher{n},
			})
			var stories [6]*clientLog
			var clients sync.WaitGroup
			enter := func(i int, role string, act func(int) string) {
				c := wires[i%len(wires)].login(h, fmt.Sprint("bot", i), role)
				clients.Go(func() { stories[i] = follow(t, c, act) })
			}
			enter(4, "visualization", func(int) string { return "[]" })
			if specials == 1 {
				rng := rand.New(rand.NewPCG(9, 9))
				enter(5, "special player", func(int) string { return servertest.Antics(rng, 6) })
			}
			for i := range 4 {
				rng := rand.New(rand.NewPCG(1, uint64(i)))
				enter(i, "player", func(int) string { return revivedAnywhere(rng, servertest.Antics(rng, 6)) })
			}
			clients.Wait()
			if e := h.end(); e.Err != nil || e.Steps != turns {
				t.Fatalf("match ended with %+v", e)
			}
			states, winner := replay(t, tt.game(board), n)
			if len(states) != turns+1 {
				t.Fatalf("%d states, want %d", len(states), turns+1)
			}
			var ids []int
			for i, s := range stories {
				if s == nil {
					continue
				}
				visu := i == 4
				if !visu {
					ids = append(ids, s.start.PlayerID)
				} else if s.start.PlayerID != -1 || len(s.start.Infos) != 4+specials {
					t.Errorf("visualization: GAME_STARTS %.300s", s.start.Raw)
				}
				if string(s.start.Initial) != states[0] || s.start.Players != 4 ||
					s.start.Specials != specials || s.start.TurnsMax != turns {
					t.Errorf("client %d: GAME_STARTS %.300s", i, s.start.Raw)
				}
				if !visu && len(s.turns) != turns-1 {
					t.Errorf("client %d got %d TURNs, want %d", i, len(s.turns), turns-1)
				}
				for _, m := range s.turns {
					if string(m.State) != states[m.Turn+1] {
						t.Fatalf("client %d, TURN %d:\n%s\nwant\n%s", i, m.Turn, m.State, states[m.Turn+1])
					}
					if visu != (len(m.Infos) == 4+specials) {
						t.Errorf("client %d, TURN %d: %d players_info", i, m.Turn, len(m.Infos))
					}
				}
				if string(s.end.State) != states[turns] || s.end.Winner != int(winner) {
					t.Errorf("client %d: GAME_ENDS with winner %d, want %d, or another state", i, s.end.Winner,
						winner)
				}
			}
			slices.Sort(ids)
			for want, id := range ids {
				if id != want {
					t.Errorf("ids = %v, want 0 to %d", ids, len(ids)-1)
					break
				}
			}
		})
	}
}
