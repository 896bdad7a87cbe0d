package host_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/session"
)

// logicState is a state that a game logic can be in.
type logicState uint8

const (
	logicLogged logicState = iota // the match has not started
	logicInit                     // DO_INIT was sent
	logicWaits                    // before the first DO_TURN
	logicTurn                     // DO_TURN was sent
	logicWaits2                   // the players think
	// the players think, and the answer to the next DO_TURN has arrived
	logicAnswered
	logicStates
)

func (s logicState) String() string {
	return [...]string{
		"logged", "asked for the board", "before the first turn", "asked for a turn",
		"while players think", "answered early",
	}[s]
}

// nextTurnDelay is the time to the next turn in states where the test waits for it.
const nextTurnDelay = 50 * time.Millisecond

// enter brings a game logic into a state, with a visualization connected.
func (s logicState) enter(t *testing.T) (h *testHost, logic, visu *servertest.Client) {
	t.Helper()
	first, every := time.Duration(0), nextTurnDelay
	switch s {
	case logicWaits:
		first = nextTurnDelay
	case logicAnswered:
		every = time.Hour // the next DO_TURN would consume the answer
	}
	h = openLogic(t, 0, host.Spec{
		Settings: match.Settings{Turns: 10, Visus: 1},
		Pace:     func(match.Settings) match.Pace { return match.Timer(first, every) },
	})
	logic, visu = servertest.LoginLogic(t, h.addr), h.login("visu", "visualization")
	if s >= logicInit {
		h.start()
		logic.Expect("DO_INIT")
	}
	if s >= logicWaits {
		logic.AckInit(`{"turn":0}`)
		visu.Expect("GAME_STARTS")
	}
	if s >= logicTurn {
		logic.Expect("DO_TURN")
	}
	if s >= logicWaits2 {
		logic.AckTurn(-1, `{"turn":1}`)
		visu.Expect("TURN")
		visu.Answer(0, "")
	}
	if s >= logicAnswered {
		logic.AckTurn(-1, `{"turn":2}`)
	}
	return h, logic, visu
}

// logicMessage is a message that a game logic may send.
type logicMessage struct {
	name, send string // send is the content of a frame; otherwise raw is sent unframed
	raw        []byte
	end        bool // closes the connection afterwards
	unreadable string
	init, turn string // the faults of the message as DO_INIT_ACK and as DO_TURN_ACK
}

func (m logicMessage) write(c *servertest.Client) {
	if m.raw != nil {
		c.Write(m.raw)
	} else {
		c.Send("%s", m.send)
	}
	if m.end {
		c.Conn.(interface{ CloseWrite() error }).CloseWrite()
	}
}

func wrongType(got, want string) string {
	return fmt.Sprintf("Received '%s' message type, while %s was expected", got, want)
}

var logicMessages = []logicMessage{
	{name: "DO_INIT_ACK", send: `{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":{}}}`, turn: wrongType(
		"DO_INIT_ACK", "DO_TURN_ACK")},
	{name: "DO_TURN_ACK", send: `{"message_type":"DO_TURN_ACK","winner_player_id":-1.9,"game_state":{"all_clients":{}}}`, init: wrongType(
		"DO_TURN_ACK", "DO_INIT_ACK")},
	{
		name: "DO_INIT_ACK without a state", send: `{"message_type":"DO_INIT_ACK"}`,
		init: "Field 'initial_game_state' is missing", turn: wrongType("DO_INIT_ACK", "DO_TURN_ACK"),
	},
	{
		name: "DO_INIT_ACK with a state for no client",
		send: `{"message_type":"DO_INIT_ACK","initial_game_state":{}}`,
		init: "Field 'all_clients' is missing", turn: wrongType("DO_INIT_ACK", "DO_TURN_ACK"),
	},
	{
		name: "DO_INIT_ACK with an array for a state",
		send: `{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":[]}}`,
		init: "Non-object value for field 'all_clients'", turn: wrongType("DO_INIT_ACK", "DO_TURN_ACK"),
	},
	{
		name: "DO_TURN_ACK without a winner",
		send: `{"message_type":"DO_TURN_ACK","game_state":{"all_clients":{}}}`,
		init: wrongType("DO_TURN_ACK", "DO_INIT_ACK"), turn: "Field 'winner_player_id' is missing",
	},
	{
		name: "DO_TURN_ACK with a text for a winner",
		send: `{"message_type":"DO_TURN_ACK","winner_player_id":"0","game_state":{"all_clients":{}}}`,
		init: wrongType("DO_TURN_ACK", "DO_INIT_ACK"),
		turn: "Non-integral value for field 'winner_player_id'",
	},
	{
		name: "DO_TURN_ACK with a winner that does not exist",
		send: `{"message_type":"DO_TURN_ACK","winner_player_id":0,"game_state":{"all_clients":{}}}`,
		init: wrongType("DO_TURN_ACK", "DO_INIT_ACK"), turn: "Invalid winner_player_id: Not in [-1, 0[",
	},
	{
		name: "DO_TURN_ACK with null for a state",
		send: `{"message_type":"DO_TURN_ACK","winner_player_id":-1,"game_state":null}`,
		init: wrongType("DO_TURN_ACK", "DO_INIT_ACK"), turn: "Non-object value for field 'game_state'",
	},
	{
		name: "LOGIN",
		send: `{"message_type":"LOGIN","nickname":"x","role":"game logic","metaprotocol_version":"2.0.0"}`,
		init: wrongType("LOGIN", "DO_INIT_ACK"), turn: wrongType("LOGIN", "DO_TURN_ACK"),
	},
	{
		name: "TURN_ACK", send: `{"message_type":"TURN_ACK","turn_number":0,"actions":[]}`,
		init: wrongType("TURN_ACK", "DO_INIT_ACK"), turn: wrongType("TURN_ACK", "DO_TURN_ACK"),
	},
	{
		name: "KICK", send: `{"message_type":"KICK","kick_reason":"no, you"}`,
		init: wrongType("KICK", "DO_INIT_ACK"), turn: wrongType("KICK", "DO_TURN_ACK"),
	},
	{name: "null", send: "null", init: "Field 'message_type' is missing", turn: "Field 'message_type' is missing"},
	{name: "garbage", send: "garbage", unreadable: "Non-JSON message received"},
	{name: "nothing", raw: []byte{0, 0, 0, 0}, unreadable: "Non-JSON message received"},
	{name: "a huge length", raw: []byte{0, 0, 0, 1}, unreadable: "Received message size is too big: " +
		"16777216 does not fit in 24 bits"},
	{name: "half a message and the end", raw: []byte{
		9, 0, 0, 0, '{',
	}, end: true, unreadable: "Remote endpoint closed? Read error: unexpected EOF"},
	{name: "the end", raw: []byte{}, end: true, unreadable: "Remote endpoint closed? Read error: EOF"},
}

// wanted returns the reason of the kick for a message, or "" if it is accepted.
func (m logicMessage) wanted(s logicState) string {
	what, fault := "DO_TURN_ACK", m.turn
	if s == logicInit {
		what, fault = "DO_INIT_ACK", m.init
	}
	switch {
	case s == logicLogged && m.unreadable != "":
		return "Game logic error. " + m.unreadable
	case s == logicLogged:
		return "Received a game logic message but the game has not started"
	case m.unreadable != "" && (s != logicAnswered || m.unreadable != "Non-JSON message received"):
		return "Cannot read " + what + ". " + m.unreadable
	case s == logicAnswered:
		return "Received a second DO_TURN_ACK before the DO_TURN"
	case fault != "":
		return "Invalid " + what + " message. " + fault
	}
	return accepted
}

// Every message of a game logic in every state.
func TestEveryLogicMessageInEveryState(t *testing.T) {
	thorough.Long(t)
	for s := range logicStates {
		for _, m := range logicMessages {
			t.Run(fmt.Sprintf("%v/%s", s, m.name), func(t *testing.T) {
				t.Parallel()
				h, logic, visu := s.enter(t)
				m.write(logic)
				want := m.wanted(s)
				if want == accepted {
					if s == logicInit {
						visu.Expect("GAME_STARTS")
					} else {
						visu.Expect("TURN")
					}
				}
				if want == accepted {
					h.stop()
					want = "netorcai abort"
				}
				if got := logic.Until("KICK"); got.Reason != want {
					t.Errorf("the game logic is kicked for %q, want %q", got.Reason, want)
				}
				if got := visu.Until("KICK"); got.Reason != "netorcai abort" {
					t.Errorf("the visualization is kicked for %q", got.Reason)
				}
				logic.Close()
				visu.Close()
				if e := h.end(); errors.Is(e.Err, session.ErrLogicFailed) != (want != "netorcai abort") {
					t.Errorf("match ended with %v", e.Err)
				}
			})
		}
	}
}

// After the match, messages of the game logic are ignored.
func TestEveryLogicMessageAfterTheEnd(t *testing.T) {
	for _, m := range logicMessages {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			h := openLogic(t, 0, host.Spec{Settings: match.Settings{Turns: 1}})
			logic := servertest.LoginLogic(t, h.addr)
			h.start()
			logic.Expect("DO_INIT")
			logic.AckInit(`{}`)
			logic.Expect("DO_TURN")
			logic.AckTurn(-1, `{}`)
			m.write(logic)
			logic.ExpectKick("Game is finished")
			logic.Close()
			if e := h.end(); e.Err != nil {
				t.Errorf("match ended with %v", e.Err)
			}
		})
	}
}

// A game logic may take any time for a turn, unless a timeout is set.
func TestSilentLogic(t *testing.T) {
	thorough.Long(t)
	h := openLogic(t, nextTurnDelay, host.Spec{Settings: match.Settings{Turns: 2, Visus: 1}})
	logic, visu := servertest.LoginLogic(t, h.addr), h.login("visu", "visualization")
	h.start()
	logic.Expect("DO_INIT")
	logic.AckInit(`{}`)
	logic.Expect("DO_TURN")
	logic.ExpectKick("Did not receive DO_TURN_ACK after 50ms.")
	visu.Expect("GAME_STARTS")
	visu.ExpectKick("netorcai abort")
	logic.Close()
	visu.Close()
	if e := h.end(); !errors.Is(e.Err, session.ErrLogicFailed) {
		t.Errorf("match ended with %v", e.Err)
	}
}
