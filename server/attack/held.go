//go:build linux

package main

import (
	"fmt"
	"time"
)

// heldAttacks are those that have never stopped a server, lost an honest bot a turn or
// taken much memory. What their p99 may be, where it was more than twice the
// undisturbed one, was measured with attackers on the same two processors.
var heldAttacks = []attack{
	{name: "idle", what: "1700 connections to the page that are kept alive, from 20 addresses", honest: 4, silent: fromEach(20, silent{Count: 85, Page: true})},
	{name: "drip", what: "1700 requests that never end, from 20 addresses", honest: 4, silent: fromEach(20, silent{Count: 85, Page: true, Slowly: true})},
	{name: "churn", what: "connections that say what is no message", honest: 4, churn: []churners{{Count: 8, Say: "garbage"}}},
	{name: "churn", what: "logins of visualizations", honest: 4, churn: []churners{{Count: 8, Say: "visualization"}}},
	{name: "churn", what: "logins of players", honest: 4, churn: []churners{{Count: 8, Say: "player"}}},
	{name: "ask", what: "50 clients that ask for the events of the match, again and again", honest: 4, askers: []askers{{Count: 50, Path: "/api/match/events"}}, most: 22 + delaySlack},
	{name: "ask", what: "50 clients that ask for its state", honest: 4, askers: []askers{{Count: 50, Path: "/api/match/state"}}},
	{name: "ask", what: "50 clients that ask for the page", honest: 4, askers: []askers{{Count: 50, Path: "/"}}, most: 10.8 + delaySlack},
	{name: "ask", what: "50 clients that ask for a recording's page", honest: 4, askers: []askers{{Count: 50, Path: "/api/recordings/RECORDING/page.html"}}},
	{name: "viewers", what: "1000 viewers of a fast match", honest: 4, viewers: 1000, probes: []probe{health}},
	{name: "viewers", what: "2000 viewers of a match at 200 ms a turn", honest: 4, pace: 200 * time.Millisecond, turns: 65_000, viewers: 2000, most: 1000, slow: 2},
	{
		name: "mute", what: "180 players that neither read nor answer, at 200 ms a turn", honest: 20,
		pace: 200 * time.Millisecond, turns: 65_000, players: players{Count: 180},
	},
}

// fromEach is the same silent connections from each of so many addresses.
func fromEach(count int, s silent) (all []silent) {
	for i := range count {
		s.From = fmt.Sprintf("127.0.2.%d", 1+i)
		all = append(all, s)
	}
	return all
}
