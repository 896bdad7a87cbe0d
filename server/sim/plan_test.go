package sim

import (
	"fmt"
	"time"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/session"
)

// plan is what happens in a world, as far as it is drawn before it begins.
type plan struct {
	players int // seats of a match
	visus   int // seats of visualizations
	radius  int // of the board
	turns   int
	matches int // one after another
	rooms   int // in which matches are played at the same time

	delay     time.Duration // from turn to turn; 0: a turn ends when all have answered
	limit     time.Duration // of a turn without a delay; 0: no limit
	floor     time.Duration // a turn without a delay takes at least that long
	grace     time.Duration // for a player to come back
	patience  time.Duration // for seats to be taken
	autostart bool
	quits     time.Duration // after which the operator ends the server; 0: after the last match
	drains    bool          // then, matches that have opened are still played

	builtins []string // bots in the server's process, which have the first seats
	duel     bool     // hexagonal tic-tac-toe is played
	clock    hextictactoe.Clock
	thinking time.Duration // for a move without a clock
	row      int           // that wins a duel
	requests int           // of other duels
	setup    []byte        // the options of a duel on request
	// conduct of the game logic that connects; empty: the rules are the server's
	logic    string
	timeout  time.Duration // for a turn of it
	partners []string      // bots of the HTTTX Bot API, which dial in
	people   []string      // who play at the page, by the same packets

	personGrace time.Duration // for one of them to come back
	listeners   []string      // bots that the server dials, as many for each room
	started     []string      // bots that the server starts, as many for each room
	stdio       []bool        // which of these use their standard input and output
	staying     int           // bots that go on to run between matches, at the most
	traced      bool          // the server sees whose a connection is
	startTime   time.Duration // for a started bot to log in
	once        bool          // each started bot has one chance, one after another
	strict      bool          // then, an unknown client never gets the seat of one
	needAll     bool          // then, the match needs all of them

	tokens  bool // only clients with tokens may log in
	durable recording.Durability
	crashes int     // of the server, each followed by a new one
	trouble Trouble // that the disk is in for a while

	options   session.Allowances
	limits    limits.PortLimits
	writing   time.Duration // for a client to read what it is sent; 0: no limit
	linger    time.Duration
	honest    int // players that keep to the rules, in all rooms
	others    []string
	viewers   []string
	page      bool // there is a page, on both ports of the server
	browsers  int  // that show it
	strangers int
}

// usurps reports whether a client of unknown origin may have the seat of a started bot, until that
// bot comes.
func (p *plan) usurps() bool { return p.once && !p.strict }

// Bounds of what an honest bot needs for a turn: it thinks, and both ways take time. Turns are
// long enough for it, so that it loses none by itself.
const (
	think    = 20 * time.Millisecond
	distance = 40 * time.Millisecond // one way, at the most
	turnTime = 250 * time.Millisecond
	pause    = 100 * time.Millisecond // after an answer in a duel, before it reads on
)

// startedCommand returns the command that starts a bot.
func startedCommand(conduct string, i int) []string {
	return []string{conduct + " started", fmt.Sprint(i)}
}

func (p *plan) String() string {
	return fmt.Sprintf("%+v", *p)
}

// game returns what is played.
func (p *plan) game() games.Instance {
	if p.duel {
		return p.instance()
	}
	if p.logic != "" {
		return games.Instance{}
	}
	b := board(p.radius, p.players)
	return games.Instance{New: func() engine.Game { return hexabomb.New(b) }, Setup: b.AppendJSON(nil)}
}

// settings returns the settings of a match.
func (p *plan) settings() match.Settings {
	return match.Settings{
		Players: p.players, Visus: p.visus, Turns: p.turns,
		DelayTurns: float64(p.delay) / float64(time.Millisecond),
	}
}

// pace returns when the turns of a match end.
func (p *plan) pace(s match.Settings) match.Pace {
	if p.duel {
		return p.tempo()
	}
	if p.delay > 0 {
		return match.Timer(0, time.Duration(s.DelayTurns*float64(time.Millisecond)))
	}
	return match.Fast(p.limit, p.floor)
}

// seats returns the seats of the bots that the server seats in a room, and how they are taken.
func (p *plan) seats(g *generation, room int) (list []seat.Spec, o seating.Options) {
	for i, name := range p.builtins {
		list = append(list, seat.Spec{Kind: seat.Builtin, Builtin: name, Label: fmt.Sprint(name, i)})
	}
	for i := range p.listeners {
		if i%p.rooms == room {
			list = append(
				list,
				seat.Spec{
					Kind: seat.Address, URL: string(listenerAddress(i)), Label: fmt.Sprint("listener", i),
				},
			)
		}
	}
	for i, conduct := range p.started {
		if i%p.rooms == room {
			list = append(
				list,
				seat.Spec{
					Kind: seat.Process, Argv: startedCommand(conduct, i), Stdio: p.stdio[i],
					Label: fmt.Sprint("started", i),
				},
			)
		}
	}
	if p.once {
		o.Fill = &seating.Once{Strict: p.strict, NeedAll: p.needAll}
	}
	o.Launch.Timeout = p.startTime
	o.HTTTX, o.Options = p.duel, direct.Options{Connect: g.connect, Builtin: func(name string, seed uint64) (netorcai.Bot, error) {
		strategies := bots.New
		if p.duel {
			strategies = bots.NewTicTacToe
		}
		return bots.Clients(name, strategies)(seed), nil
	}}
	return list, o
}

// order returns the order of a turn's answers: those of several built-in bots come at the same
// instant, in any order.
func (p *plan) order() match.Order {
	if len(p.builtins) > 1 {
		return match.Seeded
	}
	return match.Arrival
}

// board returns a hexagon of that radius with one character for each player.
func board(radius, players int) *hexabomb.Map {
	b := &hexabomb.Map{}
	for q := -radius; q <= radius; q++ {
		for r := -radius; r <= radius; r++ {
			c := hexgrid.Coord{Q: q, R: r}
			if hexgrid.Distance(c, hexgrid.Coord{}) > radius {
				continue
			}
			b.Cells = append(b.Cells, c)
			if len(b.Starts) < players {
				b.Starts = append(b.Starts, []hexgrid.Coord{c})
			}
		}
	}
	return b
}
