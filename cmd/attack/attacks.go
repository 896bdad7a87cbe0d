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
	name   string
	what   string
	honest int           // number of honest bots
	pace   time.Duration // of the timer, for a long match; 0: fast, with the turn timeout of deploy/compose.yaml
	flags  []string      // further ones of the server
	slow   int           // multiple of the usual duration, for an attack that takes time to begin; 0: 1
	arrive bool          // measuring begins when all attackers have connected
	room   int64         // limit of the recordings in bytes; 0: none
	crowds []crowd
	found  float64                                              // p99 in ms when the attack was first run; it replaces a lower undisturbed one
	plant  func(story string) error                             // adds files beside a recording; may be nil
	probes []probe                                              // requests that must be answered
	alone  func(*options, context.Context, attack) (row, error) // replaces the usual course; may be nil
}

// Limits of the recordings in bytes: the default, and that of a small folder.
const (
	keepDefault = 1 << 30
	keepSmall   = 16 << 20
)

// scaled returns the attack with its attackers divided by a number, at least one of each
// crowd.
func (a attack) scaled(scale int) attack {
	a.crowds = slices.Clone(a.crowds)
	for i := range a.crowds {
		a.crowds[i].Count = (a.crowds[i].Count + scale - 1) / scale
	}
	return a
}

// count returns the number of attackers, or of those of them that play.
func (a *attack) count(players bool) (n int) {
	for _, c := range a.crowds {
		if !players || c.Kind == play {
			n += c.Count
		}
	}
	return n
}

// seats returns the number of players of a match.
func (a *attack) seats() int { return a.honest + a.count(true) }

// longMatch makes a match longer than an attack.
var longMatch = []string{"--turns", "65000"}

// attacks are the attacks that once harmed a server.
var attacks = []attack{
	{
		name: "downloads", what: "900 slow readers of a recording's page, from one address", honest: 4,
		crowds: []crowd{{Kind: "read", Count: 900, Addresses: 1, Paths: []string{storyPage}}},
	},
	{
		name: "downloads", what: "2000 slow readers of recordings and events, from 20 addresses", honest: 4,
		crowds: []crowd{{Kind: "read", Count: 2000, Addresses: 20, Paths: []string{"/api/recordings/RECORDING", storyPage, "/api/match/events"}}},
	},
	{
		name: "events", what: "slow readers of one match's events after another's, 8 KiB an answer", honest: 1,
		crowds: []crowd{
			{Kind: play, Count: 3, Addresses: 1, Payload: "orders", Size: 8 << 10},
			{Kind: "read", Count: 343, Addresses: 1, Paths: []string{"/api/match/events"}, Every: 30 * time.Millisecond},
		},
	},
	{
		name: "disk", what: "a player that answers 1 MB of random text", honest: 1,
		crowds: []crowd{{Kind: play, Count: 1, Addresses: 1, Payload: "text", Size: 1_040_000}}, room: keepDefault, probes: []probe{listing},
	},
	{
		name: "disk", what: "3 players that answer 16 kB that must be recorded, in a folder of 16 MiB", honest: 1,
		crowds: []crowd{{Kind: play, Count: 3, Addresses: 1, Payload: "mixed", Size: largestAnswer}}, flags: []string{"--keep-recordings", "16MiB"}, room: keepSmall, probes: []probe{listing},
	},
	hostilePlayers(10, "nested", 1_000_000),
	hostilePlayers(50, "nested", 1_000_000),
	hostilePlayers(180, "nested", 1_000_000),
	hostilePlayers(50, "objects", 1_000_000),
	hostilePlayers(50, "text", 1_000_000),
	hostilePlayers(180, "nested", largestAnswer),
	{
		name: "connections", what: "9000 and 1000 idle connections to the page, from two addresses", honest: 4,
		crowds: []crowd{{Kind: "idle", Count: 9000, Addresses: 1}, {Kind: "idle", Count: 1000, Addresses: 1}},
		probes: []probe{health}, slow: 2,
	},
	{
		name: "connections", what: "1800, 100 and 100 silent connections to the bots' port", honest: 4,
		crowds: []crowd{{Kind: "silent", Count: 1800, Addresses: 1}, {Kind: "silent", Count: 100, Addresses: 1}, {Kind: "silent", Count: 100, Addresses: 1}},
		probes: []probe{health, entry},
	},
	{
		name: "bombs", what: "recordings of 10 kB that unpack to 45 MB, in the page's list", honest: 4,
		plant: plantBombs, probes: []probe{listing},
	},
	{name: "bombs", what: "hexarena replay verify of these recordings", alone: verifyBombs},
	{
		name: "history", what: "matches of 65000 turns with 4 players, 8 KiB an answer", honest: 1, flags: longMatch,
		crowds: []crowd{{Kind: play, Count: 4, Addresses: 1, Payload: "orders", Size: 8 << 10}}, room: keepDefault,
	},
}

// heldAttacks are the attacks that have never stopped a server, made an honest bot lose a
// turn or taken much memory. Their figures in found were measured on two processors that
// server, bots and attackers shared; that of 1000 viewers with this program, which confines
// the server to one of them and counts the turns during which the viewers arrive.
var heldAttacks = []attack{
	{name: "idle", what: "1700 connections to the page that are kept alive, from 20 addresses", honest: 4, crowds: []crowd{{Kind: "idle", Count: 1700, Addresses: 20}}},
	{name: "drip", what: "1700 requests that never end, from 20 addresses", honest: 4, crowds: []crowd{{Kind: "drip", Count: 1700, Addresses: 20}}},
	{name: "churn", what: "connections that say what is no message", honest: 4, crowds: []crowd{{Kind: "garbage", Count: 8}}, found: 6.3},
	{name: "churn", what: "logins of visualizations", honest: 4, crowds: []crowd{{Kind: "visualization", Count: 8}}, found: 8.0},
	{name: "churn", what: "logins of players", honest: 4, crowds: []crowd{{Kind: "player", Count: 8}}, found: 8.5},
	{name: "ask", what: "50 clients that ask for the events of the match, again and again", honest: 4, crowds: ask("/api/match/events"), found: 22},
	{name: "ask", what: "50 clients that ask for its state", honest: 4, crowds: ask("/api/match/state"), found: 7.7},
	{name: "ask", what: "50 clients that ask for the page", honest: 4, crowds: ask("/"), found: 10.8},
	{name: "ask", what: "50 clients that ask for a recording's page", honest: 4, crowds: ask(storyPage), found: 3.5},
	{name: "viewers", what: "1000 viewers of a fast match", honest: 4, crowds: []crowd{{Kind: "view", Count: 1000, Addresses: 2}}, arrive: true, probes: []probe{health}, found: 52.7},
	{
		name: "viewers", what: "2000 viewers of a match at 200 ms a turn", honest: 4, pace: 200 * time.Millisecond,
		crowds: []crowd{{Kind: "view", Count: 2000, Addresses: 4}}, arrive: true,
	},
	{
		name: "mute", what: "180 players that neither read nor answer, at 200 ms a turn", honest: 20, pace: 200 * time.Millisecond,
		crowds: []crowd{{Kind: play, Count: 180, Addresses: 3}},
	},
}

// storyPage is the path of the page of the recording that each server has.
const storyPage = "/api/recordings/RECORDING/page.html"

// largestAnswer is close to the default limit of an answer to hexabomb, so that the whole
// message is just below it.
const largestAnswer = 16_000

// addressSize is the number of hostile players from one address, below the server's limit.
const addressSize = 60

// hostilePlayers returns an attack of players with large answers on the pace of a timer.
func hostilePlayers(count int, payload string, size int) attack {
	return attack{
		name: "answers", what: fmt.Sprintf("%d players that answer %d kB of %s, at 200 ms a turn", count, size/1000, payload),
		honest: 20, pace: 200 * time.Millisecond,
		crowds: []crowd{{Kind: play, Count: count, Addresses: (count + addressSize - 1) / addressSize, Payload: payload, Size: size}},
	}
}

// ask returns 50 clients that request a path again and again.
func ask(path string) []crowd { return []crowd{{Kind: "ask", Count: 50, Paths: []string{path}}} }
