package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// A client whose answer is larger than the game needs loses its seat, before the answer is
// read. An explicit setting takes precedence, and netorcai's limit does not change.
func TestAnswersAreAsLargeAsTheGameNeeds(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	answer := func(size int) string { return `["` + strings.Repeat("x", size) + `"]` }
	const tooBig = "Cannot read TURN_ACK. Received message size is too big: more than 16384 bytes"
	for _, tt := range []struct {
		name  string
		args  []string
		sizes []int // of accepted answers
		size  int   // of a refused answer; 0: none
		kick  string
	}{
		{"hexabomb", []string{"--map", "pebble"}, []int{15 << 10}, 17 << 10, tooBig},
		{"set", []string{
			"--map", "pebble", "--max-message-size", "100000",
		}, []int{97 << 10}, 100_000, "Cannot read TURN_ACK. Received message size is too big: more " +
			"than 100000 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := startServe(t, append([]string{"--fast", "--autostart", "--nb-players-max", "1", "--nb-visus-max", "0", "--record", ""}, tt.args...)...)
			c := servertest.Login(t, p.addr, "a", "player")
			c.Expect("GAME_STARTS")
			for turn, size := range append(tt.sizes, tt.size) {
				c.Expect("TURN")
				c.Answer(turn, answer(size))
			}
			c.ExpectKick(tt.kick)
		})
	}
	t.Run("netorcai", func(t *testing.T) {
		p := startServer(t, func(port string) *exec.Cmd {
			return program(t, "netorcai", "--port", port, "--fast", "--nb-players-max", "1",
				"--nb-visus-max", "0", "--autostart")
		})
		logic := servertest.LoginLogic(t, p.addr)
		c := servertest.Login(t, p.addr, "a", "player")
		logic.Expect("DO_INIT")
		logic.AckInit("{}")
		logic.Expect("DO_TURN")
		logic.AckTurn(-1, "{}")
		c.Expect("GAME_STARTS")
		c.Expect("TURN")
		c.Answer(0, answer(15<<20))
		if m := logic.Expect("DO_TURN"); len(m.Raw) < 15<<20 {
			t.Errorf("DO_TURN has %d bytes, and the answer was larger", len(m.Raw))
		}
	})
}
