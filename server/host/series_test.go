package host_test

import (
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
)

// A host that is drained between two matches does not start the next one.
func TestDrainBetweenMatches(t *testing.T) {
	thorough.Long(t)
	spec := host.Spec{Settings: match.Settings{Turns: 3, Players: 1}, Autostart: true}
	var h *testHost
	opened := make(chan struct{})
	h = openHost(t, options{
		spec: spec,
		next: func(*host.Result) *host.Spec {
			<-opened
			h.Drain()
			return &spec
		},
	})
	close(opened)
	c := h.login("a", "player")
	c.Expect("GAME_STARTS")
	for turn := range 2 {
		c.Expect("TURN")
		c.Answer(turn, "[]")
	}
	c.Expect("GAME_ENDS")
	if e := h.end(); e.Err != nil || e.Steps != 3 {
		t.Errorf("the host ended with %+v, want the first match's end", e)
	}
}
