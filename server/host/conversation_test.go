package host_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// states lists the states of a client, and how to reach each.
var states = []struct {
	name  string
	enter func(h *testHost, c *servertest.Client) // c is logged in
	asked int                                     // the newest TURN that it was sent
}{
	{"logged", func(*testHost, *servertest.Client) {}, -1},
	{"ready", func(h *testHost, c *servertest.Client) {
		h.start()
		c.Expect("GAME_STARTS")
	}, -1},
	{"thinking", func(h *testHost, c *servertest.Client) {
		h.room.Match().SetPace(func(match.Settings) match.Pace { return match.Timer(0, time.Hour) })
		h.start()
		c.Expect("GAME_STARTS")
		c.Expect("TURN")
	}, 0},
	{"ready again", func(h *testHost, c *servertest.Client) {
		h.room.Match().SetPace(func(match.Settings) match.Pace { return match.Timer(0, time.Hour) })
		h.start()
		c.Expect("GAME_STARTS")
		c.Expect("TURN")
		c.Answer(0, "")
	}, 0},
}

const (
	accepted    = ""
	notThinking = "Received a TURN_ACK but the client state is not THINKING"
)

// Every message in every state gets the same answer for all roles.
func TestEveryMessageInEveryState(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	messages := []struct {
		name string
		send func(c *servertest.Client, asked int)
		want func(state string, asked int) string
	}{
		{"TURN_ACK", func(c *servertest.Client, asked int) { c.Answer(asked, "") }, func(state string, _ int) string {
			if state == "thinking" {
				return accepted
			}
			return notThinking
		}},
		{"TURN_ACK of another turn", func(c *servertest.Client, asked int) {
			c.Answer(asked+1,
				"")
		}, func(_ string, asked int) string {
			return fmt.Sprintf("Invalid TURN_ACK received. Invalid value (turn_number=%d): expecting %d",
				asked+1, asked)
		}},
		{"TURN_ACK without actions", func(c *servertest.Client, asked int) {
			c.Send(`{"message_type":"TURN_ACK","turn_number":%d}`, asked)
		}, func(string, int) string { return "Invalid TURN_ACK received. Field 'actions' is missing" }},
		{"LOGIN", func(c *servertest.Client, _ int) {
			c.SendLogin("x",
				"player")
		}, func(string, int) string {
			return "Invalid TURN_ACK received. Received 'LOGIN' message type, while TURN_ACK was expected"
		}},
		{"KICK", func(c *servertest.Client, _ int) {
			c.Send(
				`{"message_type":"KICK","kick_reason":"no, you"}`)
		}, func(string, int) string {
			return "Invalid TURN_ACK received. Received 'KICK' message type, while TURN_ACK was expected"
		}},
		{"garbage", func(c *servertest.Client, _ int) { c.Send("garbage") }, func(string, int) string {
			return "Cannot read TURN_ACK. Non-JSON message received"
		}},
		{"nothing", func(c *servertest.Client, _ int) {
			c.Write(
				servertest.Frame(""))
		}, func(string, int) string {
			return "Cannot read TURN_ACK. Non-JSON message received"
		}},
		{"null", func(c *servertest.Client, _ int) { c.Send("null") }, func(string, int) string {
			return "Invalid TURN_ACK received. Field 'message_type' is missing"
		}},
		{"a huge length", func(c *servertest.Client, _ int) {
			c.Write(
				[]byte{0, 0, 0, 1})
		}, func(string, int) string {
			return "Cannot read TURN_ACK. Received message size is too big: 16777216 does not fit in 24 bits"
		}},
		{"half a message and the end", func(c *servertest.Client, _ int) {
			c.Write([]byte{9, 0, 0, 0, '{'})
			c.CloseWrite()
		}, func(string, int) string {
			return "Cannot read TURN_ACK. Remote endpoint closed? Read error: unexpected EOF"
		}},
	}
	for _, w := range wires {
		for _, role := range []string{"player", "special player", "visualization"} {
			for _, state := range states {
				for _, m := range messages {
					t.Run(fmt.Sprintf("%s/%s/%s/%s", w.name, role, state.name, m.name), func(t *testing.T) {
						t.Parallel()
						// for a slow machine
						h := openHost(t, options{Options: host.Options{CloseTimeout: time.Minute}, spec: host.Spec{
							Settings: match.Settings{Turns: 10, Players: 2, Specials: 1, Visus: 1},
							Pace:     func(match.Settings) match.Pace { return match.Timer(time.Hour, time.Hour) },
						}})
						c := w.login(h, "x", role)
						state.enter(h, c)
						m.send(c, state.asked)
						want := m.want(state.name, state.asked)
						if want == accepted {
							h.stop()
							want = "netorcai abort"
						}
						c.ExpectKick(want)
					})
				}
			}
		}
	}
}

func TestFirstMessages(t *testing.T) {
	login := `{"message_type":"LOGIN","nickname":"%s","role":"%s","metaprotocol_version":"%s"}`
	tests := []struct{ name, send, want string }{
		{"garbage", "hello", "Invalid first message: Non-JSON message received"},
		{"an array", "[]", "Invalid first message: Non-JSON message received"},
		{"a TURN_ACK", `{"message_type":"TURN_ACK"}`, "Invalid first message: Received 'TURN_ACK' " +
			"message type, while LOGIN was expected"},
		{"no nickname", `{"message_type":"LOGIN"}`, "Invalid first message: Field 'nickname' is missing"},
		{"a number as role", `{"message_type":"LOGIN","nickname":"x","role":5}`, "Invalid first " +
			"message: Non-string value for field 'role'"},
		{"a long nickname", fmt.Sprintf(login, "elevenchars", "player",
			"2.0.0"), "Invalid first message: Invalid nickname"},
		{"an unknown role", fmt.Sprintf(login, "x", "king",
			"2.0.0"), "Invalid first message: Invalid role 'king'"},
		{"no version", fmt.Sprintf(login, "x", "player",
			"two"), "Invalid first message: Invalid metaprotocol version: Not MAJOR.MINOR.PATCH"},
		{"an old version", fmt.Sprintf(login, "x", "player",
			"1.1.0"), "Invalid first message: Metaprotocol version mismatch. Major version must be " +
			"identical but client asks for '1.1.0' while netorcai uses '2.0.0'."},
		{"a game logic", fmt.Sprintf(login, "x", "game logic",
			"2.0.0"), "LOGIN denied: A game logic is already logged in"},
		{"one too many players", fmt.Sprintf(login, "x", "player",
			"2.0.0"), "LOGIN denied: Maximum number of players reached"},
		{"one too many special players", fmt.Sprintf(login, "x", "special player",
			"2.0.0"), "LOGIN denied: Maximum number of special players reached"},
		{"one too many visualizations", fmt.Sprintf(login, "x", "visualization",
			"2.9.0"), "LOGIN denied: Maximum number of visus reached"},
		{"a long message", strings.Repeat(" ", 1023), "Invalid first message: Received message size of " +
			"first message is too big: 1024 does not fit in 10 bits"},
	}
	h := open(t, host.Spec{Settings: match.Settings{Turns: 10}})
	for _, w := range wires {
		for _, tt := range tests {
			t.Run(w.name+"/"+tt.name, func(t *testing.T) {
				c := w.dial(h)
				c.Send("%s", tt.send)
				c.ExpectKick(tt.want)
			})
		}
	}
}

func TestLargestFirstMessage(t *testing.T) {
	h := open(t, host.Spec{Settings: match.Settings{Turns: 10, Players: len(wires)}})
	content := `{"message_type":"LOGIN","nickname":"é🎉日本語x","role":"player","metaprotocol_version":"2.0.0","more":"`
	content += strings.Repeat("x", 1023-len(content)-2) + `"}`
	for _, w := range wires {
		c := w.dial(h)
		c.Write(servertest.Frame(content)) // the final line feed is optional
		c.Expect("LOGIN_ACK")
	}
}

func TestLoginAfterTheStart(t *testing.T) {
	h := open(t, host.Spec{Settings: match.Settings{Turns: 10, Players: 9, Specials: 1, Visus: 1}})
	h.login("x", "player")
	h.start()
	for _, w := range wires {
		for _, role := range []string{"player", "special player"} {
			c := w.dial(h)
			c.SendLogin("late", role)
			c.ExpectKick("LOGIN denied: Game has been started")
		}
	}
}

// A client that floods the server and reads late still receives its KICK.
func TestKickReachesAFlooder(t *testing.T) {
	h := openHost(t, options{
		// 8 MiB take more than the usual 50 ms on a busy machine
		Options: host.Options{CloseTimeout: time.Minute},
		spec:    host.Spec{Settings: match.Settings{Turns: 10, Players: 1}},
	})
	c := h.login("x", "player")
	junk := make([]byte, 1<<20)
	binary.LittleEndian.PutUint32(junk, 1<<24)
	for range 8 {
		if _, err := c.Write(junk); err != nil {
			t.Fatalf("flooding: %v", err)
		}
	}
	c.ExpectKick(
		"Cannot read TURN_ACK. Received message size is too big: 16777216 does not fit in 24 bits")
}
