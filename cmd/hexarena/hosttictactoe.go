package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/hive"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/web"
)

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
	shown := games.Instance{Setup: setup, Map: b.game.Map}
	var r *recording.Recorder
	if b.config.Record != "" {
		r = b.recorder(shown, g.Game, g.Seed, b.log.With().Str("game", g.ID).Logger())
		list = append(list, r, b.metrics.Watch(r))
	} else {
		list = append(list, b.metrics.Watch(nil))
	}
	f := feed.New(feed.Options{
		ID: g.ID, Game: b.game.Name, Rules: g.Game, Map: shown.Map, Seed: g.Seed, Settings: botapi.Settings(), Autostart: true,
		Interval: func(match.Settings) time.Duration { return 0 }, Recording: r.Name,
		MaxBytes: feed.MaxBytes() / hive.DefaultGames, // all of them together take as much as another match
	})
	if b.page != nil {
		b.page.Show(web.Match{Feed: f})
	}
	return append(list, f)
}
