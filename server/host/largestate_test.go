package host_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// A match goes on while the states of another one, as large as a message may be, are written in the
// notation for clients. The longest wait for a turn is in the log of the test.
func TestLargeStatesBesideAnotherMatch(t *testing.T) {
	thorough.Long(t)
	turns := thorough.Size(1, 20)
	large := openLogic(t, 0, host.Spec{Settings: match.Settings{Turns: turns, Players: 1}})
	other := open(t, host.Spec{Settings: match.Settings{Turns: 1 << 30, Players: 1}})
	logic, player := servertest.LoginLogic(t, large.addr), other.login("bot", "player")
	large.start()
	other.start()
	turned := make(chan struct{}) // a turn of the other match
	played, longest := 0, time.Duration(0)
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer player.Close()
		for turn := 0; !stop.Load(); turn++ {
			asked := time.Now()
			if _, err := player.Head(); err != nil {
				t.Error(err)
				return
			}
			if turn > 0 { // the first message is GAME_STARTS
				longest = max(longest, time.Since(asked))
				player.Answer(turn-1, "[]")
				played++
				select {
				case turned <- struct{}{}:
				default:
				}
			}
		}
	}()
	const cell = `{"q":1.0,"r":-2.50,"name":"\u00e9\ud800","q":2e1},`
	state := `{"cells":[` + strings.Repeat(cell, (netorcai.Limit-200)/len(cell)) + `0.0]}`
	logic.Expect("DO_INIT")
	logic.AckInit("{}")
	for range turns {
		logic.Expect("DO_TURN")
		logic.AckTurn(-1, state)
		select {
		case <-turned:
		case <-done:
		}
	}
	if e := large.end(); e.Err != nil || e.Steps != turns {
		t.Errorf("the match with large states ended with %+v", e)
	}
	stop.Store(true)
	<-done
	t.Logf("the other match played %d turns, of which the longest took %v", played, longest)
}
