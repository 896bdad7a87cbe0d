package host_test

import (
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// A bot that reconnects continues with the current turn, over either wire. A new client
// is still refused.
func TestPlayerComesBack(t *testing.T) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			const turns = 6
			h := open(
				t,
				host.Spec{
					Settings: match.Settings{Turns: turns, Players: 2}, Autostart: true, InOrder: true,
					Reconnect: time.Minute,
				},
			)
			gone := w.login(h, "a", "player")
			stays := w.login(h, "b", "player")
			for _, c := range []*servertest.Client{gone, stays} {
				c.Expect("GAME_STARTS")
				c.Expect("TURN")
			}
			gone.Answer(0, "[]")
			stays.Answer(0, "[]")
			stays.Expect("TURN")
			_ = gone.Conn.Close()
			stays.Answer(1, "[]")
			if m := stays.Expect("TURN"); m.Turn != 2 { // the match has noticed the disconnect
				t.Fatalf("TURN %d, want 2", m.Turn)
			}
			stranger := w.dial(h)
			stranger.SendLogin("c", "player")
			stranger.ExpectKick("LOGIN denied: Game has been started")

			back := w.login(h, "a", "player")
			if m := back.Expect("GAME_STARTS"); m.PlayerID != 0 {
				t.Errorf("after reconnecting it is player %d, want 0", m.PlayerID)
			}
			for turn := 2; turn < turns-1; turn++ {
				for _, c := range []*servertest.Client{back, stays} {
					if turn > 2 || c == back {
						c.Expect("TURN")
					}
					c.Answer(turn, "[]")
				}
			}
			back.Expect("GAME_ENDS")
			stays.Expect("GAME_ENDS")
		})
	}
}
