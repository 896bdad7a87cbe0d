package host

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/hexarena/hexarena/server/connlimit"
	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/web"
)

// Page says where browsers see the matches, and what the page has beside them.
type Page struct {
	web.Options
	Near     bool             // when the port is taken, one of the next will do
	Optional bool             // a page that cannot be opened is no error: see [Host.PageErr]
	Limits   connlimit.Limits // of the page's own port; 0 connections: no bound
}

// PageSpec is what the page has beside one match.
type PageSpec struct {
	ID       string                             // names the match in addresses; "": one is drawn
	Interval func(match.Settings) time.Duration // from turn to turn, as viewers are told; nil: as the settings say
	MaxBytes int                                // of the history that is kept; 0: feed.MaxBytes()
	CanStart bool                               // an operator at the page may start the match
	Starts   bool                               // viewers are told that the match starts by itself, though Autostart is not set
	Fill     func(*Room) error                  // has built-in players take the free seats; nil: there are none
	Again    func() error                       // has the same players play once more after the match; nil: they do not
	// Players wraps what takes players in that come over WebSocket, or returns nil to take
	// none in; nil: they come as over TCP.
	Players func(http.Handler) http.Handler
}

// PageError reports why a host could not show its page.
type PageError struct{ Err error }

// Unwrap returns the cause.
func (e *PageError) Unwrap() error { return e.Err }

func (e *PageError) Error() string { return e.Err.Error() }

// OpenPage opens a page and serves it until it is closed, which says goodbye to all viewers.
// Hosts that play one after another can share it, see Options.Shared. The error is a
// [*PageError].
func OpenPage(p *Page) (page *web.Server, closePage func(), err error) {
	listen := web.Listen
	if p.Near {
		listen = web.ListenNear
	}
	if page, err = listen(p.Options); err != nil {
		return nil, nil, &PageError{err}
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

// openPage opens the host's page, if it is to have one.
func (h *Host) openPage() error {
	h.page = h.opts.Shared
	if p := h.opts.Page; p != nil {
		if err := h.openOwnPage(*p); err != nil {
			h.pageErr = err
			if !p.Optional {
				return err
			}
		}
	}
	if h.page != nil {
		h.session.Web, h.session.WebTLS = h.page.Take, h.opts.Page != nil && h.opts.Page.Certificate != ""
	} else {
		h.session.Web = h.opts.Web
	}
	return nil
}

// openOwnPage opens a page that belongs to the host.
func (h *Host) openOwnPage(p Page) (err error) {
	p.Log = h.log
	m := h.opts.Metrics
	if m != nil {
		p.Metrics = m.Handler()
	}
	if p.Limits.Connections > 0 {
		p.Port, p.Refused = h.opts.Connections.Port(p.Limits), h.opts.Meter.Refused
	}
	page, closePage, err := OpenPage(&p)
	if err != nil {
		return err
	}
	h.page, h.endPage = page, closePage
	if m != nil {
		m.Viewers(page.Viewers)
	}
	return nil
}

// Page returns the page, nil if there is none.
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
	if s.Page.Fill != nil {
		shown.Fill = r.handle.with(func(r *Room) error { return r.spec.Page.Fill(r) })
	}
	if s.Page.Again != nil {
		shown.Again = afterEnd(r.feed, s.Page.Again)
	}
	shown.Players = h.letPlayersIn(r)
	if at, ok := h.Addr().(*net.TCPAddr); ok {
		r.feed.SetAddresses(web.Reachable(at))
	}
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

// letPlayersIn returns what takes in players of a room that come over WebSocket, in the way
// that its description says while the match lasts; nil if nothing does.
func (h *Host) letPlayersIn(r *Room) http.Handler {
	if h.listener == nil || r.spec.Private {
		return nil
	}
	at := r.handle
	usual := h.playersOf(at)
	wrap := r.spec.Page.Players
	if wrap == nil {
		return usual
	}
	if r.players = wrap(usual); r.players == nil {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		players := usual
		if r := at.room.Load(); r != nil {
			players = r.players
		}
		players.ServeHTTP(w, req)
	})
}
