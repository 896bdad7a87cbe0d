package botapi

import (
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
)

// playInOrder returns a bot that reads and answers in order, as Hivemaker's do:
// while it thinks it answers no ping, and it hangs up on a heartbeat that waits.
func playInOrder(think time.Duration) func(*testBot, *websocket.Conn) {
	return func(b *testBot, c *websocket.Conn) {
		for {
			_, data, err := c.ReadMessage()
			if err != nil {
				return
			}
			b.note(string(data))
			switch p, _ := htttx.ParseFromServer(data); m := p.(type) {
			case htttx.Heartbeat:
				if m.Waiting {
					return
				}
			case htttx.MoveRequest:
				<-time.After(think)
				sendText(c, goodMove(m.Board, m.RequestID).Append(nil))
			}
		}
	}
}

func TestThinkingBotNeedsNoPong(t *testing.T) {
	thorough.Full(t)
	t.Parallel()
	// far above the delays of a busy machine
	const silence, think = 400 * time.Millisecond, 450 * time.Millisecond
	x := &testBot{caps: baseCaps, play: playInOrder(think)}
	o := &testBot{caps: baseCaps, play: playInOrder(think)}
	e := testMatch{heartbeat: 10 * time.Millisecond, silence: silence}.bots(t, x.start(t), o.start(t))
	if e.Reason != "draw: turn limit" {
		t.Errorf("ending = %+v, want a complete game", e)
	}
	for _, b := range []*testBot{x, o} {
		if beats := b.noted(`{"type":"heartbeat","waiting":false}`); len(beats) == 0 {
			t.Error("a bot that waited for its turn received no heartbeat")
		}
	}
}

// Bots that read a heartbeat only after their answer, and would take one that waits for an error,
// play on; they receive heartbeats while they think too.
func TestHeartbeatsWhileBotsThink(t *testing.T) {
	thorough.Long(t)
	for range 20 {
		t.Run("game", func(t *testing.T) {
			t.Parallel()
			inOrder := &testBot{caps: baseCaps, play: playInOrder(20 * time.Millisecond)}
			atOnce := &testBot{caps: baseCaps, play: playAfterHeartbeat}
			e := testMatch{heartbeat: 2 * time.Millisecond}.bots(t, inOrder.start(t), atOnce.start(t))
			if e.Reason != "draw: turn limit" {
				t.Errorf("ending = %+v, want a complete game", e)
			}
			if waiting := inOrder.noted(`{"type":"heartbeat","waiting":true}`); len(waiting) > 0 {
				t.Errorf("a bot received %d heartbeats that wait", len(waiting))
			}
		})
	}
}

// playAfterHeartbeat answers a request only when a heartbeat has followed it.
func playAfterHeartbeat(b *testBot, c *websocket.Conn) {
	for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
		_, data, err := c.ReadMessage()
		if err != nil || !strings.HasPrefix(string(data), `{"type":"heartbeat","waiting":`) {
			return
		}
		sendText(c, goodMove(m.Board, m.RequestID).Append(nil))
	}
}

// A person is told that the server waits for it: its client reads while it thinks.
func TestHeartbeatsOfAPerson(t *testing.T) {
	p, c, notes := person(t)
	go func() {
		for m, ok := notes.nextRequest(c); ok; m, ok = notes.nextRequest(c) {
			_, data, err := c.ReadMessage()
			if err != nil || string(data) != `{"type":"heartbeat","waiting":true}` {
				notes.note("no heartbeat: " + string(data))
				return
			}
			pieces := goodMove(m.Board, nil).Move.Pieces[:1]
			sendText(c, htttx.MoveResponse{Move: htttx.MoveOption{Pieces: pieces}}.Append(nil))
		}
	}()
	bot := &testBot{caps: baseCaps}
	e := testMatch{heartbeat: time.Millisecond}.play(t, mustDial(t, t.Output(), bot.start(t)), p)
	if e.Reason != "draw: turn limit" || len(notes.noted("no heartbeat")) > 0 {
		t.Errorf("ending = %+v, %q, want a complete game", e, notes.noted("no heartbeat"))
	}
}

// A bot without an open request has to answer pings.
func TestMissingPongs(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	x := &testBot{caps: baseCaps, play: untilClosed}
	o := &testBot{caps: baseCaps, play: playInOrder(3 * time.Second)}
	e := testMatch{
		heartbeat: 20 * time.Millisecond, silence: 100 * time.Millisecond,
	}.bots(t, x.start(t), o.start(t))
	if e.Winner != 1 || e.Reason != "forfeit: left" || e.Seats[0].Reason != "answers no ping" {
		t.Errorf("ending = %+v, want x to lose since it answers no ping", e)
	}
}
