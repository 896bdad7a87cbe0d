package hive

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
)

var sideNames = [2]string{"x", "o"}

// game is one game, from the request for it on.
type game struct {
	id       string
	seed     uint64
	hive     *Hive
	config   htttx.NewGame
	dialer   *botapi.Dialer  // as far as whoever asked for the game may have bots dialled
	arrivals [2]chan arrival // of those who come by themselves; there is one at the most
	stage    *stage
	log      zerolog.Logger

	mu     sync.Mutex // guards closed
	closed bool       // who arrives now is too late
}

// arrival is somebody who came for a side, or why nobody can be seated there.
type arrival struct {
	peer *botapi.Peer
	err  error
}

// reach gets hold of somebody. One for whom that panics cannot be had.
func (h *Hive) reach(get func() (*botapi.Peer, error)) (a arrival) {
	if p := panics.Catch(func() { a.peer, a.err = get() }); p != nil {
		h.opts.Log.Error().EmbedObject(p).Msg("Reaching a player failed")
		a.err = p
	}
	return a
}

func (h *Hive) newGameOf(c htttx.NewGame, d *botapi.Dialer) *game {
	id := secret()
	return &game{
		id: id, seed: rand.Uint64(), hive: h, config: c, dialer: d, stage: newStage(),
		arrivals: [2]chan arrival{make(chan arrival, 1), make(chan arrival, 1)},
		log:      h.opts.Log.With().Str("game", id).Logger(),
	}
}

func (g *game) players() [2]htttx.Participant {
	return [2]htttx.Participant{g.config.Cross, g.config.Circle}
}

// arrive hands in who came with a token.
func (g *game) arrive(side int, a arrival) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.arrivals[side] <- a // tokens are good for one
	} else if a.peer != nil {
		a.peer.Close()
	}
}

// run waits for those who play, and plays the game.
func (g *game) run(ctx context.Context) {
	var peers [2]arrival
	var err error
	if p := panics.Catch(func() {
		if err = g.gather(ctx, &peers); err == nil {
			g.play(ctx, peers)
		}
	}); p != nil {
		g.log.Error().EmbedObject(p).Msg("Game failed")
		err = p
	}
	if err == nil {
		return
	}
	g.log.Info().Str("reason", err.Error()).Msg("No game came about")
	for _, a := range peers {
		if a.peer != nil {
			a.peer.Close()
		}
	}
}

var errNobodyCame = errors.New("nobody came for a side")

// gather waits for those who come by themselves, then dials the bots. A bot that
// cannot be dialled loses; without the others there is no game.
func (g *game) gather(ctx context.Context, peers *[2]arrival) error {
	defer g.lock()
	if err := g.await(ctx, peers); err != nil {
		return err
	}
	var dials sync.WaitGroup
	defer dials.Wait()
	for side, p := range g.players() {
		switch {
		case p.BuiltIn != "":
			mind := g.hive.opts.Mind(p.BuiltIn, optionsOf(g.config.Match), g.seed)
			peers[side].peer = botapi.Local(p.BuiltIn, mind)
		case p.Bot:
			dials.Go(func() {
				peers[side] = g.hive.reach(func() (*botapi.Peer, error) { return g.dialer.Dial(ctx, p.URL) })
			})
		}
	}
	return nil
}

// await waits for those who come by themselves.
func (g *game) await(ctx context.Context, peers *[2]arrival) error {
	wait := time.NewTimer(g.hive.opts.WaitTime)
	defer wait.Stop()
	beat := time.NewTicker(g.config.Match.Heartbeat)
	defer beat.Stop()
	for side, p := range g.players() {
		for !p.Bot && peers[side] == (arrival{}) {
			select {
			case peers[0] = <-g.arrivals[0]:
			case peers[1] = <-g.arrivals[1]:
			case <-beat.C:
				for _, a := range peers {
					if a.peer != nil {
						a.peer.Nudge()
					}
				}
			case <-wait.C:
				return errNobodyCame
			case <-g.hive.draining:
				return errStopping
			case <-ctx.Done():
				return errStopping
			}
		}
	}
	return nil
}

// lock turns away who comes too late.
func (g *game) lock() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	for _, c := range g.arrivals {
		select {
		case a := <-c:
			if a.peer != nil {
				a.peer.Close()
			}
		default:
		}
	}
}

// play plays the game to its end.
func (g *game) play(ctx context.Context, peers [2]arrival) {
	options := optionsOf(g.config.Match)
	rules := hextictactoe.New(options)
	begins := Beginning{
		ID: g.id, Game: rules, Options: options, Seed: g.seed,
	}
	watchers := []match.Watcher{g.stage}
	if g.hive.opts.Watch != nil {
		watchers = append(watchers, g.hive.opts.Watch(begins)...)
	}
	m := botapi.NewMatch(rules, g.budget, match.Options{Seed: begins.Seed, Watchers: watchers, Log: g.log})
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	var seats sync.WaitGroup
	panics.Go(&seats, func() { // the match runs below
		var serve []func()
		for side, a := range peers {
			serve = append(serve, g.join(ctx, m, side, a))
		}
		for _, s := range serve { // who left before the other one has a seat would leave a match that never starts
			panics.Go(&seats, s, panics.Logged(g.log, "Serving a player failed"))
		}
	}, func(p *panics.Error) {
		panics.Logged(g.log, "Seating the players failed")(p)
		abort(p)
	})
	m.Run(ctx)
	seats.Wait()
}

// join seats somebody, or in place of a bot that could not be reached nobody. What
// it returns serves the seat.
func (g *game) join(ctx context.Context, m *match.Match, side int, a arrival) (serve func()) {
	if a.peer == nil {
		g.log.Warn().Err(a.err).Str("side", sideNames[side]).Msg("Nobody can be seated")
		s := &absent{begun: make(chan *match.Place, 1)}
		c := match.Candidate{Role: match.Player, Nickname: "nobody (" + sideNames[side] + ")", Remote: htttx.ShownAddress(g.players()[side].URL)}
		if _, err := m.Join(s, c); err != nil {
			return func() {}
		}
		return func() { s.serve(ctx, a.err.Error()) }
	}
	s := botapi.NewSeat(a.peer, botapi.Options{
		Heartbeat: g.config.Match.Heartbeat,
		Patience:  g.budget(engine.PlayerID(side)).Time,
		Log:       g.log,
	})
	if _, err := m.Join(s, s.Candidate()); err != nil {
		return a.peer.Close
	}
	return func() { s.Serve(ctx) }
}

// absent is a seat of somebody who could not be reached: it is given up as soon
// as the match has started.
type absent struct {
	place *match.Place
	begun chan *match.Place
}

func (a *absent) Welcome(p *match.Place)              { a.place = p }
func (a *absent) Begin(*match.Frame, engine.PlayerID) { a.begun <- a.place }
func (a *absent) Offer(*match.Frame)                  {}
func (a *absent) Kick(error)                          { close(a.begun) }
func (a *absent) serve(ctx context.Context, why string) {
	select {
	case p := <-a.begun:
		if p != nil {
			p.Leave(why)
		}
	case <-ctx.Done():
	}
}
