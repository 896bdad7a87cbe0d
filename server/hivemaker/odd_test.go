package hivemaker

import (
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
)

// People whose clients break the rules lose and are told why; their opponents and spectators
// are told of the end.
func TestPeopleWhoBreakTheRules(t *testing.T) {
	h := open(t, Options{})
	for _, tt := range []struct {
		kind int
		text string
		nope string
	}{
		{websocket.TextMessage, `{"type":"move_response","move":{"pieces":[{"q":1,"r":0},{"q":2,"r":0}]}}`, "human must respond with exactly 1 piece"},
		{websocket.TextMessage, `{"type":"move_response","move":{"pieces":[{"q":0,"r":0}]}}`, "(0,0) already occupied"},
		{websocket.TextMessage, `{"type":"move_response","move":{"pieces":[{"q":9,"r":0}]}}`, "(9,0) out of view range"},
		{websocket.TextMessage, `{"type":"move_response"}`, "sent something malformed: move is missing"},
		{websocket.TextMessage, `hello`, "sent something malformed: the message is not JSON: hello"},
		{websocket.BinaryMessage, `{}`, "sent a binary frame; packets are text"},
		{websocket.TextMessage, strings.Repeat(" ", 1<<20+1), "sent a message of more than 1 MiB"},
		{websocket.CloseMessage, "", ""},
	} {
		t.Run(tt.nope, func(t *testing.T) {
			t.Parallel()
			g := h.create(t, `{}`)
			watcher := h.dial(t, "/spectate/"+g.GameID)
			x, o := h.dial(t, "/ws?token="+g.TokenCross), h.dial(t, "/ws?token="+g.TokenCircle)
			for {
				if _, ok := o.next().(htttx.MoveRequest); ok {
					break
				}
			}
			if err := o.WriteMessage(tt.kind, []byte(tt.text)); err != nil {
				t.Fatal(err)
			}
			if tt.nope == "" {
				_ = o.Close()
			} else if got := o.readRest(); !strings.Contains(got, string(htttx.Nope{Reason: tt.nope}.Append(nil))) {
				t.Errorf("the rule breaker received %s", got)
			}
			const end = `{"type":"end","winner":"x","reason":"forfeit","board":{"cells":[{"q":0,"r":0,"p":"x"}]}}`
			if got := x.readRest(); !strings.Contains(got, end) {
				t.Errorf("the opponent received %s", got)
			}
			if got := watcher.readRest(); !strings.HasSuffix(got, end+"\n") ||
				!strings.HasPrefix(got, `{"type":"setup"`) {
				t.Errorf("a spectator saw %s", got)
			}
		})
	}
}

// A draw: spectators see a game in progress, and then its end.
func TestDraw(t *testing.T) {
	h := open(t, Options{})
	x, o := &bot{}, &bot{}
	g := h.create(t, `{"player_x":{"type":"bot","bot_url":"`+x.start(t)+`"},"player_o":{"type":"bot","bot_url":"`+o.start(t)+`"},"match_config":{"turn_limit":1}}`)
	const board = `"board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":2,"r":0,"p":"o"},{"q":4,"r":0,"p":"o"}]}`
	got := h.dial(t, "/spectate/"+g.GameID).readRest()
	if !strings.HasSuffix(got, `{"type":"end","winner":null,"reason":"draw",`+board+"}\n") {
		t.Errorf("a spectator saw %s", got)
	}
	if update := `{"type":"board_update",` + board + `,"to_move":"x","status":"in_progress"}`; strings.Contains(got, "board_update") && !strings.Contains(got, update) {
		t.Errorf("a spectator saw %s\nwant %s", got, update)
	}
	for _, b := range []*bot{x, o} {
		if e := <-b.end; e.Reason != htttx.EndDraw {
			t.Errorf("a bot received the end %+v", e)
		}
	}
}

// A player that breaks the rules before its opponent is seated loses too, and the
// game ends.
func TestRulesBrokenAtOnce(t *testing.T) {
	thorough.Long(t)
	h := open(t, Options{Builtins: []string{"first"}, Builtin: first})
	for range 100 {
		g := h.create(t, `{"player_o":{"type":"built-in","name":"first"}}`)
		watcher, x := h.dial(t, "/spectate/"+g.GameID), h.dial(t, "/ws?token="+g.TokenCross)
		if err := x.WriteMessage(websocket.TextMessage, []byte("hello")); err != nil {
			t.Fatal(err)
		}
		x.readRest()
		const end = `{"type":"end","winner":"o","reason":"forfeit","board":{"cells":[{"q":0,"r":0,"p":"x"}`
		if got := watcher.readRest(); !strings.Contains(got, end) {
			t.Fatalf("a spectator saw %s", got)
		}
	}
}
