// Package relay shows the matches of another server: it subscribes to them once, mirrors their histories, and serves viewers and the
// page as that server does, with the same code. docs/scale.md describes relays.
//
// The caller of [Relay.Run] subscribes. The page, which has goroutines, ends with it.
package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/internal/wsconn"
	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/relay/envelope"
	"github.com/hexarena/hexarena/server/web"
)

// Options are the settings of a relay.
type Options struct {
	Server     string        // address of the upstream's page, http or https, with a slash at the end
	Token      string        // for servers whose relays need one
	Web        web.Options   // where viewers connect
	MatchBytes int           // limit of the history of each match; 0: feed.MaxBytes()
	MaxLag     time.Duration // of viewers, as for a feed
	Log        zerolog.Logger
}

// The waits between two attempts to connect.
const (
	firstWait = 100 * time.Millisecond // a server that is started again has its page in less
	// longestWait is short for viewers that wait, and long enough for a server that refuses relays not to notice them.
	longestWait = 5 * time.Second
	steadyTime  = 10 * time.Second // after a connection of this length the next wait is firstWait: the server does not fail at once
)

// silence is how long an upstream may send nothing: it pings every wsconn.PingInterval.
const silence = 50 * time.Second

// Relay is a relay of one server.
type Relay struct {
	opts      Options
	page      *web.Server
	endPage   func() // says goodbye to all viewers
	forwarder *forwarder
	about     atomic.Pointer[map[string]any] // what the upstream's hello said
	ready     atomic.Bool                    // it has subscribed once

	// Of the caller of Run.
	feeds   map[string]*feed.Feed // of the matches that the upstream keeps
	trouble string                // the last error that was logged
	wrong   bool                  // that the upstream sent something wrong was logged for this connection
}

// Open returns a relay that serves viewers, and subscribes as soon as Run runs.
func Open(o Options) (*Relay, error) {
	r := &Relay{opts: o, feeds: map[string]*feed.Feed{}}
	r.about.Store(&map[string]any{})
	o.Web.Log = o.Log
	r.forwarder = newForwarder(o.Server)
	o.Web.Upstream = &web.Upstream{
		Address: o.Server, Handler: r.forwarder,
		About: func() map[string]any { return *r.about.Load() },
	}
	var err error
	r.page, r.endPage, err = host.OpenPage(o.Web, false)
	return r, err
}

// Close closes a relay for which Run is not called.
func (r *Relay) Close() { r.endPage() }

// Page returns the server of the viewers.
func (r *Relay) Page() *web.Server { return r.page }

// Ready reports whether the relay has subscribed once. It stays ready when its upstream is away: viewers are told, and keep what they see.
func (r *Relay) Ready() bool { return r.ready.Load() }

// Run subscribes until ctx ends. Then viewers get what is left and a close message, and Run returns when they are gone.
func (r *Relay) Run(ctx context.Context) {
	defer r.forwarder.client.CloseIdleConnections()
	defer r.endPage()
	r.follow(ctx)
}

// follow subscribes until ctx ends, again whenever the connection is lost.
func (r *Relay) follow(ctx context.Context) {
	wait := firstWait
	for ctx.Err() == nil {
		began := time.Now()
		var err error
		if p := panics.Catch(func() { err = r.subscribe(ctx) }); p != nil {
			r.opts.Log.Error().EmbedObject(p).Msg("Relaying failed")
			err = errors.New("relaying failed")
		}
		if ctx.Err() != nil {
			return
		}
		r.page.SetAway(true)
		if text := err.Error(); text != r.trouble {
			r.trouble = text
			r.opts.Log.Warn().Str("server", r.opts.Server).Str("reason", text).Msg("The server is away; connecting again until it answers")
		}
		if time.Since(began) > steadyTime {
			wait = firstWait
		}
		select {
		case <-time.After(wait/2 + rand.N(wait)): // so that relays of one server do not connect at once
		case <-ctx.Done():
		}
		wait = min(2*wait, longestWait)
	}
}

// subscribe connects to the upstream and receives events until the connection is lost. It never returns nil.
func (r *Relay) subscribe(ctx context.Context) (err error) {
	header := http.Header{}
	if r.opts.Token != "" {
		header.Set("Authorization", "Bearer "+r.opts.Token)
	}
	var conn *wsconn.Conn
	alive := func(bool) { _ = conn.SetReadDeadline(time.Now().Add(silence)) }
	address := "ws" + strings.TrimPrefix(strings.TrimSuffix(r.opts.Server, "/"), "http") + envelope.Path
	if conn, err = wsconn.DialPrepared(ctx, address, header, alive); err != nil {
		return reasonOf(err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	alive(true)
	conn.SetReadLimit(envelope.Max)
	held := envelope.Held{Held: map[string]int{}}
	for id, f := range r.feeds {
		if held.Held[id] = f.Events(); f.Released() {
			held.Held[id] = envelope.Dropped
		}
	}
	if err := conn.WriteJSON(held); err != nil {
		return reasonOf(err)
	}
	return reasonOf(r.receive(conn, alive))
}

// reasonOf returns an error without the addresses that Go adds, so that it is logged once, whatever port was used.
func reasonOf(err error) error {
	var network *net.OpError
	if errors.As(err, &network) {
		return network.Err
	}
	return err
}

var errTooLong = fmt.Errorf("the server sent an envelope of more than %d bytes", envelope.Max)

// receive receives events until the connection is lost or the upstream sends what is no envelope.
func (r *Relay) receive(conn *wsconn.Conn, alive func(bool)) error {
	r.wrong = false
	for first := true; ; first = false {
		kind, in, err := conn.NextReader()
		if err != nil {
			return err
		}
		if kind != websocket.BinaryMessage {
			return errors.New("the server sent a text in place of an envelope")
		}
		message, err := io.ReadAll(io.LimitReader(in, envelope.Max+1)) // compressed ones are longer than the connection's limit
		switch {
		case err != nil:
			return err
		case len(message) > envelope.Max:
			return errTooLong
		}
		e, err := envelope.Parse(message)
		if err != nil {
			return err
		}
		if first && e.Version != envelope.Version {
			return fmt.Errorf("the server speaks version %d with relays, and this relay version %d; use the same version of hexarena", e.Version, envelope.Version)
		}
		if err := r.apply(e); err != nil {
			return err
		}
		alive(true)
	}
}

// maxMatches is the most matches: a server keeps as many.
const maxMatches = 1000

// apply takes an envelope. What is wrong with one match costs only that match.
func (r *Relay) apply(e *envelope.Envelope) error {
	switch e.Kind {
	case envelope.Hello:
		r.about.Store(&e.Server)
		return nil
	case envelope.Matches:
		return r.keep(e)
	}
	f := r.feeds[e.Match]
	if f == nil {
		switch {
		case e.About == nil || e.About.ID != e.Match || e.Match == "":
			r.complain(fmt.Errorf("%s envelope of a match %.40q that is not known", e.Kind, e.Match))
			return nil
		case len(r.feeds) >= maxMatches:
			return fmt.Errorf("the server has more than %d matches", maxMatches)
		}
		f = feed.NewMirror(*e.About, feed.Options{MaxBytes: r.opts.MatchBytes, MaxLag: r.opts.MaxLag})
		if err := f.Receive(e.Record(), e.About); err != nil {
			r.complain(fmt.Errorf("match %.40q: %w", e.Match, err))
			return nil
		}
		r.feeds[e.Match] = f
		r.page.Add(web.Match{Feed: f}) // the list follows
		return nil
	}
	if err := f.Receive(e.Record(), e.About); err != nil {
		f.Release()
		r.complain(fmt.Errorf("match %.40q: %w", e.Match, err))
	}
	return nil
}

// keep takes the list of matches.
func (r *Relay) keep(e *envelope.Envelope) error {
	if len(e.Matches) > maxMatches {
		return fmt.Errorf("the server has %d matches, more than %d", len(e.Matches), maxMatches)
	}
	kept := make(map[string]*feed.Feed, len(e.Matches))
	for _, id := range e.Matches {
		if f := r.feeds[id]; f != nil {
			kept[id] = f
		}
	}
	r.feeds = kept
	r.page.Keep(e.Matches, e.Current)
	r.page.SetAway(e.Away)
	if !r.ready.Swap(true) || r.trouble != "" {
		r.trouble = ""
		r.opts.Log.Info().Str("server", r.opts.Server).Int("matches", len(e.Matches)).Msg("Subscribed")
	}
	return nil
}

// complain logs, once for a connection, that the upstream sent something wrong.
func (r *Relay) complain(err error) {
	if r.wrong {
		return
	}
	r.wrong = true
	r.opts.Log.Warn().Str("server", r.opts.Server).Err(err).Msg("The server sent something wrong; what else it sends of the match is ignored")
}
