package host

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// Page says where browsers see the matches, and what the page has beside them.
type Page struct {
	web.Options
	Near     bool              // when the port is taken, one of the next will do
	Optional bool              // a page that cannot be opened is no error: see [Host.PageErr]
	Limits   limits.PortLimits // of the page's own port; 0 connections: no bound

	// Requested serves a bot that dials in with the token of a game on request, and reports whether
	// there is such a game: the lobby has a seat for other bots. It is nil without such games.
	Requested func(http.ResponseWriter, *http.Request) bool
}

// PageSpec is what the page has beside one match.
type PageSpec struct {
	ID string // names the match in addresses; "": one is drawn
	// from turn to turn, as viewers are told; nil: as the settings say
	Interval func(match.Settings) time.Duration
	MaxBytes int  // of the history that is kept; 0: feed.MaxBytes()
	CanStart bool // an operator at the page may start the match
	// viewers are told that the match starts by itself, though Autostart is not set
	Starts bool
	// whose built-in bots may take the free seats; nil: none
	Filler *games.Game
	// ends the match early and has the same players play once more; nil: they do not
	Restart func() error
	// has the same players play once more after the match; nil: they do not
	Again func() error
}

// PageError reports why a host could not show its page.
type PageError struct{ Err error }

// Unwrap returns the cause.
func (e *PageError) Unwrap() error { return e.Err }

func (e *PageError) Error() string { return e.Err.Error() }

// openPage opens the host's page, if it is to have one.
func (h *Host) openPage() error {
	h.session.Web = h.opts.Web
	p := h.opts.Page
	if p == nil {
		return nil
	}
	if h.pageErr = h.servePage(*p); h.pageErr != nil {
		if p.Optional {
			return nil
		}
		return h.pageErr
	}
	h.session.Web, h.session.WebTLS = h.page.Take, p.Certificate != ""
	return nil
}

// servePage opens a page and serves it until it is closed, which says goodbye to all viewers.
func (h *Host) servePage(p Page) error {
	p.Log = h.log
	m := h.opts.Metrics
	if m != nil {
		p.Metrics = m.Handler()
	}
	if p.Limits.Connections > 0 {
		p.Port, p.Refused = h.opts.Connections.Port(p.Limits), h.opts.Meter.Refused
	}
	if h.opts.Hold != nil {
		p.Players = h.Players()
	}
	more := p.More
	p.More = func(mux *http.ServeMux, operates func(*http.Request) bool) {
		if more != nil {
			more(mux, operates)
		}
		mux.Handle("GET "+DialInPath, h.dialIn(p.Requested))
	}
	if h.opts.Hold != nil && p.Lobby != nil {
		p.Lobby.Waiting = h.waitingNames
		p.Lobby.Addresses = func() []string { return web.Reachable(h.Addr()) }
	}
	page, end, err := OpenPage(p.Options, p.Near)
	if err != nil {
		return &PageError{err}
	}
	h.page, h.endPage = page, end
	if m != nil {
		m.Viewers(page.Viewers)
	}
	return nil
}

// waitingNames returns the names of the clients that wait.
func (h *Host) waitingNames() (names []string) {
	for _, c := range h.Waiting() {
		names = append(names, c.Nickname)
	}
	return names
}

// OpenPage opens a page and serves it until end is called, which says goodbye to all viewers and
// returns when they are gone. If near is set, another port is taken when that of the address is in
// use.
func OpenPage(o web.Options, near bool) (page *web.Server, end func(), err error) {
	listen := web.Listen
	if near {
		listen = web.ListenNear
	}
	page, err = listen(o)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = page.Serve(ctx) // without the page, matches go on
	}()
	return page, func() {
		stop()
		<-served
	}, nil
}

// Page returns the page, or nil.
func (h *Host) Page() *web.Server { return h.page }

// PageErr returns why an optional page could not be opened; nil if it was, or if there
// was to be none.
func (h *Host) PageErr() error { return h.pageErr }

// show shows a room's match on the page, which keeps it for long after its end.
func (h *Host) show(r *Room) {
	if h.page == nil {
		return
	}
	s := &r.spec
	shown := web.Match{Feed: r.feed, Map: s.Game.Board}
	if s.Page.CanStart {
		shown.Start = r.handle.with(func(r *Room) error { return r.match.Start() })
	}
	if s.Page.Filler != nil {
		shown.Fill = r.handle.with((*Room).fill)
	}
	if s.Page.Again != nil {
		shown.Again = afterEnd(r.feed, s.Page.Again)
	}
	shown.Restart = s.Page.Restart
	if h.listener != nil && !s.Private {
		shown.Players, shown.ForPage = h.playersOf(r.handle), r.seats.TakeClients()
		if s.Bots.HTTTX {
			shown.People, shown.Invites = h.peopleOf(r.handle), r.handle.invites
		}
	}
	if at := h.Addr(); at != nil {
		r.feed.SetAddresses(web.Reachable(at))
	}
	shown.Held = r.handle.held
	h.page.Show(shown)
}

// afterEnd returns what calls do once the match of a feed is over.
func afterEnd(f *feed.Feed, do func() error) func() error {
	return func() error {
		if phase, _ := f.Status(); phase != feed.Over {
			return web.ErrNotOver
		}
		return do()
	}
}

// fill seats built-in bots in the room's free seats. It returns when all are seated or one was
// refused.
func (r *Room) fill() error {
	r.filling.Lock()
	defer r.filling.Unlock()
	game := r.spec.Page.Filler
	players, specials := r.feed.Free()
	players -= r.seats.Kept()
	for i, name := range game.Mix(max(players, 0)) {
		nickname := fmt.Sprint(name[:min(len(name), 7)], i+1)
		if err := r.seats.Call(name, nickname, match.Player, uint64(i)); err != nil {
			return fmt.Errorf("%s cannot join: %w", nickname, err)
		}
	}
	for range specials {
		if err := r.seats.Call(game.Special, game.Special, match.Special, 0); err != nil {
			return fmt.Errorf("%s cannot join: %w", game.Special, err)
		}
	}
	return nil
}
