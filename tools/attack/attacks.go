//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/tools/harness"
)

// attack is a way to harm a server, with the options under which it was found.
type attack struct {
	name   string
	what   string
	honest int // number of honest bots
	// of the timer, for a long match; 0: fast, with the turn timeout of deploy/compose.yaml
	pace  time.Duration
	flags []string // further ones of the server
	// multiple of the usual duration, for an attack that takes time to begin; 0: 1
	slow   int
	arrive bool  // measuring begins when all attackers have connected
	room   int64 // limit of the recordings in bytes; 0: none
	crowds []crowd
	// p99 in ms when the attack was first run; it replaces a lower undisturbed one
	found float64
	// adds files beside a recording; may be nil
	plant  func(story string) error
	probes []probe // requests that must be answered
	verify bool    // verify the recordings
	// replaces the usual course; may be nil
	alone func(*options, context.Context, attack) (row, error)
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
		if !players || kinds[c.Kind].plays {
			n += c.Count
		}
	}
	return n
}

// seats returns the number of players of a match.
func (a *attack) seats() int { return a.honest + a.count(true) }

// oddTurns is the number of turns of a match with odd clients: few, so that there are several
// matches in an attack.
const oddTurns = 10

// longMatch makes a match longer than an attack.
var longMatch = []string{"--turns", "65000"}

// attacks are the attacks that once harmed a server.
var attacks = []attack{
	{
		name: "downloads", what: "900 slow readers of a recording's page, from one address", honest: 4,
		crowds: []crowd{many("read", 900, 1, storyPage)},
	},
	{
		name: "downloads", what: "2000 slow readers of recordings and events, from 20 addresses",
		honest: 4,
		crowds: []crowd{
			many("read", 2000, 20, "/api/recordings/RECORDING", storyPage, "/api/match/events"),
		},
	},
	{
		name: "events", what: "slow readers of one match's events after another's, 8 KiB an answer",
		honest: 1,
		crowds: []crowd{
			players(3, "orders", 8<<10),
			{Kind: "read", Count: 343, Addresses: 1, Paths: []string{
				"/api/match/events",
			}, Every: 30 * time.Millisecond},
		},
	},
	{
		name: "disk", what: "a player that answers 1 MB of random text", honest: 1,
		crowds: []crowd{players(1, "text", 1_040_000)}, room: keepDefault, probes: []probe{listing},
	},
	{
		name: "disk", what: "3 players that answer 16 kB that must be recorded, in a folder of 16 MiB",
		honest: 1,
		crowds: []crowd{players(3, "mixed", largestAnswer)},
		flags:  []string{"--keep-recordings", "16MiB"}, room: keepSmall, probes: []probe{listing},
	},
	hostilePlayers(10, "nested", 1_000_000),
	hostilePlayers(50, "nested", 1_000_000),
	hostilePlayers(180, "nested", 1_000_000),
	hostilePlayers(50, "objects", 1_000_000),
	hostilePlayers(50, "text", 1_000_000),
	hostilePlayers(180, "nested", largestAnswer),
	{
		name: "connections", what: "9000 and 1000 idle connections to the page, from two addresses",
		honest: 4,
		crowds: []crowd{many("idle", 9000, 1), many("idle", 1000, 1)},
		probes: []probe{health}, slow: 2,
	},
	{
		name: "connections", what: "1800, 100 and 100 silent connections to the bots' port", honest: 4,
		crowds: []crowd{many("silent", 1800, 1), many("silent", 100, 1), many("silent", 100, 1)},
		probes: []probe{health, entry},
	},
	{
		name: "clients", what: "40 players that flood, stop half-way, reset, send junk or giant messages",
		honest: 8, flags: []string{"--turns", strconv.Itoa(oddTurns)},
		crowds: []crowd{many("odd", 40, 0)},
		// A turn with a client that does not answer takes as long as the server waits.
		found: harness.Milliseconds(turnTimeout), slow: 3, probes: []probe{health}, verify: true,
	},
	{
		name: "bombs", what: "recordings of 10 kB that unpack to 45 MB, in the page's list", honest: 4,
		plant: plantBombs, probes: []probe{listing},
	},
	{name: "bombs", what: "hexarena replay verify of these recordings", alone: verifyBombs},
	{
		name: "history", what: "matches of 65000 turns with 4 players, 8 KiB an answer", honest: 1,
		flags:  longMatch,
		crowds: []crowd{players(4, "orders", 8<<10)}, room: keepDefault,
	},
	{name: "sign-ups", what: "400 sign-ups with the right code from two addresses, and a class of " +
		"30", alone: onEvent(fillEvent)},
	{name: "codes", what: "10000 wrong codes to sign up, and 30 right ones from the same " +
		"address", alone: onEvent(wrongCodes)},
	{name: "tokens", what: "2000 logins with a wrong token at an event", alone: onEvent(wrongTokens)},
	{name: "versions", what: "8 versions that never log in and 16 uploads that do not " +
		"arrive", alone: onEvent(
		sleepingVersions)},
	{name: "workers", what: "4300 silent connections to the port of workers, from 200 " +
		"addresses", alone: onEvent(
		silentWorkers)},
	{name: "workers", what: "a worker that sends results of 1 MB without a match, as fast as it " +
		"can", alone: onEvent(
		junkResults)},
	{name: "folders", what: "strangers' cups and bots: links to /dev/zero, pipes, 1 " +
		"GiB", alone: strangeFolders},
	{name: "submissions", what: "a submission that says that it is small and unpacks to 2200 MiB, " +
		"in an exam", alone: examSubmissions},
}

// heldAttacks are the attacks that have never stopped a server, made an honest bot lose a
// turn or taken much memory. Their figures in found were measured on two processors that
// server, bots and attackers shared; that of 1000 viewers with this program, which confines
// the server to one of them and counts the turns during which the viewers arrive.
var heldAttacks = []attack{
	{name: "idle", what: "1700 connections to the page that are kept alive, from 20 " +
		"addresses", honest: 4, crowds: []crowd{many("idle", 1700, 20)}},
	{name: "drip", what: "1700 requests that never end, from 20 addresses", honest: 4, crowds: []crowd{
		many("drip", 1700, 20),
	}},
	{name: "churn", what: "connections that say what is no message", honest: 4, crowds: []crowd{
		many("garbage", 8, 0),
	}, found: 6.3},
	{name: "churn", what: "logins of visualizations", honest: 4, crowds: []crowd{
		many("visualization", 8, 0),
	}, found: 8.0},
	{name: "churn", what: "logins of players", honest: 4, crowds: []crowd{
		many("player", 8, 0),
	}, found: 8.5},
	{name: "ask", what: "50 clients that ask for the events of the match, again and " +
		"again", honest: 4, crowds: ask(
		"/api/match/events"), found: 22},
	{name: "ask", what: "50 clients that ask for its state", honest: 4, crowds: ask(
		"/api/match/state"), found: 7.7},
	{name: "ask", what: "50 clients that ask for the page", honest: 4, crowds: ask("/"), found: 10.8},
	{
		name: "ask", what: "50 clients that ask for a recording's page", honest: 4,
		crowds: ask(storyPage), found: 3.5,
	},
	{
		name: "viewers", what: "1000 viewers of a fast match", honest: 4,
		crowds: []crowd{many("view", 1000, 2)}, arrive: true, probes: []probe{health}, found: 52.7,
	},
	{
		name: "viewers", what: "2000 viewers of a match at 200 ms a turn", honest: 4,
		pace:   200 * time.Millisecond,
		crowds: []crowd{many("view", 2000, 4)}, arrive: true,
	},
	{
		name: "mute", what: "180 players that neither read nor answer, at 200 ms a turn", honest: 20,
		pace:   200 * time.Millisecond,
		crowds: []crowd{players(180, "", 0)},
	},
}

// storyPage is the path of the page of the recording that each server has.
const storyPage = "/api/recordings/RECORDING/page.html"

// largestAnswer is close to the default limit of an answer to hexabomb, so that the whole
// message is just below it.
const largestAnswer = 16_000

// many returns attackers of a kind, from a number of addresses, which request paths.
func many(kind string, count, addresses int, paths ...string) crowd {
	return crowd{Kind: kind, Count: count, Addresses: addresses, Paths: paths}
}

// ask returns clients that request a path again and again.
func ask(path string) []crowd { return []crowd{many("ask", 50, 0, path)} }

// addressSize is the number of hostile players from one address, below the server's limit.
const addressSize = 60

// players returns hostile players with answers of about size bytes; without a payload they
// neither read nor answer.
func players(count int, payload string, size int) crowd {
	return crowd{
		Kind: play, Count: count, Addresses: (count + addressSize - 1) / addressSize, Payload: payload,
		Size: size,
	}
}

// hostilePlayers returns an attack of players with large answers on the pace of a timer.
func hostilePlayers(count int, payload string, size int) attack {
	return attack{
		name: "answers",
		what: fmt.Sprintf("%d players that answer %d kB of %s, at 200 ms a turn", count, size/1000,
			payload),
		honest: 20, pace: 200 * time.Millisecond, crowds: []crowd{players(count, payload, size)},
	}
}
