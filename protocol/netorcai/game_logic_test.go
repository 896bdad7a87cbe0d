package netorcai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// tally is a game logic that records its calls.
type tally struct {
	init  DoInit
	turns []string
	fail  error
}

func (g *tally) Init(m DoInit) (DoInitAck, error) {
	g.init = m
	return DoInitAck{State: []byte(`{"turns":0}`)}, g.fail
}

func (g *tally) Turn(players []PlayerActions) (DoTurnAck, error) {
	var text []string
	for _, p := range players {
		text = append(text, fmt.Sprintf("%d@%d %s", p.PlayerID, p.Turn, p.Actions))
	}
	g.turns = append(g.turns, strings.Join(text, ", "))
	state, err := json.Marshal(map[string]int{"turns": len(g.turns)})
	return DoTurnAck{WinnerPlayerID: len(g.turns) % 2, State: state}, err
}

const (
	doInit = `{"message_type":"DO_INIT","nb_players":2,"nb_special_players":1,"nb_turns_max":5}`
	doTurn = `{"message_type":"DO_TURN","player_actions":[{"player_id":1,"turn_number":0,"actions":[7]},{"player_id":0,"turn_number":0,"actions":[]}]}`
)

func TestReferee(t *testing.T) {
	broken := errors.New("broken rules")
	tests := []struct {
		name string
		sent []string
		fail error
		want string // part of the error, empty for none
	}{
		{"a whole match", []string{
			doInit, doTurn, doTurn, `{"message_type":"KICK","kick_reason":"Game is finished"}`,
		}, nil, ""},
		{"an abort", []string{
			doInit, `{"message_type":"KICK","kick_reason":"netorcai abort"}`,
		}, nil, "netorcai abort"},
		{"a message for players", []string{doInit, firstTurn}, nil, "DO_TURN was expected"},
		{"garbage", []string{"garbage"}, nil, "Non-JSON"},
		{"a bad DO_INIT", []string{`{"message_type":"DO_INIT","nb_players":"two"}`}, nil, "nb_players"},
		{"rules that fail", []string{doInit}, broken, broken.Error()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := dial(t, sendTo(nil, append([]string{loginAck}, tt.sent...)...))
			g := &tally{fail: tt.fail}
			err := c.Referee(testContext(t), g)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Referee = %v, want %q", err, tt.want)
			}
			if tt.want != "" {
				return
			}
			if want := (DoInit{NbPlayers: 2, NbSpecialPlayers: 1, NbTurnsMax: 5}); g.init != want {
				t.Errorf("Init(%+v), want %+v", g.init, want)
			}
			if want := []string{"1@0 [7], 0@0 []", "1@0 [7], 0@0 []"}; fmt.Sprint(g.turns) != fmt.Sprint(want) {
				t.Errorf("turns %v, want %v", g.turns, want)
			}
		})
	}
}
