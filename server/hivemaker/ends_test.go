package hivemaker

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
)

// A person who resigns loses at once, although a lost connection would be waited for, and also
// while the other side is to move.
func TestPersonResigns(t *testing.T) {
	h := open(t, Options{Reconnect: time.Hour})
	for _, side := range []string{"x", "o"} {
		g := h.create(t, `{}`)
		x, o := h.dial(t, "/ws?token="+g.TokenCross+"&presence"), h.dial(t, "/ws?token="+g.TokenCircle+"&presence")
		o.nextRequest()
		resigns, other, winner := x, o, "o"
		if side == "o" {
			resigns, other, winner = o, x, "x"
		}
		_ = resigns.WriteMessage(websocket.TextMessage, htttx.Resign{}.Append(nil))
		resigns.readRest()
		if got := other.readRest(); !strings.Contains(got, `{"type":"end","winner":"`+winner+`","reason":"forfeit"`) || !strings.Contains(got, `"detail":"left"`) {
			t.Errorf("%s resigns: the other side receives %s", side, got)
		}
	}
}

// A bot cannot resign: the protocol of bots does not have that packet.
func TestBotDoesNotResign(t *testing.T) {
	h := open(t, Options{})
	g := h.create(t, `{"match_config":{"turn_limit":1}}`)
	x := h.dial(t, "/ws?token="+g.TokenCross+"&presence")
	o := h.dial(t, "/htttx/session?token="+g.TokenCircle)
	_ = o.WriteMessage(websocket.TextMessage, []byte(`{}`))
	o.nextRequest()
	_ = o.WriteMessage(websocket.TextMessage, htttx.Resign{}.Append(nil))
	_ = o.WriteMessage(websocket.TextMessage,
		htttx.MoveResponse{Move: htttx.MoveOption{Pieces: []htttx.Cell{{Q: 1}, {Q: 2}}}}.Append(nil))
	if got := x.readRest(); !strings.Contains(got, `"reason":"draw"`) {
		t.Errorf("the other side receives %s, want a draw", got)
	}
}

// A person is told that the bot of the other side could not be connected.
func TestPersonHearsOfAnAbsentBot(t *testing.T) {
	h := open(t, Options{})
	g := h.create(t, `{"player_o":{"type":"bot","bot_url":"127.0.0.1:1"}}`)
	if got := h.dial(t, "/ws?token="+g.TokenCross+"&presence").readRest(); !strings.Contains(got, `"detail":"the bot could not be connected; check its address"`) {
		t.Errorf("received %s", got)
	}
}

// A bot that dials in without a name is not shown by its address.
func TestNameOfABotThatDialsIn(t *testing.T) {
	over := make(chan []string, 1)
	rooms := newHost(t)
	h := open(t, Options{Start: func(ctx context.Context, s host.Spec) (*host.Room, error) {
		s.Watchers = append(s.Watchers, &nameWatcher{names: over})
		return rooms.Start(ctx, s)
	}})
	g := h.create(t, `{}`)
	x := h.dial(t, "/ws?token="+g.TokenCross)
	o := h.dial(t, "/htttx/session?token="+g.TokenCircle)
	_ = o.WriteMessage(websocket.TextMessage, []byte(`{}`))
	o.nextRequest()
	_ = x.WriteMessage(websocket.TextMessage, htttx.Resign{}.Append(nil))
	if got := <-over; !slices.Equal(got, []string{"person (x)", "bot (o)"}) {
		t.Errorf("the players are %q", got)
	}
}

// nameWatcher sends the names of the players at the end of a match.
type nameWatcher struct {
	match.BaseWatcher
	names chan []string
}

func (w *nameWatcher) Ended(e *match.Ending) {
	var names []string
	for _, s := range e.Seats {
		names = append(names, s.Nickname)
	}
	w.names <- names
}

// A bot that dials in has a bot's time, not a person's.
func TestBotThatDialsInHasABotsTime(t *testing.T) {
	thorough.Long(t)
	h := open(t, Options{BotMoveTime: 100 * time.Millisecond, PersonMoveTime: time.Hour})
	g := h.create(t, `{}`)
	x := h.dial(t, "/ws?token="+g.TokenCross+"&presence")
	o := h.dial(t, "/htttx/session?token="+g.TokenCircle)
	_ = o.WriteMessage(websocket.TextMessage,
		[]byte(`{"basic_websocket":{"versions":{"v1-alpha":{"move_time_limit":true}}}}`))
	if m := o.nextRequest(); m.Limit != 100*time.Millisecond {
		t.Errorf("it is asked for %s, want a limit of 0.1 s", m.Append(nil))
	}
	if got := x.readRest(); !strings.Contains(got, `"detail":"out of time"`) {
		t.Errorf("the other side receives %s, want the bot to run out of time", got)
	}
}
