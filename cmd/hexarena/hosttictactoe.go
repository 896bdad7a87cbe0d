package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/hive"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

// hostHextictactoe is hexagonal tic-tac-toe as the server hosts it for clients of
// the netorcai wire: the last of the turns is a draw.
func hostHextictactoe(v config.Values) (hosted, error) {
	c := v.Config()
	var wrong error
	rules := hextictactoe.Defaults()
	rules.TurnLimit = max(1, c.MaxTurns-1) // the first turn of a match places nothing
	var err error
	if rules.Clock, err = clockOf(c.TC); err != nil {
		wrong = v.Mistake("tc", "%w", err)
	}
	setup, err := json.Marshal(rules)
	if err != nil {
		return hosted{}, err
	}
	budget := botapi.BudgetOf(rules.Clock, c.TurnTimeout)
	again := func() engine.Game { return hextictactoe.New(rules) }
	return hosted{
		game: again(), again: again, players: 2, setup: setup, mapName: gameHextictactoe, answer: usualAnswer,
		most: map[string]float64{"nb-players-max": 2, "nb-splayers-max": 0},
		pace: func(match.Settings) match.Pace {
			return match.Clock(func(engine.PlayerID) match.Budget { return budget }, 0)
		},
	}, wrong
}

// clockOf is the clock that a time control stands for; an empty one is none.
func clockOf(tc string) (hextictactoe.Clock, error) {
	if tc == "" {
		return hextictactoe.Defaults().Clock, nil
	}
	t, err := htttx.ParseTimeControl(tc)
	return hextictactoe.Clock{
		Kind: hextictactoe.Incremental, Base: max(1, t.Base.Milliseconds()), Increment: t.Increment.Milliseconds(),
	}, err
}

// serveHive plays the games that are made by request, until leave.
func (b *bill) serveHive() (leave func()) {
	if b.hive == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		b.hive.Serve(ctx)
	}()
	return func() {
		stop()
		<-served
	}
}

// watchRequested is what watches a game that was made by request: it is recorded
// and shown as all others are.
func (b *bill) watchRequested(g hive.Beginning) (list []match.Watcher) {
	setup, err := json.Marshal(g.Options)
	if err != nil {
		panic(err) // there is nothing in them that cannot be written
	}
	shown := hosted{game: g.Game, setup: setup, mapName: gameHextictactoe}
	var r *recording.Recorder
	if b.config.Record != "" {
		r = b.recorder(shown, g.Seed, b.log.With().Str("game", g.ID).Logger())
		list = append(list, r, b.metrics.Watch(r))
	} else {
		list = append(list, b.metrics.Watch(nil))
	}
	f := feed.New(feed.Options{
		ID: g.ID, Game: gameHextictactoe, Rules: g.Game, Map: shown.mapName, Seed: g.Seed, Settings: botapi.Settings(), Autostart: true,
		Interval: func(match.Settings) time.Duration { return 0 }, Recording: r.Name,
		MaxBytes: feed.MaxBytes() / hive.DefaultGames, // all of them together take as much as another match
	})
	if b.page != nil {
		b.page.Show(web.Match{Feed: f})
	}
	return append(list, f)
}
