package main

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/servertest"
)

func TestAnswerSize(t *testing.T) {
	for _, tt := range []struct{ player, special, want int }{
		{1, 0, 16 << 10}, {44, 0, 16 << 10}, {100, 0, 30720}, {7, 200, 56320},
	} {
		m := &hexabomb.Map{Starts: [][]hexgrid.Coord{make([]hexgrid.Coord, tt.player)}, Specials: make([]hexgrid.Coord, tt.special)}
		got := answerSize(m)
		if got != tt.want {
			t.Errorf("%d characters, special ones %d: %d bytes, want %d", tt.player, tt.special, got, tt.want)
		}
		longest := fmt.Sprintf(`{"id": %d, "movement": "revive", "direction": "x+", "bomb_range": 100, "bomb_delay": 100},`, -1<<31)
		if n := max(tt.player, tt.special) * len(longest) * 2; n > got {
			t.Errorf("answers of %d bytes do not fit %d", n, got)
		}
	}
	for _, name := range maps.Names() { // none needs more than what the documentation says
		m, err := maps.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := answerSize(m); n != usualAnswer {
			t.Errorf("map %s: %d bytes", name, n)
		}
	}
}

// An answer that is larger than the game needs costs the seat, before it is read; what
// the operator says wins, and netorcai takes what it always took.
func TestAnswersAreAsLargeAsTheGameNeeds(t *testing.T) {
	answer := func(size int) string { return `["` + strings.Repeat("x", size) + `"]` }
	const tooBig = "Cannot read TURN_ACK. Received message size is too big: more than 16384 bytes"
	for _, tt := range []struct {
		name  string
		args  []string
		sizes []int // of answers that are taken
		size  int   // of one that is not; 0: none
		kick  string
	}{
		{"hexabomb", []string{"--map", "pebble"}, []int{15 << 10}, 17 << 10, tooBig},
		{"set", []string{"--map", "pebble", "--max-message-size", "100000"}, []int{97 << 10}, 100_000, "Cannot read TURN_ACK. Received message size is too big: more than 100000 bytes"},
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
			return program(t, "netorcai", "--port", port, "--fast", "--nb-players-max", "1", "--nb-visus-max", "0", "--autostart")
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
