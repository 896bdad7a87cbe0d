package hivemaker

import (
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
)

// nextRequest returns the next request for a move.
func (c *client) nextRequest() htttx.MoveRequest {
	c.t.Helper()
	for {
		switch p := c.next().(type) {
		case htttx.MoveRequest:
			return p
		case nil:
			c.t.Fatal("the connection ended without a request")
		}
	}
}

func (c *client) playPiece(cell htttx.Cell) {
	_ = c.WriteMessage(websocket.TextMessage,
		htttx.MoveResponse{Move: htttx.MoveOption{Pieces: []htttx.Cell{cell}}}.Append(nil))
}

// A person whose connection breaks reconnects with the token, and gets the current board
// and the open request. The other side is told of both events if it asked for that.
func TestPersonReconnects(t *testing.T) {
	h := open(t, Options{Reconnect: time.Minute})
	g := h.create(t, `{"match_config":{"win_distance":3,"clock_type":"match","clock":60}}`)
	x, o := h.dial(t, "/ws?token="+g.TokenCross), h.dial(t, "/ws?token="+g.TokenCircle+"&presence")
	o.playPieces(htttx.Cell{Q: 5, R: 0}, htttx.Cell{Q: -5, R: 0})
	x.playPieces(htttx.Cell{Q: 0, R: 5}, htttx.Cell{Q: 3, R: 3})
	// the match has told x of the board by now: it tells players in the order of their ids
	o.nextRequest()
	_ = x.Close() // x is not to move
	if p, ok := o.next().(htttx.Presence); !ok || p.Connected {
		t.Fatalf("when x disconnects, o receives %+v", p)
	}
	back := h.dial(t, "/ws?token="+g.TokenCross)
	if p, ok := o.next().(htttx.Presence); !ok || !p.Connected {
		t.Fatalf("when x reconnects, o receives %+v", p)
	}
	if s, ok := back.next().(htttx.Setup); !ok || strings.Count(string(s.Board), `"x"`) != 3 {
		t.Errorf("after reconnecting, x receives %s", s.Append(nil))
	}
	o.playPiece(htttx.Cell{Q: 0, R: -5})
	o.nextRequest()
	_ = o.Close() // o has placed one of two pieces
	again := h.dial(t, "/ws?token="+g.TokenCircle)
	if m := again.nextRequest(); len(m.Previous) != 1 || m.Previous[0].Side != htttx.Cross {
		t.Errorf("o is asked again by %s, want the request for its first piece", m.Append(nil))
	}
	again.playPiece(htttx.Cell{Q: 6, R: 0})
	again.nextRequest()
	again.playPiece(htttx.Cell{Q: 7, R: 0})
	const end = `{"type":"end","winner":"o","reason":"win"`
	if got := again.readRest() + back.readRest(); strings.Count(got, end) != 2 {
		t.Errorf("the players received %s", got)
	}
	if got := h.dial(t, "/ws?token="+g.TokenCross).readRest(); !strings.Contains(got, invalidToken) {
		t.Errorf("after the end, a token gets %s", got)
	}
}

// A new connection replaces an old one that has not noticed that it is broken.
func TestTokenReplacesConnection(t *testing.T) {
	h := open(t, Options{Reconnect: time.Minute})
	g := h.create(t, `{"match_config":{"turn_limit":1}}`)
	early := h.dial(t, "/ws?token="+g.TokenCircle) // the game waits for x
	o := h.dial(t, "/ws?token="+g.TokenCircle)
	early.readRest()
	x := h.dial(t, "/ws?token="+g.TokenCross)
	o.nextRequest()
	again := h.dial(t, "/ws?token="+g.TokenCircle)
	if got := o.readRest(); got != `{"type":"nope","reason":"its player connected again"}`+"\n" {
		t.Errorf("the old connection receives %s", got)
	}
	again.playPieces(htttx.Cell{Q: 5, R: 0}, htttx.Cell{Q: -5, R: 0})
	if got := again.readRest() + x.readRest(); strings.Count(got, `"reason":"draw"`) != 2 {
		t.Errorf("the players received %s", got)
	}
}

// A person whose connection breaks before the game begins can reconnect after its beginning.
func TestPersonReconnectsAfterTheBeginning(t *testing.T) {
	h := open(t, Options{Reconnect: time.Minute})
	g := h.create(t, `{"match_config":{"turn_limit":1}}`)
	_ = h.dial(t, "/ws?token="+g.TokenCircle).Close()
	x := h.dial(t, "/ws?token="+g.TokenCross)
	if _, ok := x.next().(htttx.Setup); !ok {
		t.Fatal("the game does not begin")
	}
	o := h.dial(t, "/ws?token="+g.TokenCircle)
	o.playPieces(htttx.Cell{Q: 5, R: 0}, htttx.Cell{Q: -5, R: 0})
	if got := o.readRest() + x.readRest(); strings.Count(got, `"reason":"draw"`) != 2 {
		t.Errorf("the players received %s", got)
	}
}

// A bot that dialled in sends its capabilities again when it reconnects.
func TestBotReconnects(t *testing.T) {
	h := open(t, Options{Reconnect: time.Minute})
	g := h.create(t, `{"match_config":{"turn_limit":2}}`)
	x := h.dial(t, "/ws?token="+g.TokenCross)
	const caps = `{"basic_websocket":{"versions":{"v1-alpha":{"move_time_limit":true}}}}`
	bot := h.dial(t, "/htttx/session?token="+g.TokenCircle)
	_ = bot.WriteMessage(websocket.TextMessage, []byte(caps))
	first := bot.nextRequest()
	_ = bot.Close()
	bot = h.dial(t, "/htttx/session?token="+g.TokenCircle)
	_ = bot.WriteMessage(websocket.TextMessage, []byte(caps))
	if m := bot.nextRequest(); m.Limit <= 0 || m.Limit >= first.Limit || len(m.Previous) != 0 {
		t.Errorf("it is asked for %s, then for %s; want its time to run on", first.Append(nil),
			m.Append(nil))
	}
	m := htttx.MoveResponse{Move: htttx.MoveOption{Pieces: []htttx.Cell{{Q: 5, R: 0}, {Q: -5, R: 0}}}}
	_ = bot.WriteMessage(websocket.TextMessage, m.Append(nil))
	x.playPieces(htttx.Cell{Q: 0, R: 4}, htttx.Cell{Q: 0, R: -4})
	if got := bot.readRest() + x.readRest(); strings.Count(got, `"reason":"draw"`) != 2 {
		t.Errorf("the players received %s", got)
	}
}

// A player that does not reconnect within the grace period has left, also while the other
// side is to move. Without a grace period it has left at once, and a token works once.
func TestGoneForGood(t *testing.T) {
	thorough.Long(t)
	for _, grace := range []time.Duration{0, 50 * time.Millisecond} {
		h := open(t, Options{Reconnect: grace})
		g := h.create(t, `{}`)
		x, o := h.dial(t, "/ws?token="+g.TokenCross), h.dial(t, "/ws?token="+g.TokenCircle)
		o.nextRequest()
		_ = x.Close()
		if got := o.readRest(); !strings.Contains(got, `{"type":"end","winner":"o","reason":"forfeit"`) {
			t.Errorf("with a grace of %v, o receives %s", grace, got)
		}
	}
}

// A bot that the server has dialled cannot reconnect: the game is over at once, also while
// the other side is to move.
func TestDialledBotHangsUp(t *testing.T) {
	h := open(t, Options{Reconnect: time.Minute})
	leaving := &bot{leaves: true}
	g := h.create(t, `{"player_o":{"type":"bot","bot_url":"`+leaving.start(t)+`"}}`)
	x := h.dial(t, "/ws?token="+g.TokenCross) // x does not answer its request
	if got := x.readRest(); !strings.Contains(got, `{"type":"end","winner":"x","reason":"forfeit"`) {
		t.Errorf("x receives %s", got)
	}
}
