package sim

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/access"
	"github.com/hexarena/hexarena/server/connlimit"
	"github.com/hexarena/hexarena/server/games"
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
	logic    string        // conduct of the game logic that connects; empty: the rules are the server's
	timeout  time.Duration // for a turn of it
	partners []string      // bots of the HTTTX Bot API, which dial in
	people   []string      // who play at the page, by the same packets

	personGrace time.Duration // for one of them to come back
	listeners   []string      // bots that the server dials, as many for each room
	started     []string      // bots that the server starts, as many for each room
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
	limits    connlimit.Limits
	writing   time.Duration // for a client to read what it is sent; 0: no limit
	linger    time.Duration
	honest    int // players that keep to the rules, in all rooms
	others    []string
	viewers   []string
	page      bool // there is a page, on both ports of the server
	browsers  int  // that show it
	strangers int
}

// usurps reports whether a client of unknown origin may have the seat of a started bot, until that bot comes.
func (p *plan) usurps() bool { return p.once && !p.strict }

// Bounds of what an honest bot needs for a turn: it thinks, and both ways take time. Turns are
// long enough for it, so that it loses none by itself.
const (
	think    = 20 * time.Millisecond
	distance = 40 * time.Millisecond // one way, at the most
	turnTime = 250 * time.Millisecond
	pause    = 100 * time.Millisecond // after an answer in a duel, before it reads on
)

// longWorlds is the number of worlds of which one is long.
const longWorlds = 500

// newPlan draws a plan, from a second random stream whether it is another game that is played,
// and whether built-in bots take part.
func newPlan(rng, others *rand.Rand) *plan {
	p := drawPlan(rng)
	switch {
	case chance(others, duelWorlds):
		p.challenge(others)
	case p.rooms == 1 && chance(others, builtinWorlds):
		p.enlist(others)
	case chance(others, logicWorlds):
		p.delegate(others)
	case chance(others, startedWorlds):
		p.launch(others)
	}
	return p
}

// startedCommand returns the command that starts a bot.
func startedCommand(conduct string, i int) []string {
	return []string{conduct + " started", fmt.Sprint(i)}
}

// startedWorlds is the number of the other worlds of which one has bots that the server starts.
const startedWorlds = 5

// launch has the server start bots, in the seats of others.
func (p *plan) launch(rng *rand.Rand) {
	conducts := []string{"honest", "honest", "honest", "slow", "leaving", "crashing", "early", "never", "missing", "unsteady", "stubborn"}
	seats := 1 + rng.IntN(min(4, p.players))
	if p.players <= mostBots && chance(rng, 4) {
		p.players = seats // so that other clients get none
	}
	for range p.rooms * seats {
		p.started = append(p.started, conducts[rng.IntN(len(conducts))])
	}
	for range p.started {
		switch {
		case len(p.others) > 0:
			p.others = p.others[1:]
		case p.honest > 0:
			p.honest--
		}
	}
	p.tokens = false // which started bots would need, too
	p.traced = !chance(rng, 4)
	p.startTime = between(rng, 1500*time.Millisecond, 5*time.Second)
	if p.rooms == 1 && chance(rng, 3) {
		p.once, p.strict, p.needAll = true, chance(rng, 2), chance(rng, 4)
		p.autostart = false // or the match would be started by both, at the same instant
		p.patience += 10 * time.Second
	}
}

// builtinWorlds is the number of worlds of hexabomb of which one has built-in bots.
const builtinWorlds = 6

// enlist has built-in bots play as well, in the seats of others.
func (p *plan) enlist(rng *rand.Rand) {
	for range 1 + rng.IntN(min(3, p.players)) {
		p.builtins = append(p.builtins, []string{"painter", "random"}[rng.IntN(2)])
	}
	p.others = p.others[min(len(p.builtins), len(p.others)):]
	p.floor = max(p.floor, between(rng, 1, time.Millisecond)) // or they play alone in no time
}

// drawPlan draws a plan of matches of hexabomb between clients.
func drawPlan(rng *rand.Rand) *plan {
	p := &plan{
		players: 5 + rng.IntN(5), visus: rng.IntN(3), radius: 2 + rng.IntN(2), turns: 5 + rng.IntN(11),
		matches: 1 + rng.IntN(2), rooms: 1,
		patience: between(rng, 3*time.Second, 8*time.Second), autostart: !chance(rng, 4),
		limits: connlimit.Limits{Connections: 100, PerAddress: 8},
	}
	p.matches += rng.IntN(2)
	if chance(rng, longWorlds) {
		p.players, p.radius, p.matches = longBots, 4, 1
	} else if chance(rng, 5) {
		p.rooms, p.matches = 2, 1
		p.players = 3 + rng.IntN(mostBots/2-2)
	} else if chance(rng, 5) { // so that all players may be gone at the same time
		p.players = 1 + rng.IntN(3)
	}
	switch rng.IntN(3) {
	case 0:
		p.delay = between(rng, turnTime, 2*turnTime)
	case 1:
		p.limit = between(rng, turnTime, 4*turnTime)
	}
	if chance(rng, 2) {
		p.grace = between(rng, time.Second, 10*time.Second)
	}
	if chance(rng, 3) {
		p.quits, p.drains = between(rng, 0, 10*time.Second), chance(rng, 3)
	}
	if chance(rng, 2) {
		p.writing = between(rng, 500*time.Millisecond, 5*time.Second)
	}
	if chance(rng, 2) {
		p.linger = between(rng, 0, 5*time.Second)
	}
	if chance(rng, 2) {
		p.options.Player = session.Allowance{Size: 4 << 10, Rate: 100, Depth: 20}
		p.options.Visualization = p.options.Player
	}
	p.tokens = chance(rng, 3)
	p.durable = recording.Durability(rng.IntN(3))
	if chance(rng, 4) {
		p.crashes = 1 + rng.IntN(2)
	}
	if p.rooms == 1 && chance(rng, 5) {
		p.trouble = drawTrouble(rng)
	}
	if p.players <= mostBots {
		p.bound()
	}
	p.invite(rng)
	return p
}

// invite draws who takes part. A bot that never answers would stop a match without a limit.
func (p *plan) invite(rng *rand.Rand) {
	conducts := []string{"slow", "garbled", "flooding", "leaving", "leaving"}
	if p.delay > 0 || p.limit > 0 {
		conducts = append(conducts, "silent", "deaf")
	}
	for range p.players * p.rooms {
		if chance(rng, 2) {
			p.honest++
		} else {
			p.others = append(p.others, conducts[rng.IntN(len(conducts))])
		}
	}
	for range p.visus * p.rooms {
		p.viewers = append(p.viewers, []string{"attentive", "slow", "silent", "deaf", "leaving"}[rng.IntN(5)])
	}
	if p.page = chance(rng, 2); p.page {
		// What a WebSocket is sent is written by a goroutine of its own: of turns of one instant,
		// which it is sent is chance.
		p.floor = between(rng, 1, time.Millisecond)
		p.browsers = rng.IntN(4)
	}
	if chance(rng, 3) {
		p.strangers = 1 + rng.IntN(12)
	}
}

func (p *plan) String() string {
	return fmt.Sprintf("%+v", *p)
}

// gate returns what decides which clients may log in, or nil.
func (p *plan) gate() session.Gate {
	if !p.tokens {
		return nil
	}
	var lines []byte
	for i := range p.honest {
		lines = access.Append(lines, access.Player, tokenOf(fmt.Sprintf("honest%02d", i)), "")
	}
	for i, conduct := range p.others {
		lines = access.Append(lines, access.Player, tokenOf(fmt.Sprintf("%s%02d", conduct, i)), "")
	}
	for i, conduct := range p.partners {
		lines = access.Append(lines, access.Player, tokenOf(fmt.Sprintf("%sbot%02d", conduct, i)), "")
	}
	for i, conduct := range p.people {
		lines = access.Append(lines, access.Player, tokenOf(fmt.Sprintf("%sperson%02d", conduct, i)), "")
	}
	for i := range p.viewers {
		lines = access.Append(lines, access.Visualization, tokenOf(fmt.Sprintf("viewer%02d", i)), "")
	}
	if lines == nil {
		return nil
	}
	list, err := access.Read(bytes.NewReader(lines))
	if err != nil {
		panic(err)
	}
	return list
}

// tokenOf returns the token of a guest.
func tokenOf(name string) string { return "token-" + name }

// cast starts the actors.
func (p *plan) cast(w *World) {
	w.act("operator", p.operate)
	hosts := w.rand("hosts")
	for i := range p.honest {
		w.act(fmt.Sprintf("honest%02d", i), p.guest("player", "honest", fmt.Sprintf("10.0.1.%d", i/4), w.rand(fmt.Sprint("link ", i))).play)
	}
	for i, conduct := range p.others {
		g := p.guest("player", conduct, fmt.Sprintf("10.0.2.%d", hosts.IntN(3)), w.rand(fmt.Sprint("other link ", i)))
		w.act(fmt.Sprintf("%s%02d", conduct, i), g.play)
	}
	if p.logic != "" {
		w.act("logic", (&logic{plan: p, quality: p.quality(w.rand("logic link"), "honest")}).play)
	}
	for i, conduct := range p.partners {
		o := p.newPartner(conduct, fmt.Sprintf("10.0.6.%d", i/2), w.rand(fmt.Sprint("partner link ", i)))
		w.act(fmt.Sprintf("%sbot%02d", conduct, i), o.play)
	}
	for i, conduct := range p.people {
		o := p.newPartner(conduct, fmt.Sprintf("10.0.9.%d", i), w.rand(fmt.Sprint("person link ", i)))
		o.person = true
		w.act(fmt.Sprintf("%sperson%02d", conduct, i), o.play)
	}
	for i, conduct := range p.listeners {
		w.act(fmt.Sprintf("%slistener%02d", conduct, i), p.newListening(w, conduct, i).play)
	}
	for i := range p.requests {
		w.act(fmt.Sprintf("requester%02d", i), p.newRequester(i, w.rand(fmt.Sprint("requester link ", i))).request)
	}
	for i, conduct := range p.viewers {
		g := p.guest("visualization", conduct, fmt.Sprintf("10.0.3.%d", i), w.rand(fmt.Sprint("viewer link ", i)))
		w.act(fmt.Sprintf("viewer%02d", i), g.play)
	}
	for i := range p.browsers {
		w.act(fmt.Sprintf("browser%02d", i), newBrowser(w.rand(fmt.Sprint("browser link ", i))).browse)
	}
	for i := range p.strangers {
		g := p.guest("", "stranger", "10.0.4.1", w.rand(fmt.Sprint("stranger link ", i)))
		w.act(fmt.Sprintf("stranger%02d", i), g.intrude)
	}
}

// quality draws how good a connection is: of an honest bot, good enough.
func (p *plan) quality(rng *rand.Rand, conduct string) quality {
	least := between(rng, 10*time.Microsecond, distance/2)
	if chance(rng, 4) { // of the same network
		least = between(rng, 10*time.Microsecond, 100*time.Microsecond)
	}
	q := quality{least: least, most: least + between(rng, 10*time.Microsecond, distance/2), window: 16 << 10 << rng.IntN(4), split: rng.IntN(5)}
	if conduct != "honest" && chance(rng, 2) {
		q.window = 256 << rng.IntN(6)
		q.most *= time.Duration(1 + rng.IntN(20))
	}
	return q
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
	return match.Settings{Players: p.players, Visus: p.visus, Turns: p.turns, DelayTurns: float64(p.delay) / float64(time.Millisecond)}
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
			list = append(list, seat.Spec{Kind: seat.Address, URL: string(listenerAddress(i)), Label: fmt.Sprint("listener", i)})
		}
	}
	for i, conduct := range p.started {
		if i%p.rooms == room {
			list = append(list, seat.Spec{Kind: seat.Process, Argv: startedCommand(conduct, i), Label: fmt.Sprint("started", i)})
		}
	}
	o.Once, o.Strict, o.NeedAll, o.StartTimeout = p.once, p.strict, p.needAll, p.startTime
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
