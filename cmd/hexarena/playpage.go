package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// playPage shows a match of play in browsers, while the match is played and,
// with --open, until somebody interrupts.
type playPage struct {
	run    *playRun
	feed   *feed.Feed
	server *web.Server
	close  func() // says goodbye to all viewers
}

// openPage makes the page and serves it; nil if there is to be none. seatAt says
// whose bot called from an address. Without --http it is a courtesy: that it
// cannot be had is told, and the match goes on.
func (p *playRun) openPage(game engine.Game, seatAt func(string) *arena.Seat) (*playPage, error) {
	if p.http == "" {
		return nil, nil
	}
	g := &playPage{run: p}
	g.feed = feed.New(feed.Options{
		Game: "hexabomb", Rules: game, Map: p.mapName, Seed: p.seed, Settings: arena.Settings(p.seats),
		Interval: func(match.Settings) time.Duration { return p.interval() },
		Label: func(address string) string {
			if s := seatAt(address); s != nil {
				return s.Label
			}
			return ""
		},
	})
	options := web.Options{Address: p.http, Version: versionText()}
	if p.record != "" {
		options.Recordings = web.NewFolder(p.record, replayGame)
	}
	listen := web.ListenNear
	if p.changed("http") {
		listen = web.Listen
	}
	var err error
	if g.server, err = listen(options); err != nil {
		if p.changed("http") || p.open {
			return nil, fmt.Errorf("--http: %w; choose another, or '' for no page", err)
		}
		if !p.asJSON {
			fmt.Fprintln(p.stderr, "hexarena: there is no page:", err)
		}
		return nil, nil
	}
	g.server.Show(web.Match{Feed: g.feed, Map: p.board.AppendJSON(nil)})
	g.close = showPage(g.server)
	return g, nil
}

// showPage serves a page until leave, which says goodbye to all viewers.
func showPage(s *web.Server) (leave func()) {
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = s.Serve(ctx) // without the page, the match goes on
	}()
	return func() {
		stop()
		<-served
	}
}

// errNoOpen is what --open needs.
var errNoOpen = errors.New("--open: without --http there is no page to open")

// openTime is how long a match waits for the page that it opens.
const openTime = 5 * time.Second

// show says where the page is and, with --open, has a browser show it before the
// match starts.
func (g *playPage) show(ctx context.Context, a *arena.Arena) {
	g.feed.SetAddresses(web.Reachable(a.Addr()))
	a.ShareWith(g.server.Take)
	p := g.run
	if !p.asJSON || p.open {
		fmt.Fprintln(p.stderr, "watch at", g.server.URL())
	}
	if !p.open {
		return
	}
	patience := time.NewTimer(openTime)
	defer patience.Stop()
	select {
	case err := <-openBrowser(g.server.URL()):
		fmt.Fprintf(p.stderr, "hexarena: no browser could be opened (%v)\n", err)
	case <-g.server.Seen():
	case <-patience.C:
	case <-ctx.Done():
	}
}

// linger leaves the page open after the match until somebody interrupts, if it
// was opened for somebody.
func (g *playPage) linger(ctx context.Context) {
	if !g.run.open || ctx.Err() != nil {
		return
	}
	fmt.Fprintln(g.run.stderr, "the match stays at", g.server.URL(), "until Ctrl-C")
	<-ctx.Done()
}
