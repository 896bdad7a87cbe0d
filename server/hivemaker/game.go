package hivemaker

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/seat/inprocess"
)

var sideNames = [2]string{"x", "o"}

// game is a game from its request on.
type game struct {
	id        string
	seed      uint64
	server    *Server
	config    htttx.NewGame
	dialer    *botapi.Dialer  // for the bots; limited to what the requester may have dialled
	arrivals  [2]chan arrival // of players that connect by themselves; each holds at most one
	broadcast *broadcast
	log       zerolog.Logger

	mu             sync.Mutex // guards the fields below
	arrivalsClosed bool       // a player that arrives now reconnects, or is too late
	seats          [2]*botapi.Seat
}

// arrival is a player of a side, or the reason why there is none.
type arrival struct {
	peer *botapi.Peer
	bot  netorcai.Bot // a built-in one
	err  error
}

// connect calls get to obtain a peer. A panic counts as an error.
func (h *Server) connect(get func() (*botapi.Peer, error)) (a arrival) {
	if p := panics.Catch(func() { a.peer, a.err = get() }); p != nil {
		h.opts.Log.Error().EmbedObject(p).Msg("Connecting a player failed")
		a.err = p
	}
	return a
}

func (h *Server) newGameOf(c htttx.NewGame, d *botapi.Dialer) *game {
	id := newSecret()
	return &game{
		id: id, seed: rand.Uint64(), server: h, config: c, dialer: d, broadcast: newBroadcast(),
		arrivals: [2]chan arrival{make(chan arrival, 1), make(chan arrival, 1)},
		log:      h.opts.Log.With().Str("game", id).Logger(),
	}
}

func (g *game) players() [2]htttx.Participant {
	return [2]htttx.Participant{g.config.Cross, g.config.Circle}
}

// admit accepts a player that connected with a token, for the first time or again.
func (g *game) admit(side int, a arrival) {
	seat, waiting := g.queue(side, a)
	if !waiting && a.peer != nil && (seat == nil || !seat.Reconnect(a.peer)) {
		a.peer.Refuse(invalidToken) // the game is over, or about to begin
	}
}

// queue keeps an arrival until the game begins. If the game has begun already, waiting is false
// and seat is the seat of the side.
func (g *game) queue(side int, a arrival) (seat *botapi.Seat, waiting bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.arrivalsClosed {
		return g.seats[side], false
	}
	select {
	case before := <-g.arrivals[side]:
		before.close()
	default:
	}
	g.arrivals[side] <- a // does not block: the buffer is empty and nothing else sends
	return nil, true
}

func (a arrival) close() {
	if a.peer != nil {
		a.peer.Close()
	}
}

// run waits for the players, and plays the game.
func (g *game) run(ctx context.Context) {
	var peers [2]arrival
	var err error
	if p := panics.Catch(func() {
		if err = g.collectPlayers(ctx, &peers); err == nil {
			err = g.play(ctx, peers)
		}
	}); p != nil {
		g.log.Error().EmbedObject(p).Msg("Game failed")
		err = p
	}
	if err == nil {
		return
	}
	g.log.Info().Str("reason", err.Error()).Msg("The game was not started")
	for _, a := range peers {
		if a.peer != nil {
			a.peer.Close()
		}
	}
}

var errNotTaken = errors.New("a side was not taken in time")

// collectPlayers waits for the players that connect by themselves, then dials the bots. A bot that
// cannot be dialled loses; without one of the others there is no game.
func (g *game) collectPlayers(ctx context.Context, peers *[2]arrival) error {
	defer g.closeArrivals(peers)
	if err := g.awaitArrivals(ctx, peers); err != nil {
		return err
	}
	var dials sync.WaitGroup
	defer dials.Wait()
	for side, p := range g.players() {
		switch {
		case p.BuiltIn != "":
			peers[side].bot, peers[side].err = g.server.opts.Builtin(p.BuiltIn, g.seed)
		case p.Bot:
			dials.Go(func() {
				peers[side] = g.server.connect(func() (*botapi.Peer, error) { return g.dialer.Dial(ctx, p.URL) })
			})
		}
	}
	return nil
}

// awaitArrivals waits for the players that connect by themselves.
func (g *game) awaitArrivals(ctx context.Context, peers *[2]arrival) error {
	wait := time.NewTimer(g.server.opts.WaitTime)
	defer wait.Stop()
	beat := time.NewTicker(g.config.Match.Heartbeat)
	defer beat.Stop()
	for side, p := range g.players() {
		for !p.Bot && peers[side] == (arrival{}) {
			select {
			case a := <-g.arrivals[0]:
				peers[0].replace(a)
			case a := <-g.arrivals[1]:
				peers[1].replace(a)
			case <-beat.C:
				for _, a := range peers {
					if a.peer != nil {
						a.peer.Ping()
					}
				}
			case <-wait.C:
				return errNotTaken
			case <-g.server.draining:
				return errStopping
			case <-ctx.Done():
				return errStopping
			}
		}
	}
	return nil
}

// replace replaces an arrival by a later one. A failed arrival does not replace a connected
// player.
func (a *arrival) replace(by arrival) {
	if by.peer == nil && a.peer != nil {
		return
	}
	a.close()
	*a = by
}

// closeArrivals closes the queues of arrivals. It takes over players that reconnected meanwhile.
func (g *game) closeArrivals(peers *[2]arrival) {
	g.mu.Lock()
	g.arrivalsClosed = true
	g.mu.Unlock()
	for side, c := range g.arrivals {
		select {
		case a := <-c:
			peers[side].replace(a)
		default:
		}
	}
}

// spec returns the description of the match.
func (g *game) spec() host.Spec {
	rules := optionsOf(g.config.Match)
	setup, err := json.Marshal(rules)
	if err != nil {
		panic(err) // rules can always be encoded
	}
	return host.Spec{
		Name: gameName,
		Game: games.Instance{
			Map: gameName, Setup: setup,
			New: func() engine.Game { return hextictactoe.New(rules) },
		},
		Settings: botapi.Settings(), Autostart: true, InOrder: true, LeaveEnds: true, Private: true,
		Pace: func(match.Settings) match.Pace { return match.Clock(g.budget, 0) }, Seed: g.seed,
		Labels:   map[string]string{"game": g.id},
		Watchers: []match.Watcher{g.broadcast},
		Page: host.PageSpec{
			ID: g.id, Interval: func(match.Settings) time.Duration { return 0 },
			MaxBytes: feed.MaxBytes() / DefaultGames, // all games together use as much memory as one match
		},
	}
}

// gameName is the name of the game in recordings and on the page.
const gameName = "hextictactoe"

// play plays the game to its end. It returns an error if the match could not be started.
func (g *game) play(ctx context.Context, peers [2]arrival) error {
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	room, err := g.server.opts.Start(ctx, g.spec())
	if err != nil {
		return err
	}
	var seats sync.WaitGroup
	loop := inprocess.NewLoop() // of both sides, which never think at the same time
	panics.Go(&seats, loop.Run, panics.Logged(g.log, "Calling built-in bots failed"))
	panics.Go(&seats, func() {
		var serve []func()
		for side, a := range peers {
			serve = append(serve, g.join(ctx, room.Match(), loop, side, a))
		}
		for _, s := range serve { // a player that left before both have seats would keep the match from starting
			panics.Go(&seats, s, panics.Logged(g.log, "Serving a player failed"))
		}
	}, func(p *panics.Error) {
		panics.Logged(g.log, "Seating the players failed")(p)
		abort(p)
	})
	room.Wait()
	loop.Close()
	seats.Wait()
	return nil
}

// join seats a player. A bot that could not be reached gets a seat that it leaves at once. The
// function that it returns serves the seat.
func (g *game) join(ctx context.Context, m *match.Match, loop *inprocess.Loop, side int, a arrival) (serve func()) {
	moveTime := g.budget(engine.PlayerID(side)).Time
	if a.bot != nil {
		c := match.Candidate{Role: match.Player, Nickname: g.players()[side].BuiltIn, Remote: "here"}
		if _, err := m.Join(loop.Seat(a.bot, moveTime), c); err != nil {
			g.log.Warn().Err(err).Str("side", sideNames[side]).Msg("A built-in bot cannot be seated")
		}
		return func() {}
	}
	if a.peer == nil {
		g.log.Warn().Err(a.err).Str("side", sideNames[side]).Msg("A player cannot be seated")
		s := &absentSeat{started: make(chan *match.Place, 1)}
		c := match.Candidate{Role: match.Player, Nickname: "absent (" + sideNames[side] + ")", Remote: htttx.ShownAddress(g.players()[side].URL)}
		if _, err := m.Join(s, c); err != nil {
			return func() {}
		}
		return func() { s.serve(ctx, a.err.Error()) }
	}
	o := botapi.Options{
		Heartbeat: g.config.Match.Heartbeat,
		Patience:  moveTime,
		Log:       g.log,
	}
	if !g.players()[side].Bot {
		o.Grace, o.Presence = g.server.opts.Reconnect, func(connected bool) { g.showPresence(1-side, connected) }
	}
	s := botapi.NewSeat(a.peer, o)
	g.mu.Lock()
	g.seats[side] = s
	g.mu.Unlock()
	if _, err := m.Join(s, s.Candidate()); err != nil {
		return s.Close
	}
	return func() { s.Serve(ctx) }
}

// showPresence informs a side whether the other one is connected.
func (g *game) showPresence(to int, connected bool) {
	g.mu.Lock()
	s := g.seats[to]
	g.mu.Unlock()
	if s != nil {
		s.ShowPresence(connected)
	}
}

// absentSeat is the seat of a player that could not be connected. It is given up when the match
// has started.
type absentSeat struct {
	place   *match.Place
	started chan *match.Place
}

func (a *absentSeat) Welcome(p *match.Place)              { a.place = p }
func (a *absentSeat) Begin(*match.Frame, engine.PlayerID) { a.started <- a.place }
func (a *absentSeat) Offer(*match.Frame)                  {}
func (a *absentSeat) Kick(error)                          { close(a.started) }
func (a *absentSeat) serve(ctx context.Context, why string) {
	select {
	case p := <-a.started:
		if p != nil {
			p.Leave(why)
		}
	case <-ctx.Done():
	}
}
