package main

import (
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// servePage shows the match of a server in browsers.
type servePage struct {
	options web.Options
	match   web.Match
}

// newServePage makes the page of the match that o describes, and has it watch
// that.
func newServePage(c config.Config, g hosted, o *server.Options, log zerolog.Logger) *servePage {
	opts := feed.Options{Game: c.Game, Rules: g.game, Seed: o.Match.Seed, Settings: o.Match.Settings}
	if g.game != nil {
		opts.Map = c.Map
	}
	if c.Fast {
		opts.Interval = func(match.Settings) time.Duration { return 0 }
	}
	p := &servePage{
		web.Options{Address: c.HTTP, Version: versionText(), Log: log},
		web.Match{Feed: feed.New(opts), Map: g.board},
	}
	if c.Record != "" {
		p.options.Recordings = web.NewFolder(c.Record, replayGame)
	}
	o.Match.Watchers = append(o.Match.Watchers, p.match.Feed)
	return p
}

// open serves the page, at the url, until leave. If it moves, it takes the next
// free port when its own is taken.
func (p *servePage) open(srv *server.Server, moves bool) (url string, leave func(), err error) {
	p.match.Start = srv.Match().Start
	p.match.Players = srv.Players()
	p.match.Feed.SetAddresses(web.Reachable(srv.Addr()))
	listen := web.Listen
	if moves {
		listen = web.ListenNear
	}
	s, err := listen(p.options)
	if err != nil {
		return "", nil, err
	}
	s.Show(p.match)
	srv.ShareWith(s.Take)
	return s.URL(), showPage(s), nil
}
