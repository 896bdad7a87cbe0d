package main

import (
	"strconv"
	"testing"
)

// A game logic that knows no BOT_PORT referees the match that started it: it gets the port on its
// command line, or finds the server at its port.
func TestStockLogic(t *testing.T) {
	t.Parallel()
	hexabomb := program(t, "hexabomb").Path + " lagoon"
	bot := command(t).Path + " bot painter --port={port}"
	var digests []any
	for _, port := range []int{freePort(t), freePort(t)} {
		at := strconv.Itoa(port)
		logic := hexabomb + " --port={port}"
		if len(digests) > 0 {
			logic = hexabomb + " --port=" + at
		}
		r := resultOf(t, "--game", "external", "--logic", logic, "--turns", "6", "--port", at, "--seed", "7",
			bot+" --seed 1", bot+" --seed 2")
		if got := get(t, r, "turns"); got != 6.0 {
			t.Fatalf("%s: %v turns, want 6: %v", logic, got, r)
		}
		digests = append(digests, get(t, r, "state_digest"))
	}
	if digests[0] != digests[1] {
		t.Errorf("the ports lead to the digests %v", digests)
	}
}
