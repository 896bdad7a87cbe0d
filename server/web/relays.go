package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/internal/wsconn"
	"github.com/hexarena/hexarena/server/netconn"
	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/relay/envelope"
)

const (
	// maxRelays is the most relays at a time. With 6000 viewers each, 32 serve more than 100 000; a tree of relays serves any number.
	maxRelays = 32
	// relayBuffer is what the system buffers for a relay: half a second of large states, or a round trip of 100 ms at 10 MB/s.
	relayBuffer = 1 << 20
)

// subscription is one relay, which gets the events of all matches. As a viewer it has no queue, but a position in the history of
// each match. One goroutine writes to it, one reads.
type subscription struct {
	conn *wsconn.Conn
	set  *viewerSet
	news chan struct{}            // there may be new events
	held chan envelope.Held       // what the relay has, once
	gone chan struct{}            // closed when reading has ended
	tell func() envelope.Envelope // returns hello

	// Of the goroutine that writes.
	has      envelope.Held
	tails    map[*entry]*feed.Tail // nil: the relay wants no more of the match
	listed   uint64                // version of the list of matches that was sent
	unlisted bool                  // there are tails of matches that were begun after it
}

// subscribe lets a relay subscribe to all matches.
func (s *Server) subscribe(w http.ResponseWriter, r *http.Request) {
	if !s.admitsRelay(r) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="hexarena"`)
		fail(w, http.StatusUnauthorized, "a relay of this server needs the token of a visualization or of the operator in the header Authorization: Bearer TOKEN")
		return
	}
	if s.viewers.relays() >= maxRelays {
		fail(w, http.StatusServiceUnavailable, "there are %d relays already; subscribe to one of these", maxRelays)
		return
	}
	conn, err := s.upgrader.Upgrade(w, r, nil) // answers if it fails
	if err != nil {
		return
	}
	netconn.SetWriteBuffer(conn.NetConn(), relayBuffer)
	sub := &subscription{
		set: &s.viewers, news: make(chan struct{}, 1), held: make(chan envelope.Held, 1), gone: make(chan struct{}),
		tails: map[*entry]*feed.Tail{}, tell: s.hello,
	}
	sub.conn = wsconn.New(conn, maxControl, func(bool) { _ = conn.SetReadDeadline(time.Now().Add(silence)) })
	if !s.viewers.addRelay(sub) {
		_ = sub.conn.Bye(websocket.CloseGoingAway, goingAway)
		_ = conn.Close()
	}
}

// admitsRelay reports whether the sender of a request may be a relay.
func (s *Server) admitsRelay(r *http.Request) bool {
	if s.opts.Relays == nil {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && s.opts.Relays(token)
}

// hello returns what a relay has to know of this server.
func (s *Server) hello() envelope.Envelope {
	about := s.about()
	about["version"] = s.opts.Version
	return envelope.Envelope{Kind: envelope.Hello, Version: envelope.Version, Server: about}
}

// show sends what is new until the relay is gone or, after quit, has all events.
func (r *subscription) show(quit <-chan struct{}) {
	defer r.conn.Close()
	select {
	case r.has = <-r.held:
	case <-r.gone:
		return
	case <-quit:
		_ = r.conn.Bye(websocket.CloseGoingAway, goingAway)
		return
	}
	first := r.tell()
	if r.write(&first) != nil {
		return
	}
	ping := time.NewTicker(wsconn.PingInterval)
	defer ping.Stop()
	for {
		if r.drain() != nil {
			return
		}
		select {
		case <-r.news:
		case <-ping.C:
			if r.conn.Ping(writeTime) != nil {
				return
			}
		case <-r.gone:
			return
		case <-quit:
			if r.drain() == nil {
				_ = r.conn.Bye(websocket.CloseGoingAway, goingAway)
			}
			return
		}
	}
}

// drain sends the list of matches if it has changed, and the events that the relay does not have. The rest of matches that were begun comes
// first, so that viewers have it when another match becomes the current one; then the current match, which most viewers watch.
func (r *subscription) drain() error {
	list, current, version := r.set.matches.snapshot()
	for _, x := range list {
		if _, begun := r.tails[x]; !begun {
			continue
		}
		if err := r.finish(x); err != nil {
			return err
		}
	}
	if current != nil {
		if err := r.finish(current); err != nil {
			return err
		}
	}
	if version != r.listed {
		if err := r.list(list, current); err != nil {
			return err
		}
		r.listed = version
	}
	for _, x := range list {
		if err := r.finish(x); err != nil {
			return err
		}
	}
	if r.unlisted { // the relay knows the order of matches by a list after their first events
		return r.list(list, current)
	}
	return nil
}

// list sends the list of matches, and forgets those that are not in it.
func (r *subscription) list(list []*entry, current *entry) error {
	e := envelope.Envelope{Kind: envelope.Matches, Away: r.set.away.Load()}
	tails := make(map[*entry]*feed.Tail, len(list))
	for _, x := range list {
		e.Matches = append(e.Matches, x.Feed.ID())
		if tail, begun := r.tails[x]; begun {
			tails[x] = tail
		}
	}
	if current != nil {
		e.Current = current.Feed.ID()
	}
	r.tails, r.unlisted = tails, false
	return r.write(&e)
}

// finish sends all remaining events of a match.
func (r *subscription) finish(x *entry) error {
	tail, begun := r.tails[x]
	if !begun {
		if events := r.has.Held[x.Feed.ID()]; events != envelope.Dropped {
			tail = x.Feed.Tail(events)
		}
		r.tails[x], r.unlisted = tail, true
	}
	if tail == nil {
		return nil
	}
	for {
		record, ok := tail.Next()
		if !ok {
			return nil
		}
		message, err := x.relayed.of(record.Serial, websocket.BinaryMessage, func() []byte { return enclose(x, &record) })
		if err != nil {
			return err
		}
		if err := r.send(message, func() []byte { return enclose(x, &record) }); err != nil {
			return err
		}
	}
}

// enclose returns a record as it is sent.
func enclose(x *entry, r *feed.Record) []byte {
	var about *feed.Brief
	if r.Kind == feed.LobbyRecord || r.Kind == feed.EndRecord || r.Index == 0 {
		b := x.Feed.Brief()
		about = &b
	}
	return envelope.Of(x.Feed.ID(), r, about).Bytes()
}

// send writes a message, or if it is nil what plain returns.
func (r *subscription) send(message *websocket.PreparedMessage, plain func() []byte) error {
	_ = r.conn.SetWriteDeadline(time.Now().Add(writeTime))
	if message == nil {
		r.conn.EnableWriteCompression(false)
		return r.conn.WriteMessage(websocket.BinaryMessage, plain())
	}
	r.conn.EnableWriteCompression(true)
	return r.conn.WritePreparedMessage(message)
}

// write writes an envelope that is only for this relay.
func (r *subscription) write(e *envelope.Envelope) error { return r.send(nil, e.Bytes) }

// listen reads what the relay has, and then until it is gone. A relay that sends anything else is disconnected.
func (r *subscription) listen() {
	defer close(r.gone)
	defer r.conn.Close() // ends a write that is under way
	_ = r.conn.SetReadDeadline(time.Now().Add(requestTime))
	text, err := r.conn.ReadText(nil, envelope.MaxHeld, nil)
	var held envelope.Held
	if err == nil {
		err = json.Unmarshal(text, &held)
	}
	if err != nil {
		_ = r.conn.Bye(websocket.ClosePolicyViolation, "a relay first says what it has")
		return
	}
	r.held <- held
	_ = r.conn.SetReadDeadline(time.Now().Add(silence))
	r.conn.SetReadLimit(maxMessage)
	if _, _, err = r.conn.NextReader(); err == nil || errors.Is(err, wsconn.ErrControl) {
		_ = r.conn.Bye(websocket.ClosePolicyViolation, "a relay says only what it has")
	}
}

// relays returns the number of relays.
func (c *viewerSet) relays() int { return int(c.subscribed.Load()) }

// addRelay starts serving a relay. It reports false if the server is about to end.
func (c *viewerSet) addRelay(r *subscription) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.subscriptions[r] = struct{}{}
	c.subscribed.Store(int32(len(c.subscriptions)))
	failed := panics.Logged(c.log, "Serving a relay failed")
	panics.Go(&c.running, r.listen, failed)
	panics.Go(&c.running, func() {
		defer c.removeRelay(r)
		r.show(c.quit)
	}, failed)
	return true
}

func (c *viewerSet) removeRelay(r *subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.subscriptions, r)
	c.subscribed.Store(int32(len(c.subscriptions)))
}

// notifyRelays wakes all relays.
func (c *viewerSet) notifyRelays() {
	if c.relays() == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for r := range c.subscriptions {
		notify(r.news)
	}
}
