package host_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/web"
)

// byToken is a gate that admits clients with a token and returns it as their key, and those
// without.
type byToken struct{}

func (byToken) Login(m netorcai.Login) (nickname, key string, err error) {
	if m.Token == "wrong" {
		return "", "", errors.New("a token is needed here")
	}
	return m.Nickname, m.Token, nil
}

// board returns a spec of a match of hexagonal tic-tac-toe, which starts when both seats are taken.
func board(moves int, seats ...seat.Spec) host.Spec {
	rules := hextictactoe.Defaults()
	rules.TurnLimit = moves
	return host.Spec{
		Game: game(hextictactoe.New(rules)), Settings: match.Settings{Turns: moves + 1, Players: 2},
		Autostart: true,
		Pace:      match.PaceSpec{Budget: &match.Budget{Time: time.Minute}}.Pace,
		InOrder:   true, LeaveEnds: true, Seats: seats,
		Bots: seating.Options{HTTTX: true, Options: direct.Options{Patience: time.Minute}},
	}
}

// openLobby opens a host whose page is on the port, and returns where bots dial in.
func openLobby(t *testing.T, gate bool, spec host.Spec) (h *testHost, url string) {
	o := options{
		Options: host.Options{
			Linger: usualLinger, Page: &host.Page{Options: web.Options{Address: "127.0.0.1:0"}},
		},
		spec: spec,
	}
	if gate {
		o.Gate = byToken{}
	}
	h = openHost(t, o)
	return h, "ws://" + h.addr + host.DialInPath
}

const plainCaps = `{"meta":{"name":"bob"},"basic_websocket":{"versions":{"v1-alpha":{}}}}`

// A bot is told the time of a move, if it declares that, and gets the seat that waits for the name
// in its address.
func TestDialIn(t *testing.T) {
	h, url := openLobby(
		t, false,
		board(4, seat.Spec{Kind: seat.Wait, Name: "ann", Label: "ann"},
			seat.Spec{Kind: seat.Open, Label: "open"}),
	)
	o := servertest.DialIn(t, url, plainCaps)
	x := servertest.DialIn(t, url+"?name=ann",
		strings.Replace(plainCaps, "{}", `{"move_time_limit":true}`, 1))
	ends := make(chan htttx.Packet)
	go func() { ends <- o.Play() }()
	if m := x.Request(); m.Side != htttx.Cross || m.Limit != time.Minute {
		t.Errorf("ann is asked %s, want cross to have a minute", m.Append(nil))
	} else {
		x.Answer(m)
	}
	for _, end := range []htttx.Packet{x.Play(), <-ends} {
		if e, ok := end.(htttx.End); !ok || e.Reason == htttx.EndForfeit {
			t.Errorf("at the end a bot is told %v", end)
		}
	}
	if e := h.end(); e.Err != nil {
		t.Error(e.Err)
	}
}

// A bot that dials in again with its token replaces its connection, and is told of each move once.
// Neither the match nor its result says that it has left.
func TestDialInReconnects(t *testing.T) {
	for _, leaveEnds := range []bool{false, true} {
		t.Run(fmt.Sprintf("leaving ends the match %v", leaveEnds), func(t *testing.T) {
			spec := board(8, seat.Spec{Kind: seat.Wait, Key: "x", Label: "x"},
				seat.Spec{Kind: seat.Wait, Key: "o", Label: "o"})
			spec.Reconnect, spec.LeaveEnds = time.Minute, leaveEnds
			h, url := openLobby(t, true, spec)
			x := servertest.DialIn(t, url+"?token=x", plainCaps)
			o := servertest.DialIn(t, url+"?token=o", plainCaps)
			for range 2 {
				o.Answer(o.Request())
				x.Answer(x.Request())
			}
			last := o.Request() // so that x is not awaited
			back := servertest.DialIn(t, url+"?token=x", plainCaps)
			if m, ok := x.Next().(htttx.Nope); !ok {
				t.Errorf("the connection that was replaced receives %v", m)
			}
			ends := make(chan htttx.Packet)
			go func() { ends <- back.Play() }()
			o.Answer(last)
			for _, end := range []htttx.Packet{o.Play(), <-ends} {
				if e, ok := end.(htttx.End); !ok || e.Reason == htttx.EndForfeit {
					t.Errorf("at the end a bot is told %v", end)
				}
			}
			played := h.room.Wait()
			for _, s := range played.Report().Seats {
				if s.Status != result.Held {
					t.Errorf("%s is reported as %s: %s", s.Label, s.Status, s.Error)
				}
			}
		})
	}
}

// Bots are refused with the reason. None of them keeps the match from being played.
func TestDialInRefused(t *testing.T) {
	waiting := func(change func(*host.Spec)) host.Spec {
		spec := board(4, seat.Spec{Kind: seat.Wait, Name: "ann", Label: "ann"},
			seat.Spec{Kind: seat.Wait, Name: "carl", Label: "carl"})
		change(&spec)
		return spec
	}
	asItIs := func(*host.Spec) {}
	for _, tt := range []struct {
		name, query, caps, want string
		change                  func(*host.Spec)
	}{
		{"another game", "", plainCaps, "the game cannot be played over the HTTTX Bot API; log in over " +
			"netorcai's metaprotocol", func(s *host.Spec) {
			s.Game, s.Bots.HTTTX = games.Instance{}, false
		}},
		{"another name", "", plainCaps, "all seats are reserved for others", asItIs},
		{
			"another name in play", "", plainCaps, `the seat waits for a bot that logs in as "ann"`,
			func(s *host.Spec) { s.Bots.Fill = &seating.Once{} },
		},
		{"no free_setup", "?name=ann", plainCaps, "the bot does not declare free_setup, so that it " +
			"cannot play from openings", func(s *host.Spec) { s.Game.Opening = true }},
		{"a wrong token", "?name=ann&token=wrong", plainCaps, "a token is needed here", asItIs},
		{"no capabilities", "?name=ann", `[]`, "the first frame has to hold the capabilities: ", asItIs},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, url := openLobby(t, true, waiting(tt.change))
			if m, ok := servertest.DialIn(t, url+tt.query, tt.caps).Next().(htttx.Nope); !ok ||
				!strings.HasPrefix(m.Reason, tt.want) {
				t.Errorf("it receives %v, want nope with %q", m, tt.want)
			}
		})
	}
	_, url := openLobby(t, false, waiting(asItIs))
	if m, ok := servertest.DialIn(t, url+"?name=ann&token=old", plainCaps).Next().(htttx.Nope); !ok ||
		m.Reason != "invalid token" {
		t.Errorf("with a token that nothing asks for it receives %v", m)
	}
	_, answer, err := websocket.DefaultDialer.DialContext(t.Context(), url, http.Header{"Origin": {"http://elsewhere.example"}})
	if err == nil || answer.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another site: %v, want it refused", err)
	}
}

// A bot that is silent, or has no seat yet, does not keep the host from shutting down.
func TestDialInShutdown(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	spec, joined := board(4), &joins{nicknames: make(chan string, 1)}
	spec.Watchers = []match.Watcher{joined}
	h, url := openLobby(t, false, spec)
	silent, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	seated := servertest.DialIn(t, url, plainCaps)
	<-joined.nicknames
	h.stop()
	h.end()
	if m, ok := seated.Next().(htttx.Nope); !ok {
		t.Errorf("the bot that has a seat is told %v", m)
	}
}
