// Package duel plays games of the HTTTX Bot API between two named players on
// this machine or elsewhere: minds in this process, bots at addresses, and bots
// that it starts. It prints nothing.
//
// [Start] starts what has to be started, and [Pair.Close] leaves nothing of it.
// [Pair.Play] owns the goroutines of a game, and waits for them.
package duel

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/seat"
)

// Options are how a pair plays, whatever the game.
type Options struct {
	StartTimeout time.Duration // until a bot that is started can be reached
	Patience     time.Duration // for a move when there is no clock
	Logs         string        // folder for what started bots print; empty: none
	Mind         func(name string) (botapi.Mind, error)
	Log          zerolog.Logger
}

// Pair is two players who are there.
type Pair struct {
	opts    Options
	dialer  *botapi.Dialer
	players [2]*player
}

// Start makes a pair of two seats. It starts what is to be started, and returns
// when both can be reached.
func Start(ctx context.Context, seats [2]seat.Spec, o Options) (*Pair, error) {
	p := &Pair{opts: o, dialer: botapi.NewDialer(false, o.Log)}
	for i := range seats {
		one := &player{Spec: seats[i]}
		p.players[i] = one
		var err error
		switch one.Kind {
		case seat.Builtin:
			one.mind, err = o.Mind(one.Builtin)
		case seat.Process:
			err = one.start(ctx, i, o)
		}
		if err != nil {
			p.Close()
			return nil, fmt.Errorf("seat %q: %w", one.Argument, err)
		}
	}
	return p, nil
}

// Close stops what was started.
func (p *Pair) Close() {
	var stops sync.WaitGroup
	for _, one := range p.players {
		if one != nil && one.proc != nil {
			stops.Go(func() { one.proc.Stop(heedTime) })
		}
	}
	stops.Wait()
	p.dialer.Close()
}

// Game is one game to be played.
type Game struct {
	Instance games.Instance
	Swapped  bool // the second seat plays x
	Seed     uint64
	Watchers func(engine.Game) []match.Watcher
}

// Play plays a game. The error says why there was none; how it went is in the
// ending, whose player 0 is x.
func (p *Pair) Play(ctx context.Context, g Game) (match.Ending, error) {
	sides := p.players
	if g.Swapped {
		sides[0], sides[1] = sides[1], sides[0]
	}
	peers, err := p.reach(ctx, sides, g.Instance.Opening)
	if err != nil {
		return match.Ending{}, err
	}
	rules := g.Instance.New()
	var watchers []match.Watcher
	if g.Watchers != nil {
		watchers = g.Watchers(rules)
	}
	m := botapi.NewMatch(rules, func(engine.PlayerID) match.Budget { return *g.Instance.Budget }, match.Options{
		Seed: g.Seed, Watchers: watchers, Log: p.opts.Log,
	})
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	var seats sync.WaitGroup
	panics.Go(&seats, func() { // the match runs below
		var serve []func()
		for _, peer := range peers {
			s := botapi.NewSeat(peer, botapi.Options{Heartbeat: heartbeat, Patience: p.opts.Patience, Log: p.opts.Log})
			if _, err := m.Join(s, s.Candidate()); err != nil {
				serve = append(serve, peer.Close)
				continue
			}
			serve = append(serve, func() { s.Serve(ctx) })
		}
		for _, s := range serve { // who left before the other one has a seat would leave a match that never starts
			panics.Go(&seats, s, panics.Logged(p.opts.Log, "Serving a player failed"))
		}
	}, func(p *panics.Error) { abort(p) }) // how the match ended tells of it
	ending := m.Run(ctx)
	seats.Wait()
	return ending, ending.Err
}

const heartbeat = 5 * time.Second

// reach dials both players.
func (p *Pair) reach(ctx context.Context, sides [2]*player, opening bool) (peers [2]*botapi.Peer, err error) {
	for i, one := range sides {
		peers[i], err = one.reach(ctx, p.dialer)
		if err == nil && opening && !peers[i].TakesAnyBoard() {
			err = fmt.Errorf("%s does not declare free_setup, so that it cannot play from openings; leave them out", one.Label)
		}
		if err != nil {
			for _, peer := range peers {
				if peer != nil {
					peer.Close()
				}
			}
			return peers, err
		}
	}
	return peers, nil
}
