//go:build linux

package main

import (
	"fmt"
	"time"
)

// heldAttacks are the attacks that have never stopped a server, made an honest bot lose a
// turn or taken much memory. Their figures in found were measured on two processors that
// server, bots and attackers shared; that of 1000 viewers with this program, which confines
// the server to one of them and counts the turns during which the viewers arrive.
var heldAttacks = []attack{
	{name: "idle", what: "1700 connections to the page that are kept alive, from 20 addresses", honest: 4, silent: fromEach(20, silent{Count: 85, Page: true})},
	{name: "drip", what: "1700 requests that never end, from 20 addresses", honest: 4, silent: fromEach(20, silent{Count: 85, Page: true, Slowly: true})},
	{name: "churn", what: "connections that say what is no message", honest: 4, churn: []churners{{Count: 8, Say: "garbage"}}, found: 6.3},
	{name: "churn", what: "logins of visualizations", honest: 4, churn: []churners{{Count: 8, Say: "visualization"}}, found: 8.0},
	{name: "churn", what: "logins of players", honest: 4, churn: []churners{{Count: 8, Say: "player"}}, found: 8.5},
	{name: "ask", what: "50 clients that ask for the events of the match, again and again", honest: 4, askers: []askers{{Count: 50, Path: "/api/match/events"}}, found: 22},
	{name: "ask", what: "50 clients that ask for its state", honest: 4, askers: []askers{{Count: 50, Path: "/api/match/state"}}, found: 7.7},
	{name: "ask", what: "50 clients that ask for the page", honest: 4, askers: []askers{{Count: 50, Path: "/"}}, found: 10.8},
	{name: "ask", what: "50 clients that ask for a recording's page", honest: 4, askers: []askers{{Count: 50, Path: "/api/recordings/RECORDING/page.html"}}, found: 3.5},
	{name: "viewers", what: "1000 viewers of a fast match", honest: 4, viewers: 1000, arrive: true, probes: []probe{health}, found: 52.7},
	{name: "viewers", what: "2000 viewers of a match at 200 ms a turn", honest: 4, pace: 200 * time.Millisecond, turns: 65_000, viewers: 2000, arrive: true},
	{
		name: "mute", what: "180 players that neither read nor answer, at 200 ms a turn", honest: 20,
		pace: 200 * time.Millisecond, turns: 65_000, players: players{Count: 180},
	},
}

// fromEach returns the same silent connections from each of count addresses.
func fromEach(count int, s silent) (all []silent) {
	for i := range count {
		s.From = fmt.Sprintf("127.0.2.%d", 1+i)
		all = append(all, s)
	}
	return all
}
