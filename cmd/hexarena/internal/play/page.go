package play

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hexarena/hexarena/bots"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/browser"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/netconn"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/web"
)

// matchPage shows the matches of play in browsers while they are played and, with --open,
// until the program is interrupted.
type matchPage struct {
	run    *runner
	server *web.Server
	opened bool   // its address was printed
	close  func() // disconnects all viewers
}

// openPage serves the page; it returns nil if there is none. If no setting asks for the page, an
// error is printed and the match is played without it.
func (p *runner) openPage() (*matchPage, error) {
	if p.HTTP == "" {
		return nil, nil
	}
	o := host.Page{
		Options: web.Options{Address: p.HTTP, Hosts: strings.Fields(p.PageHosts), Version: p.Version, Starter: bots.Starter()},
		Near:    !p.changed("http"),
	}
	if p.Record != "" {
		o.Recordings = web.NewFolder(p.Record, p.Games.Replay)
		if p.game.Judge != nil {
			o.Analyse = p.Analyse(p.Record)
			o.Judges = p.Judges
		}
	}
	server, closePage, err := host.OpenPage(&o)
	if err != nil {
		if p.changed("http") || p.open || p.waiting(seat.Page) > 0 {
			return nil, fmt.Errorf("--http: %w; choose another, or '' for no page", err)
		}
		if !p.asJSON {
			fmt.Fprintln(p.Stderr, "hexarena: there is no page:", err)
		}
		return nil, nil
	}
	tellOfStrangers(p.Stderr, server)
	return &matchPage{run: p, server: server, close: closePage}, nil
}

// tellOfStrangers prints a warning if other machines can reach the page of a local match.
func tellOfStrangers(out io.Writer, page *web.Server) {
	if !netconn.AddrPort(page.Addr()).Addr().IsLoopback() {
		fmt.Fprintln(out, "hexarena: anyone who can reach the page can watch, and take a seat that waits for a client; --http 127.0.0.1:8080 restricts it to this machine")
	}
}

// waiting returns how many seats of a kind wait for clients.
func (p *runner) waiting(kind seat.Kind) (n int) {
	for i := range p.seats {
		if p.seats[i].Kind == kind {
			n++
		}
	}
	return n
}

// editor is where bots are written.
func (g *matchPage) editor() string { return g.server.URL() + "#edit" }

// first is what a browser is to show first.
func (g *matchPage) first() string {
	if g.run.waiting(seat.Page) > 0 {
		return g.editor()
	}
	return g.server.URL()
}

// call prints which clients the match waits for, if there are seats for them.
func (r *round) call(view matchView, a *arena.Arena) {
	say := view.Say
	if r.asJSON {
		say = func(format string, args ...any) { fmt.Fprintf(r.Stderr, format+"\n", args...) }
	}
	if n := r.waiting(seat.Page); n > 0 {
		say("waiting for %s from the page at %s, until Ctrl-C", countOf(n, "bot"), r.page.editor())
	}
	if n := r.waiting(seat.Open); n > 0 {
		say("waiting for %s at %s, until Ctrl-C", countOf(n, "client"), a.Addr())
	}
	for i := range r.seats {
		if s := &r.seats[i]; s.Kind == seat.Wait {
			say("waiting for %s, until Ctrl-C", startYourself(s, a))
		}
	}
}

// startYourself returns how to start the bot that a seat waits for.
func startYourself(s *seat.Spec, a *arena.Arena) string {
	text := fmt.Sprintf("a bot that you start yourself, to log in at host %s, port %d", a.BotHost(), a.Addr().Port)
	if s.Name == "" {
		return text + ", with any nickname"
	}
	return text + ", with the nickname " + s.Name
}

// countOf returns a number of things in words, such as "a bot" or "2 bots".
func countOf(n int, thing string) string {
	if n == 1 {
		return "a " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// openTime is how long a match waits for the page that it opens.
const openTime = 5 * time.Second

// show prints where the page is and, with --open, opens it in a browser before the
// first match starts.
func (g *matchPage) show(ctx context.Context) {
	if g.opened {
		return
	}
	g.opened = true
	p := g.run
	if !p.asJSON || p.open {
		fmt.Fprintln(p.Stderr, "watch at", g.server.URL())
	}
	if !p.open {
		return
	}
	patience := time.NewTimer(openTime)
	defer patience.Stop()
	select {
	case err := <-browser.Open(g.first()):
		fmt.Fprintf(p.Stderr, "hexarena: no browser could be opened (%v); open the address above in one\n", err)
	case <-g.server.Seen():
	case <-patience.C:
	case <-ctx.Done():
	}
}
