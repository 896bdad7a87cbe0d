package host_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/internal/thorough"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// never is a time to linger that no test waits for.
const never = time.Hour

// openFarewell starts a server for a match of one turn that is answered, with an external
// game, a player and a visualization.
func openFarewell(t *testing.T, w wire, o host.Options) (h *house, logic, player, visu *servertest.Client) {
	t.Helper()
	h = openHost(t, options{Options: o, spec: external(host.Spec{Settings: match.Settings{Players: 1, Visus: 1, Turns: 2}})})
	logic, player, visu = servertest.LoginLogic(t, h.addr), w.login(h, "bot", "player"), w.login(h, "visu", "visualization")
	h.start()
	logic.Expect("DO_INIT")
	logic.AckInit(`{}`)
	logic.Expect("DO_TURN")
	logic.AckTurn(-1, `{}`)
	player.Until("TURN")
	visu.Until("TURN")
	return h, logic, player, visu
}

// Clients that have taken all are not waited for though they stay connected, however
// long those may take that owe an answer.
func TestFarewellOfThoseWhoStay(t *testing.T) {
	overWires(t, func(t *testing.T, w wire) {
		h, logic, player, visu := openFarewell(t, w, host.Options{Linger: never})
		idle := w.dial(h) // has not logged in
		visu.Answer(0, "")
		player.Answer(0, "")
		logic.Expect("DO_TURN")
		logic.AckTurn(-1, `{}`)
		h.end() // no client hangs up
		for _, c := range []*servertest.Client{player, visu} {
			c.Expect("GAME_ENDS")
			c.ExpectKick("Game is finished")
		}
		logic.ExpectKick("Game is finished")
		_ = idle
	})
}

// One that owes an answer is waited for until it has sent that, and can read the end then.
func TestFarewellOfOneThatOwesAnAnswer(t *testing.T) {
	overWires(t, func(t *testing.T, w wire) {
		h, logic, player, visu := openFarewell(t, w, host.Options{Linger: never})
		player.Answer(0, "")
		logic.Expect("DO_TURN")
		logic.AckTurn(-1, `{}`)
		player.Until("KICK")
		logic.ExpectKick("Game is finished")
		visu.Answer(0, "["+strings.Repeat(" ", 1<<20)+"]") // which a closed socket would not take
		visu.Expect("GAME_ENDS")
		visu.ExpectKick("Game is finished")
		h.end()
	})
}

// netorcai does not wait for one that owes an answer, nor for one that does not read; and
// neither does a server that is aborted.
func TestFarewellWithoutLinger(t *testing.T) {
	thorough.Long(t)
	overWires(t, func(t *testing.T, w wire) {
		for _, aborted := range []bool{false, true} {
			linger := time.Duration(0)
			if aborted {
				linger = never
			}
			h, logic, player, _ := openFarewell(t, w, host.Options{Netorcai: true, Linger: linger})
			player.Answer(0, "")
			logic.Expect("DO_TURN")
			if aborted {
				h.stop()
			} else {
				logic.AckTurn(-1, `{"x":"`+strings.Repeat("x", 15<<20)+`"}`) // more than sockets hold
			}
			h.end()
		}
	})
}
