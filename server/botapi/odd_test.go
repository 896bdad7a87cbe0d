package botapi

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
)

const idCaps = `{"basic_websocket":{"versions":{"v1-alpha":{"request_id":true,"interruptible":true}}}}`

// oddBots lists bots with unusual but legal behaviour, which play complete games.
var oddBots = map[string]struct {
	caps string
	play func(*testBot, *websocket.Conn)
}{
	"evaluations that make no sense": {baseCaps, func(b *testBot, c *websocket.Conn) {
		for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
			sendText(c, []byte(strings.Replace(string(
				goodMove(m.Board, nil).Append(nil)), `{"heuristic":0.25}}`,
				`{"heuristic":"good","win_in":1.5}},"considerations":[1,null,{"pieces":[]},{"pieces":[{"q":1,"r":1}],"evaluation":[]}],"mood":"bad"`, 1)))
		}
	}},
	"evaluations that are null": {baseCaps, func(b *testBot, c *websocket.Conn) {
		for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
			sendText(c, []byte(strings.Replace(string(
				goodMove(m.Board, nil).Append(nil)), `{"heuristic":0.25}}`,
				`{"heuristic":null,"win_in":null}},"considerations":null`, 1)))
		}
	}},
	"evaluations that are no numbers": {baseCaps, func(b *testBot, c *websocket.Conn) {
		for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
			sendText(c, []byte(strings.Replace(string(
				goodMove(m.Board, nil).Append(nil)), `{"heuristic":0.25}}`,
				`{"heuristic":-Infinity,"win_in":1e999,"note":"NaN"}},"considerations":[{"pieces":[{"q":NaN,"r":1},{"q":1,"r":1}]}]`, 1)))
		}
	}},
	"coordinates with a fraction of 0": {baseCaps, func(b *testBot, c *websocket.Conn) {
		whole := regexp.MustCompile(`([qr]":-?\d+)`)
		for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
			sendText(c, whole.ReplaceAll(goodMove(m.Board, nil).Append(nil), []byte("$1.0")))
		}
	}},
	"packets of unknown types": {baseCaps, func(b *testBot, c *websocket.Conn) {
		sendText(c, []byte(`{"type":"hello"}`))
		for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
			for range 40 { // more than maxUnsolicited
				sendText(c, []byte(`{"type":"log","text":"thinking","score":Infinity}`))
				sendText(c, []byte(`{"type":"heartbeat"}`))
			}
			sendText(c, goodMove(m.Board, nil).Append(nil))
		}
	}},
	"a request_id that was not declared": {baseCaps, func(b *testBot, c *websocket.Conn) {
		for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
			sendText(c, goodMove(m.Board, new(int64(77))).Append(nil))
		}
	}},
	"a message in many frames": {baseCaps, func(b *testBot, c *websocket.Conn) {
		for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
			text := goodMove(m.Board, nil).Append(nil)
			for i, char := range text {
				head := byte(0) // a continuation
				if i == 0 {
					head = websocket.TextMessage
				}
				if i == len(text)-1 {
					head |= 0x80
				}
				_, _ = c.NetConn().Write([]byte{head, 1, char})
			}
		}
	}},
	"pings before each answer": {baseCaps, func(b *testBot, c *websocket.Conn) {
		pongs := make(chan string, 1)
		c.SetPongHandler(func(text string) error { pongs <- text; return nil })
		requests := make(chan htttx.MoveRequest)
		go func() {
			defer close(requests)
			for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
				requests <- m
			}
		}()
		for m := range requests {
			_ = c.WriteControl(websocket.PingMessage, []byte("there?"), time.Now().Add(time.Second))
			select {
			case <-pongs:
			case <-time.After(20 * time.Second):
				b.note("malformed: no pong")
			}
			sendText(c, goodMove(m.Board, nil).Append(nil))
		}
	}},
	"answers to other requests": {idCaps, func(b *testBot, c *websocket.Conn) {
		for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
			sendText(c, goodMove(m.Board, nil).Append(nil))
			sendText(c, goodMove(m.Board, new(*m.RequestID-1)).Append(nil))
			sendText(c, goodMove(m.Board, m.RequestID).Append(nil))
		}
	}},
}

func TestOddBotsPlayOn(t *testing.T) {
	for name, tt := range oddBots {
		for _, side := range []string{"x", "o"} {
			t.Run(name+" as "+side, func(t *testing.T) {
				t.Parallel()
				b, other := &testBot{caps: tt.caps, play: tt.play}, &testBot{caps: baseCaps}
				addresses := []string{b.start(t), other.start(t)}
				if side == "o" {
					addresses[0], addresses[1] = addresses[1], addresses[0]
				}
				e := testMatch{}.bots(t, addresses...)
				if e.Reason != "draw: turn limit" || len(b.noted("malformed")) > 0 {
					t.Errorf("ending = %+v, %q; want a complete game", e, b.noted("malformed"))
				}
			})
		}
	}
}

// Only a bot that declared interruptible is interrupted when its time is over.
func TestInterrupt(t *testing.T) {
	for _, tt := range []struct {
		caps string
		want []string
	}{
		{idCaps, []string{`{"type":"interrupt","request_id":1}`}},
		{strings.Replace(idCaps, `"request_id":true,`, "", 1), []string{`{"type":"interrupt"}`}},
		{strings.Replace(idCaps, `,"interruptible":true`, "", 1), nil},
		{baseCaps, nil},
	} {
		t.Run(tt.caps, func(t *testing.T) {
			t.Parallel()
			slow := &testBot{caps: tt.caps, play: func(b *testBot, c *websocket.Conn) { b.nextRequest(c); b.nextRequest(c) }}
			good := &testBot{caps: baseCaps}
			e := testMatch{limit: 100 * time.Millisecond}.bots(t, good.start(t), slow.start(t))
			slow.waitClosed(t)
			got := slow.noted(`{"type":"interrupt"`)
			if e.Reason != "forfeit: out of time" || fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("ending = %+v, interrupts %q, want %q", e, got, tt.want)
			}
			if last := slow.noted(`{"type":"end","winner":"x","reason":"forfeit"`); len(last) != 1 {
				t.Errorf("it received the ends %q, want one", slow.noted(`{"type":"end"`))
			}
		})
	}
}

// A game may start from any board: the setup shows it, the side to move is asked
// first, and one winning piece is a complete move; a second piece is not placed.
func TestFreeSetupAndAWinningPiece(t *testing.T) {
	for _, pieces := range []string{
		`{"q":5,"r":0}`, `{"q":5,"r":0},{"q":6,"r":0}`, `{"q":5,"r":0},{"q":5,"r":0}`,
	} {
		t.Run(pieces, func(t *testing.T) {
			t.Parallel()
			caps := strings.Replace(idCaps, "request_id", "free_setup", 1)
			x, o := &testBot{caps: caps, play: answerWith(move(pieces))}, &testBot{caps: caps}
			c := testMatch{
				options: hextictactoe.Options{Setup: &hextictactoe.Position{ToMove: hextictactoe.X}},
			}
			for q := range 5 {
				c.options.Setup.Pieces = append(c.options.Setup.Pieces,
					hextictactoe.Piece{Coord: hextictactoe.Coord{Q: q}, Side: hextictactoe.X})
			}
			e := c.bots(t, x.start(t), o.start(t))
			x.waitClosed(t)
			o.waitClosed(t)
			const five = `{"q":0,"r":0,"p":"x"},{"q":1,"r":0,"p":"x"},{"q":2,"r":0,"p":"x"},{"q":3,"r":0,"p":"x"},{"q":4,"r":0,"p":"x"}`
			setup, end := `{"type":"setup","board":{"cells":[`+five+`]}}`, `{"type":"end","winner":"x","reason":"win","board":{"cells":[`+five+`,{"q":5,"r":0,"p":"x"}]}}`
			want := []string{
				"path /bws/v1-alpha/game", setup,
				`{"type":"move_request","side":"x","previous":[],"board":{"cells":[` + five + `]}}`, end,
			}
			if got := x.noted(""); e.Reason != "win: a row complete" ||
				strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("ending = %+v; x received\n%s\nwant\n%s", e, strings.Join(got, "\n"),
					strings.Join(want, "\n"))
			}
			if got := o.noted("{"); strings.Join(got, "\n") != setup+"\n"+end {
				t.Errorf("o received\n%s", strings.Join(got, "\n"))
			}
		})
	}
}

// A stateless bot receives the whole position, and its time limit if it declared
// move_time_limit.
func TestStatelessRequests(t *testing.T) {
	for _, tt := range []struct{ caps, limit string }{
		{`{"stateless":{"versions":{"v1-alpha":{"move_time_limit":true}}}}`, `,"time_limit":20`},
		{`{"stateless":{"versions":{"v1-alpha":{}}}}`, ""},
	} {
		b, other := &testBot{caps: tt.caps}, &testBot{caps: baseCaps}
		e := testMatch{}.bots(t, other.start(t), b.start(t))
		want := `{"board":{"to_move":"o","cells":[{"q":0,"r":0,"p":"x"}]}` + tt.limit + `}`
		if got := b.noted("{"); e.Reason != "draw: turn limit" || len(got) != 3 || got[0] != want {
			t.Errorf("ending = %+v; it was asked\n%s\nwant first %s", e, strings.Join(got, "\n"), want)
		}
	}
}
