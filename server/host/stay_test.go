package host_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// stayLogin is a LOGIN that asks to stay.
const stayLogin = `{"message_type":"LOGIN","nickname":"%s","role":"player","metaprotocol_version":"2.0.0","stay":true,"version":"sha256:1","language":"Go"}`

// loginStaying logs in a client that stays between matches.
func (w wire) loginStaying(h *testHost, nickname string) *servertest.Client {
	h.t.Helper()
	c := w.dial(h)
	c.Send(stayLogin, nickname)
	c.Expect("LOGIN_ACK")
	return c
}

// small returns the spec of a match of a few turns that starts when its seats are taken.
func small(players int, number int) host.Spec {
	return host.Spec{
		Game:     games.Instance{New: func() engine.Game { return hexabomb.New(hexagon(3, 4)) }},
		Settings: match.Settings{Turns: 3, Players: players}, Autostart: true, Pace: fast,
		Seed: uint64(number), InOrder: true,
		Labels: map[string]string{"series": "test", "match": fmt.Sprint(number)},
	}
}

// A client that stays plays one match after another over one connection, and is kicked
// when there are no more. Clients that do not ask to stay are kicked after each match.
func TestStay(t *testing.T) {
	thorough.Long(t)
	const matches = 3
	overWires(t, func(t *testing.T, w wire) {
		played := 1
		h := openHost(t, options{
			Options: host.Options{Linger: usualLinger},
			spec:    small(2, 1),
			next: func(last *host.Result) *host.Spec {
				if last.Err != nil {
					t.Errorf("match %d ended with %v", played, last.Err)
				}
				if played == matches {
					return nil
				}
				played++
				next := small(2, played)
				return &next
			},
		})
		seeds := map[string]bool{}
		c := w.loginStaying(h, "stays")
		for number := 1; number <= matches; number++ {
			other := w.login(h, "goes", "player")
			starts := c.Expect("GAME_STARTS")
			if want := fmt.Sprintf(`"match":%d,"seed":`, number); !strings.Contains(string(starts.Raw), want) {
				t.Errorf("match %d begins with %s, want %s", number, starts.Raw, want)
			}
			_, seed, _ := strings.Cut(string(starts.Raw), `"seed":`)
			seeds[seed] = true
			if starts := other.Expect("GAME_STARTS"); strings.Contains(string(starts.Raw), "seed") ||
				strings.Contains(string(starts.Raw), `"match"`) {
				t.Errorf("a client that does not stay received %s", starts.Raw)
			}
			for turn := range 2 {
				for _, c := range []*servertest.Client{c, other} {
					c.Expect("TURN")
				}
				for _, c := range []*servertest.Client{c, other} {
					c.Answer(turn, "[]")
				}
			}
			c.Expect("GAME_ENDS")
			other.Expect("GAME_ENDS")
			other.ExpectKick("Game is finished")
		}
		c.ExpectKick("Game is finished")
		if len(seeds) != matches {
			t.Errorf("the seeds are %v, want one for each match", seeds)
		}
		if e := h.end(); e.Err != nil {
			t.Errorf("the series ended with %v", e.Err)
		}
	})
}

// A client that stays and still owes an answer gets its next seat after it has sent the
// answer, which is ignored.
func TestStayWithALateAnswer(t *testing.T) {
	thorough.Long(t)
	overWires(t, func(t *testing.T, w wire) {
		first := small(2, 1)
		first.Pace = func(match.Settings) match.Pace { return match.Timer(0, 20*time.Millisecond) }
		again := true
		h := openHost(t, options{
			Options: host.Options{Linger: usualLinger},
			spec:    first,
			next: func(*host.Result) *host.Spec {
				if !again {
					return nil
				}
				again = false
				next := small(1, 2)
				return &next
			},
		})
		c, other := w.loginStaying(h, "late"), w.login(h, "goes", "player")
		c.Until("GAME_ENDS") // it has not answered any TURN
		other.Until("KICK")
		_ = other.Close() // the server would linger for its answer
		c.Answer(0, "[]")
		if starts := c.Expect("GAME_STARTS"); !strings.Contains(string(starts.Raw), `"match":2`) {
			t.Errorf("after the late answer: %s", starts.Raw)
		}
		for turn := range 2 {
			c.Expect("TURN")
			c.Answer(turn, "[]")
		}
		c.Expect("GAME_ENDS")
		c.ExpectKick("Game is finished")
		if e := h.end(); e.Err != nil || e.Steps != 3 {
			t.Errorf("the second match ended with %+v", e)
		}
	})
}

// Under the name netorcai, a client that asks to stay is treated as all others.
func TestNoStayUnderNetorcai(t *testing.T) {
	h := openHost(t, options{Options: host.Options{Netorcai: true}, spec: small(1, 1)})
	c := wires[0].loginStaying(h, "stays")
	if starts := c.Expect("GAME_STARTS"); strings.Contains(string(starts.Raw), "seed") {
		t.Errorf("it received %s", starts.Raw)
	}
	for turn := range 2 {
		c.Expect("TURN")
		c.Answer(turn, "[]")
	}
	c.Expect("GAME_ENDS")
	c.ExpectKick("Game is finished")
	h.end()
}

// idleBot is a bot that never acts.
type idleBot struct{}

func (idleBot) Start(netorcai.GameStarts) error              { return nil }
func (idleBot) Turn(netorcai.Turn) (actions []byte, _ error) { return nil, nil }
func (idleBot) End(netorcai.GameEnds)                        {}
