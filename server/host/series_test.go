package host_test

import (
	"testing"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
)

// Who drains a server while one match is over and the next is made gets no other.
func TestDrainBetweenMatches(t *testing.T) {
	options := func() match.Options {
		return match.Options{
			Settings: match.Settings{Turns: 3, Players: 1}, Autostart: true, Referee: match.Local(hexabomb.New(hexagon(3, 1))),
			Pace: func(match.Settings) match.Pace { return match.Fast(0, 0) },
		}
	}
	var s *host.Host
	h := openServer(t, host.Options{
		Match: options(),
		Next: func(*match.Ending) *match.Match {
			s.Drain()
			return match.New(options())
		},
	}, func(made *host.Host) { s = made })
	c := h.login("a", "player")
	c.Expect("GAME_STARTS")
	for turn := range 2 {
		c.Expect("TURN")
		c.Answer(turn, "[]")
	}
	c.Expect("GAME_ENDS")
	if e := h.end(); e.Err != nil || e.Steps != 3 {
		t.Errorf("the server ended with %+v, want the first match's end", e)
	}
}
