package botapi

import (
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
	const silence, think = 400 * time.Millisecond, 450 * time.Millisecond // far above the delays of a busy machine
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

// A bot without an open request has to answer pings.
func TestMissingPongs(t *testing.T) {
	thorough.Long(t)
	t.Parallel()
	x := &testBot{caps: baseCaps, play: untilClosed}
	o := &testBot{caps: baseCaps, play: playInOrder(400 * time.Millisecond)}
	e := testMatch{heartbeat: 20 * time.Millisecond, silence: 100 * time.Millisecond}.bots(t, x.start(t), o.start(t))
	if e.Winner != 1 || e.Reason != "forfeit: left" || e.Seats[0].Reason != "answers no ping" {
		t.Errorf("ending = %+v, want x to lose since it answers no ping", e)
	}
}
