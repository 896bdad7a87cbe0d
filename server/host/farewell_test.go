package host_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// longLinger is a linger time that no test waits for.
const longLinger = time.Hour

// openFarewell starts a server with an external game, a player and a visualization, and
// plays a match of one turn.
func openFarewell(
	t *testing.T, w wire, o host.Options,
) (h *testHost, logic, player, visu *servertest.Client) {
	t.Helper()
	h = openHost(
		t,
		options{
			Options: o, spec: external(host.Spec{Settings: match.Settings{Players: 1, Visus: 1, Turns: 2}}),
		},
	)
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

// The server does not wait for clients that have received everything and stay connected,
// whatever the linger time for clients that owe an answer.
func TestFarewellOfIdleClients(t *testing.T) {
	thorough.Long(t)
	overWires(t, func(t *testing.T, w wire) {
		h, logic, player, visu := openFarewell(t, w, host.Options{Linger: longLinger})
		idle := w.dial(h) // has not logged in
		visu.Answer(0, "")
		player.Answer(0, "")
		logic.Expect("DO_TURN")
		logic.AckTurn(-1, `{}`)
		h.end() // no client disconnects
		for _, c := range []*servertest.Client{player, visu} {
			c.Expect("GAME_ENDS")
			c.ExpectKick("Game is finished")
		}
		logic.ExpectKick("Game is finished")
		_ = idle
	})
}

// The server waits for a client that owes an answer until the answer arrives. The client
// can then read the end.
func TestFarewellOfClientOwingAnswer(t *testing.T) {
	thorough.Long(t)
	overWires(t, func(t *testing.T, w wire) {
		h, logic, player, visu := openFarewell(t, w, host.Options{Linger: longLinger})
		player.Answer(0, "")
		logic.Expect("DO_TURN")
		logic.AckTurn(-1, `{}`)
		player.Until("KICK")
		logic.ExpectKick("Game is finished")
		visu.Answer(0, "["+strings.Repeat(" ", 1<<20)+"]") // more than a closed socket accepts
		visu.Expect("GAME_ENDS")
		visu.ExpectKick("Game is finished")
		h.end()
	})
}

// Under the name netorcai, and after an abort, the server waits neither for clients that
// owe an answer nor for clients that do not read.
func TestFarewellWithoutLinger(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	overWires(t, func(t *testing.T, w wire) {
		for _, aborted := range []bool{false, true} {
			linger := time.Duration(0)
			if aborted {
				linger = longLinger
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
