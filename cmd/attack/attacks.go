//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// attack is a way to harm a server, with the options under which it was found.
type attack struct {
	name    string
	what    string
	honest  int           // number of honest bots
	pace    time.Duration // of the timer; 0: fast, with the turn timeout of deploy/compose.yaml
	turns   int           // of a match; 0: the default
	slow    int           // multiple of the usual duration, for an attack that takes time to begin; 0: 1
	arrive  bool          // measuring begins when all viewers have connected
	keep    string        // --keep-recordings; empty: the default
	room    int64         // limit of the recordings in bytes; 0: none
	players players
	readers []readers
	silent  []silent
	askers  []askers
	churn   []churners
	viewers int
	found   float64                                   // p99 in ms when the attack was first run; it replaces a lower undisturbed one
	plant   func(o *options, recordings string) error // adds files to the recordings; may be nil
	probes  []probe
	alone   func(*options, context.Context, attack) (row, error) // replaces the usual course; may be nil
}

// Limits of the recordings in bytes: the default, and that of a small folder.
const (
	keepDefault = 1 << 30
	keepSmall   = 16 << 20
)

// length returns how long the attack lasts.
func (a *attack) length(o *options) time.Duration { return time.Duration(max(1, a.slow)) * o.duration }

// scaled returns the attack with its attackers divided by a number, at least one of each kind.
func (a attack) scaled(scale int) attack {
	a.players.Count = (a.players.Count + scale - 1) / scale
	a.viewers = (a.viewers + scale - 1) / scale
	a.readers, a.silent = slices.Clone(a.readers), slices.Clone(a.silent)
	for i := range a.readers {
		a.readers[i].Count = (a.readers[i].Count + scale - 1) / scale
	}
	for i := range a.silent {
		a.silent[i].Count = (a.silent[i].Count + scale - 1) / scale
	}
	return a
}

func (a attack) title() string { return a.name }

// seats returns the number of players of a match.
func (a *attack) seats() int { return a.honest + a.players.Count }

// attacks are the attacks that once harmed a server.
var attacks = []attack{
	{
		name: "downloads", what: "900 slow readers of a recording's page, from one address", honest: 4,
		readers: []readers{{Count: 900, Paths: []string{"/api/recordings/RECORDING/page.html"}, From: []string{"127.0.0.2"}, Rate: 2000}},
	},
	{
		name: "downloads", what: "2000 slow readers of recordings and events, from 20 addresses", honest: 4,
		readers: []readers{{Count: 2000, Paths: []string{"/api/recordings/RECORDING", "/api/recordings/RECORDING/page.html", "/api/match/events"}, From: addresses(20), Rate: 2000}},
	},
	{
		name: "events", what: "slow readers of one match's events after another's, 8 KiB an answer", honest: 1,
		players: players{Count: 3, Payload: "orders", Size: 8 << 10},
		readers: []readers{{Count: 343, Paths: []string{"/api/match/events"}, From: []string{"127.0.0.2"}, Rate: 2000, Every: 30 * time.Millisecond}},
	},
	{
		name: "disk", what: "a player that answers 1 MB of random text", honest: 1,
		players: players{Count: 1, Payload: "text", Size: 1_040_000}, room: keepDefault, probes: []probe{listing},
	},
	{
		name: "disk", what: "3 players that answer 16 kB that must be recorded, in a folder of 16 MiB", honest: 1,
		players: players{Count: 3, Payload: "mixed", Size: largestAnswer}, keep: "16MiB", room: keepSmall, probes: []probe{listing},
	},
	hostilePlayers(10, "nested", 1_000_000),
	hostilePlayers(50, "nested", 1_000_000),
	hostilePlayers(180, "nested", 1_000_000),
	hostilePlayers(50, "objects", 1_000_000),
	hostilePlayers(50, "text", 1_000_000),
	hostilePlayers(180, "nested", largestAnswer),
	{
		name: "connections", what: "9000 and 1000 idle connections to the page, from two addresses", honest: 4,
		silent: []silent{{Count: 9000, From: "127.0.0.2", Page: true}, {Count: 1000, From: "127.0.0.3", Page: true}},
		probes: []probe{health}, slow: 2,
	},
	{
		name: "connections", what: "1800, 100 and 100 silent connections to the bots' port", honest: 4,
		silent: []silent{{Count: 1800, From: "127.0.0.2"}, {Count: 100, From: "127.0.0.3"}, {Count: 100, From: "127.0.0.4"}},
		probes: []probe{health, entry},
	},
	{
		name: "bombs", what: "recordings of 10 kB that unpack to 45 MB, in the page's list", honest: 4,
		plant: plantBombs, probes: []probe{listing},
	},
	{name: "bombs", what: "hexarena replay verify of these recordings", alone: verifyBombs},
	{
		name: "history", what: "matches of 65000 turns with 4 players, 8 KiB an answer", honest: 1, turns: 65_000,
		players: players{Count: 4, Payload: "orders", Size: 8 << 10}, room: keepDefault,
	},
}

// largestAnswer is close to the default limit of an answer to hexabomb, so that the whole
// message is just below it.
const largestAnswer = 16_000

// hostilePlayers returns an attack of players with large answers on the pace of a timer.
func hostilePlayers(count int, payload string, size int) attack {
	return attack{
		name: "answers", what: fmt.Sprintf("%d players that answer %d kB of %s, at 200 ms a turn", count, size/1000, payload),
		honest: 20, pace: 200 * time.Millisecond, turns: 65_000,
		players: players{Count: count, Payload: payload, Size: size},
	}
}

// addresses returns the given number of addresses of the loopback interface.
func addresses(count int) (all []string) {
	for i := range count {
		all = append(all, fmt.Sprintf("127.0.2.%d", 1+i))
	}
	return all
}
