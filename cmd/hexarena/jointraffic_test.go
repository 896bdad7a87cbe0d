//go:build unix

package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// A room of 40 teams with hexarena join at 20 turns a second sends and gets at most 5 Mbit/s, also
// in matches of 100 turns, and each bot is told how it did in the match that it has just played.
func TestJoinTraffic(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	const teams, rate, turns, seats = 40, 20, 100, 4
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send", "off",
		"--turns", fmt.Sprint(turns), "--turn-timeout", "5m")
	g := openGateway(t, e.addr)
	names := []string{"Ann", "Bob", "Carl", "Dora"}
	joined := map[string]*process{}
	for i, token := range e.signUp(names...) {
		joined[names[i]] = start(
			t,
			command(t, "join", "http://"+g.Addr().String()+"/#token="+token,
				command(t).Path+" bot painter --port {port}"),
		)
	}
	for round := 1; round <= thorough.Size(2, 3); round++ {
		e.awaitReady(seats)
		before := g.passed.Load()
		e.typeLines("round")
		said := map[string]string{}
		for name, join := range joined {
			said[name] = join.waitLine("is over")
		}
		if mbit := float64(g.passed.Load()-before) / seats * teams / turns * rate * 8 / 1e6; mbit > 5 {
			t.Errorf("round %d takes %.1f Mbit/s for %d teams", round, mbit, teams)
		}
		e.awaitRows(round)
		row := e.lastRow()
		for name, line := range said {
			want := fmt.Sprintf("Match %d is over: rank %d of %d.", round,
				row.Ranks[slices.Index(row.Bots, name)], seats)
			if line != want {
				t.Errorf("the bot of %s is told %q, want %q", name, line, want)
			}
		}
	}
}
