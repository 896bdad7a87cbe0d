package botapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// answerWith returns a bot that answers each request with the same text.
func answerWith(text string) func(*testBot, *websocket.Conn) {
	return func(b *testBot, c *websocket.Conn) {
		for _, ok := b.nextRequest(c); ok; _, ok = b.nextRequest(c) {
			sendText(c, []byte(text))
		}
	}
}

func move(pieces string) string {
	return `{"type":"move_response","move":{"pieces":[` + pieces + `]}}`
}

// hostileBots lists bots that lose by forfeit on either side, and the reasons.
var hostileBots = []struct {
	name   string
	play   func(*testBot, *websocket.Conn)
	seat   string // why the player left, if it did
	reason string // why the game is over
}{
	{"hangs", func(b *testBot, c *websocket.Conn) { b.nextRequest(c); b.nextRequest(c) }, "", "forfeit: out of time"},
	{"never reads", untilClosed, "", "forfeit: out of time"},
	{"takes a taken cell", answerWith(
		move(`{"q":0,"r":0},{"q":0,"r":3}`)), "", "forfeit: cell occupied"},
	{"takes the same cell twice", answerWith(
		move(`{"q":0,"r":3},{"q":0,"r":3}`)), "", "forfeit: cell occupied"},
	{"plays far away", answerWith(
		move(`{"q":100,"r":0},{"q":0,"r":3}`)), "", "forfeit: too far from every piece"},
	{"plays beyond everything", answerWith(
		move(`{"q":2147483647,"r":-2147483648},{"q":0,"r":3}`),
	), "", "forfeit: beyond the edge of the board"},
	{"plays one piece", answerWith(move(`{"q":0,"r":3}`)), "", "forfeit: one piece that does not win"},
	{"plays three pieces", answerWith(
		move(`{"q":0,"r":3},{"q":0,"r":4},{"q":0,"r":5}`),
	), "sent something malformed: move.pieces has more than two pieces", malformed},
	{"plays no piece", answerWith(move(``)), "sent something malformed: move.pieces has no " +
		"piece", malformed},
	{"lacks a field", answerWith(
		move(`{"q":0},{"q":0,"r":4}`),
	), "sent something malformed: move.pieces[0].r is missing", malformed},
	{"sends null", answerWith(
		move(`null,null`)), "sent something malformed: move.pieces[0] is null", malformed},
	{"sends floats", answerWith(
		move(`{"q":0.5,"r":3},{"q":0,"r":4}`),
	), "sent something malformed: move.pieces[0].q is not an integer: 0.5", malformed},
	{"sends strings", answerWith(
		move(`{"q":"0","r":3},{"q":0,"r":4}`),
	), `sent something malformed: move.pieces[0].q is not a number: "0"`, malformed},
	{"sends huge numbers", answerWith(
		move(`{"q":99999999999999999999,"r":3},{"q":0,"r":4}`),
	), "sent something malformed: move.pieces[0].q is too large: 99999999999999999999", malformed},
	{"sends a number beyond all", answerWith(
		move(`{"q":1e999,"r":3},{"q":0,"r":4}`),
	), "sent something malformed: move.pieces[0].q is null", malformed},
	{"lacks the move", answerWith(
		`{"type":"move_response"}`), "sent something malformed: move is missing", malformed},
	{"sends a null move", answerWith(
		`{"type":"move_response","move":null}`), "sent something malformed: move is null", malformed},
	{"sends null pieces", answerWith(
		`{"type":"move_response","move":{"pieces":null}}`,
	), "sent something malformed: move.pieces is null", malformed},
	{"sends a null coordinate", answerWith(
		move(`{"q":null,"r":3},{"q":0,"r":4}`),
	), "sent something malformed: move.pieces[0].q is null", malformed},
	{"sends pieces as an object", answerWith(
		`{"type":"move_response","move":{"pieces":{"q":0,"r":3}}}`,
	), `sent something malformed: move.pieces is not an array: {"q":0,"r":3}`, malformed},
	{"sends an odd request_id", answerWith(
		`{"type":"move_response","request_id":"1","move":{"pieces":[{"q":0,"r":3},{"q":0,"r":4}]}}`,
	), `sent something malformed: request_id is not a number: "1"`, malformed},
	{"sends an empty message", answerWith(""), "sent something malformed: the message is not " +
		"JSON: ", malformed},
	{"sends two objects at once", answerWith(move(`{"q":0,"r":3},{"q":0,"r":4}`) + "{}"), `sent something malformed: the message is not JSON at byte 73: …3},{"q":0,"r":4}]}}{}`, malformed},
	{"sends NaN", answerWith(
		move(`{"q":NaN,"r":3},{"q":0,"r":4}`),
	), "sent something malformed: move.pieces[0].q is null", malformed},
	{"breaks off", answerWith(`{"type":"move_response","move":{"pieces":[{"q":0,`), `sent something malformed: the message is not JSON at byte 49: …":{"pieces":[{"q":0,`, malformed},
	{"lacks the type", answerWith(
		`{"move":{"pieces":[]}}`), "sent something malformed: type is missing", malformed},
	{"sends another type", answerWith(
		`{"type":"setup","board":{"cells":[]}}`), "", "forfeit: out of time"},
	{"sends no JSON", answerWith("hello"), "sent something malformed: the message is not JSON: " +
		"hello", malformed},
	{"sends an array", answerWith("[]"), "sent something malformed: the message is not a JSON " +
		"object: []", malformed},
	{"nests deeply", answerWith(
		strings.Repeat("[", 100_000),
	), "sent something malformed: the message is nested too deeply", malformed},
	{"sends a binary frame", func(b *testBot, c *websocket.Conn) {
		b.nextRequest(c)
		_ = c.WriteMessage(websocket.BinaryMessage, []byte(move(`{"q":0,"r":3},{"q":0,"r":4}`)))
		b.nextRequest(c)
	}, "sent a binary frame; packets are text", malformed},
	{"sends more than 1 MiB", answerWith(
		`{"x":"` + strings.Repeat("x", MaxMessage) + `"}`,
	), "sent a message of more than 1 MiB", malformed},
	{"answers twice", func(b *testBot, c *websocket.Conn) {
		for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
			good := goodMove(m.Board, nil).Append(nil)
			sendText(c, good)
			sendText(c, good)
		}
	}, "answered the same request twice", malformed},
	{"floods", func(b *testBot, c *websocket.Conn) {
		b.nextRequest(c)
		for range 100_000 {
			if c.WriteMessage(websocket.TextMessage, []byte(`{"type":"eval_response","evaluation":{}}`)) != nil {
				return
			}
		}
		b.nextRequest(c)
	}, "sent 33 packets that were not requested", malformed},
	{"floods with another type", func(b *testBot, c *websocket.Conn) {
		b.nextRequest(c)
		for range 100_000 {
			if c.WriteMessage(websocket.TextMessage, []byte(`{"type":"log"}`)) != nil {
				return
			}
		}
		b.nextRequest(c)
	}, "sent 1001 packets of unknown types", malformed},
	{"closes silently", func(b *testBot, c *websocket.Conn) { b.nextRequest(c) }, "hung up", "forfeit: left"},
	{"closes with a reason", func(b *testBot, c *websocket.Conn) {
		b.nextRequest(c)
		_ = c.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(1000, "bye"))
		b.nextRequest(c)
	}, "hung up (1000)", "forfeit: left"},
	{"closes at once", func(*testBot, *websocket.Conn) {}, "hung up", "forfeit: left"},
	{"evaluates instead", answerWith(
		`{"type":"eval_response","evaluation":{"heuristic":1}}`), "", "forfeit: out of time"},
	{"stops in a message", func(b *testBot, c *websocket.Conn) {
		b.nextRequest(c)
		_, _ = c.NetConn().Write([]byte("\x81\x20{"))
		b.nextRequest(c)
	}, "", "forfeit: out of time"},
	{"hangs up in a message", func(b *testBot, c *websocket.Conn) {
		b.nextRequest(c)
		_, _ = c.NetConn().Write([]byte("\x81\x20{"))
	}, "hung up", "forfeit: left"},
	{"sends an invalid frame", func(b *testBot, c *websocket.Conn) {
		b.nextRequest(c)
		_, _ = c.NetConn().Write([]byte("\xf1\x00"))
		b.nextRequest(c)
	}, "hung up", "forfeit: left"},
	{"answers late", func(b *testBot, c *websocket.Conn) {
		m, ok := b.nextRequest(c)
		if !ok {
			return
		}
		for len(b.noted(`{"type":"end"`)) == 0 {
			if _, data, err := c.ReadMessage(); err != nil {
				return
			} else {
				b.note(string(data))
			}
		}
		sendText(c, goodMove(m.Board, m.RequestID).Append(nil))
	}, "", "forfeit: out of time"},
}

const malformed = "forfeit: unreadable answer"

// untilClosed is a bot that never reads. It returns when it can no longer write.
func untilClosed(_ *testBot, c *websocket.Conn) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if c.WriteControl(websocket.PongMessage, nil, time.Now().Add(time.Second)) != nil {
			return
		}
	}
}

func TestHostileBotsForfeit(t *testing.T) {
	thorough.Full(t)
	for i, tt := range hostileBots {
		for side, name := range []string{"x", "o"} {
			if !thorough.Enabled && side != i%2 {
				continue
			}
			t.Run(tt.name+" as "+name, func(t *testing.T) {
				t.Parallel()
				bad := &testBot{caps: baseCaps, play: tt.play}
				good := &testBot{caps: baseCaps}
				addresses := []string{bad.start(t), good.start(t)}
				if side == 1 {
					addresses[0], addresses[1] = addresses[1], addresses[0]
				}
				c := testMatch{}
				if tt.reason == "forfeit: out of time" {
					thorough.Full(t)          // it takes the time of a turn
					c.limit = 3 * time.Second // for the good bot, on a busy machine
				}
				e := c.bots(t, addresses...)
				if tt.name == "answers twice" && e.Reason == "forfeit: cell occupied" {
					// the second answer arrived after the next request
					e.Reason, e.Seats[side].Reason = tt.reason, tt.seat
				}
				if e.Err != nil || e.Winner != engine.PlayerID(1-side) || e.Reason != tt.reason ||
					e.Seats[side].Reason != tt.seat {
					t.Errorf("ending = %+v, want player %d to win: %s (%s)", e, 1-side, tt.reason, tt.seat)
				}
				good.waitClosed(t)
				bad.waitClosed(t)
				winner := []string{`"o"`, `"x"`}[side]
				if last := good.noted(`{"type":"end","winner":` + winner + `,"reason":"forfeit"`); len(last) != 1 {
					t.Errorf("the winner received the ends %q, want one", good.noted(`{"type":"end"`))
				}
			})
		}
	}
}

func TestHostileStatelessBots(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	const caps = `{"stateless":{"versions":{"v1-alpha":{}}}}`
	for _, tt := range []struct {
		name         string
		turn         http.HandlerFunc
		seat, reason string
	}{
		{"fails", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "no",
				500)
		}, "answered 500 Internal Server Error", malformed},
		{"sends a page", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w,
				"<html>")
		}, "answered something malformed: the message is not JSON: <html>", malformed},
		{"sends too much", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w,
				strings.Repeat(" ", MaxMessage+1))
		}, "sent a message of more than 1 MiB", malformed},
		{"sends nothing", func(http.ResponseWriter, *http.Request) {}, "answered something malformed: " +
			"the message is not JSON: ", malformed},
		{"sends null", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w,
				`{"move":null}`)
		}, "answered something malformed: move is null", malformed},
		{"hangs up", func(http.ResponseWriter, *http.Request) {
			panic(
				http.ErrAbortHandler)
		}, "cannot be asked: ", "forfeit: left"},
		{"breaks off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99")
			fmt.Fprint(w, "{")
		}, "broke off its answer: ", "forfeit: left"},
		{"redirects for ever", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		}, "cannot be asked: ", "forfeit: left"},
		{"hangs", func(_ http.ResponseWriter, r *http.Request) { _, _ = readBody(r.Body); <-r.Context().Done() }, "", "forfeit: out of time"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			bad, good := &testBot{caps: caps, turn: tt.turn}, &testBot{caps: baseCaps}
			c := testMatch{}
			if tt.seat == "" {
				thorough.Full(t)          // it takes the time of a turn
				c.limit = 3 * time.Second // for the good bot, on a busy machine
			}
			e := c.bots(t, bad.start(t), good.start(t))
			if e.Winner != 1 || e.Reason != tt.reason || !strings.HasPrefix(e.Seats[0].Reason, tt.seat) {
				t.Errorf("ending = %+v, want o to win: %s (%s)", e, tt.reason, tt.seat)
			}
			good.waitClosed(t)
		})
	}
}
