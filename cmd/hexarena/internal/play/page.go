package play

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/web"
)

// page describes the page, or returns nil. If no setting asks for the page, the match is
// played without it when it cannot be shown.
func (p *runner) page() *host.Page {
	if p.HTTP == "" {
		return nil
	}
	o := &host.Page{
		Options: web.Options{
			Address: p.HTTP, Hosts: strings.Fields(p.PageHosts), Version: p.Version,
			Starter: p.Games.Starter, Languages: p.Games.StarterLanguages,
		},
		Near: !p.changed("http"), Optional: !p.changed("http") && !p.open && p.waiting(seat.Page) == 0,
	}
	if p.Record != "" {
		folder := web.NewFolder(p.Record, p.Games.Replay)
		o.Recordings, o.Remove = folder, folder.Remove
		o.Draw, o.PlayOn = export.Drawing(p.Record, p.Games), On(p.Record)
		if p.game.Judge != nil {
			o.Analyse = p.Analyse(p.Record)
			o.Judges = p.Judges
		}
	}
	return o
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

// editor returns where bots are written.
func (p *runner) editor() string { return p.host.Page().URL() + "#edit" }

// sayer returns what says a line about anything but a turn.
func (r *round) sayer(view tui.View) func(format string, args ...any) {
	if r.asJSON {
		return func(format string, args ...any) { fmt.Fprintf(r.Stderr, format+"\n", args...) }
	}
	return view.Say
}

// call prints which clients the match waits for, if there are seats for them.
func (r *round) call(view tui.View) {
	say := r.sayer(view)
	if n := r.waiting(seat.Page); n > 0 {
		say("waiting for %s from the page at %s, until Ctrl-C", countOf(n, "bot"), r.editor())
	}
	if n := r.waiting(seat.Open); n > 0 {
		say("waiting for %s at %s%s, until Ctrl-C", countOf(n, "client"), r.host.Addr(), r.dialIn(""))
	}
	for i := range r.seats {
		if s := &r.seats[i]; s.Kind == seat.Wait {
			say("waiting for %s, until Ctrl-C", r.startYourself(s))
		}
	}
	if r.game.BotAPI && r.host.Page() != nil &&
		r.waiting(seat.Page)+r.waiting(seat.Open)+r.waiting(seat.Wait) > 0 {
		say("or play yourself: take a seat at %s", r.host.Page().URL())
	}
}

// startYourself returns how to start the bot that a seat waits for.
func (p *runner) startYourself(s *seat.Spec) string {
	text := fmt.Sprintf("a bot that you start yourself, to log in at host %s, port %d",
		p.host.BotHost(), p.host.Port())
	if s.Name == "" {
		return text + ", with any nickname" + p.dialIn("")
	}
	return text + ", with the nickname " + s.Name + p.dialIn("?name="+url.QueryEscape(s.Name))
}

// dialIn returns where bots of the HTTTX Bot API dial in instead, "" if they cannot.
func (p *runner) dialIn(query string) string {
	if !p.game.BotAPI || p.host.Page() == nil {
		return ""
	}
	at := net.JoinHostPort(p.host.BotHost(), strconv.Itoa(p.host.Port()))
	return ", or over the HTTTX Bot API at ws://" + at + host.DialInPath + query
}

// countOf returns a number of things in words, such as "a bot" or "2 bots".
func countOf(n int, thing string) string {
	if n == 1 {
		return "a " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// openTime is the time that a match waits for the page that it opens.
const openTime = 5 * time.Second

// showPage prints where the page is and, with --open, opens it in a browser before the first match
// starts.
func (p *runner) showPage(ctx context.Context) {
	page := p.host.Page()
	if page == nil || p.shown {
		return
	}
	p.shown = true
	if !p.asJSON || p.open {
		fmt.Fprintln(p.Stderr, "watch at", page.URL())
	}
	if !p.open {
		return
	}
	first := page.URL()
	if p.waiting(seat.Page) > 0 {
		first = p.editor()
	}
	patience := time.NewTimer(openTime)
	defer patience.Stop()
	select {
	case err := <-cli.OpenBrowser(first):
		fmt.Fprintf(p.Stderr,
			"hexarena: no browser could be opened (%v); open the address above in one\n",
			tui.Plain(err.Error()))
	case <-page.Seen():
	case <-patience.C:
	case <-ctx.Done():
	}
}
