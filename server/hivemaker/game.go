package hivemaker

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat/direct"
)

var sideNames = [2]string{"x", "o"}

// game is a game from its request on.
type game struct {
	server    *Server
	id        string
	seed      uint64
	sides     [2]htttx.Participant
	rules     htttx.MatchConfig
	guest     string      // where the request came from, empty if the operator made it
	waits     atomic.Bool // for players that connect by themselves
	public    bool        // bots are dialled on the public Internet only
	broadcast *broadcast
	log       zerolog.Logger
	taken     [2]chan struct{} // hold a value once the side has a player
	people    sync.WaitGroup   // connections of players that connect by themselves
	over      chan struct{}    // closed when the game is over

	// held while a player of the side connects, so that the newest connection counts
	connecting [2]sync.Mutex

	mu      sync.Mutex // guards the fields below
	players [2]player
	begun   bool // the players are final
}

func (h *Server) newGameOf(c htttx.NewGame, public bool) *game {
	id := h.newSecret()
	return &game{
		server: h, id: id, seed: h.newSeed(), sides: [2]htttx.Participant{c.Cross, c.Circle},
		rules: c.Match, public: public,
		broadcast: newBroadcast(), log: h.opts.Log.With().Str("game", id).Logger(),
		taken: [2]chan struct{}{make(chan struct{}, 1), make(chan struct{}, 1)},
		over:  make(chan struct{}),
	}
}

// run waits for the players that connect by themselves, then connects the bots and plays the game.
func (g *game) run(ctx context.Context) {
	var err error
	if p := panics.Catch(func() { err = g.play(ctx) }); p != nil {
		g.log.Error().EmbedObject(p).Msg("Game failed")
		err = match.ErrFailed
	}
	if err != nil {
		g.log.Info().Str("reason", err.Error()).Msg("The game was not started")
		g.dismiss(err)
	}
}

var errNotTaken = errors.New("a side was not taken in time")

// play plays the game to its end. It returns an error if the match could not be started.
func (g *game) play(ctx context.Context) error {
	defer g.waits.Store(false)
	if err := g.await(ctx, false, time.After(g.waitTime())); err != nil {
		return err
	}
	g.waits.Store(false)
	bots := direct.New(direct.Options{
		// the sides never think at the same time
		Builtin: g.server.opts.Builtin, Public: g.public, Connect: g.server.opts.Connect, Shared: true,
		Heartbeat: g.rules.Heartbeat, Patience: g.budget(true).Time, Log: g.log,
	})
	defer bots.Close()
	var serving sync.WaitGroup
	defer serving.Wait()
	// The match ends conversations, also when the server stops: a player that is disconnected first
	// would forfeit.
	conversations, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	ctx, abort := context.WithCancel(ctx)
	defer abort()
	g.seatBots(ctx, conversations, bots, &serving)
	if err := g.await(ctx, true, nil); err != nil {
		return err
	}
	room, err := g.server.opts.Start(ctx, g.spec())
	if err != nil {
		return err
	}
	if err := g.begin(room.Match()); err != nil {
		return err
	}
	room.Wait()
	// Before hangUp, and before the server may close: players are told of the end.
	serving.Wait()
	g.people.Wait()
	return nil
}

// waitTime returns how long the game waits for players that connect by themselves.
func (g *game) waitTime() time.Duration {
	if g.guest != "" {
		return min(g.server.opts.WaitTime, guestWaitTime)
	}
	return g.server.opts.WaitTime
}

// await waits until all sides of bots, or all other sides, have a player.
func (g *game) await(ctx context.Context, bots bool, late <-chan time.Time) error {
	for side, p := range g.sides {
		if p.Bot != bots {
			continue
		}
		select {
		case <-g.taken[side]:
		case <-late:
			return errNotTaken
		case <-g.server.draining:
			return errStopping
		case <-ctx.Done():
			return errStopping
		}
	}
	return nil
}

// spec returns the description of the match.
func (g *game) spec() host.Spec {
	rules := g.options()
	setup, err := json.Marshal(rules)
	if err != nil {
		panic(err) // rules can always be encoded
	}
	var bots [2]bool
	for side, p := range g.sides {
		bots[side] = p.Bot || g.player(side).bot
	}
	return host.Spec{
		Name: gameName,
		Game: games.Instance{
			Map: gameName, Setup: setup,
			New: func() engine.Game { return hextictactoe.New(rules) },
		},
		Settings: botapi.Settings(), Autostart: true, InOrder: true, LeaveEnds: true, Private: true,
		Pace: func(match.Settings) match.Pace {
			return match.Clock(func(p engine.PlayerID) match.Budget { return g.budget(bots[p]) }, 0)
		},
		Seed:     g.seed,
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

// options returns the rules of the game.
func (g *game) options() hextictactoe.Options {
	c := &g.rules
	o := hextictactoe.Options{
		ViewDistance: c.ViewDistance, WinDistance: c.WinDistance, TurnLimit: c.TurnLimit,
		Clock: hextictactoe.Clock{Kind: hextictactoe.ClockKind(c.Clock)}, // they have the same names
	}
	if c.Clock != htttx.NoClock {
		o.Clock.Base = max(1, c.Time.Milliseconds())
	}
	if c.Clock == htttx.IncrementalClock {
		o.Clock.Increment = c.Increment.Milliseconds()
	}
	return o
}

// budget returns the time of a bot, or of a person.
func (g *game) budget(bot bool) match.Budget {
	moveTime := g.server.opts.PersonMoveTime
	if bot {
		moveTime = g.server.opts.BotMoveTime
	}
	return botapi.BudgetOf(g.options().Clock, moveTime)
}
