package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/machine/wsconn"
)

// Limits of a viewer's connection.
const (
	writeTime   = 10 * time.Second // for one event
	silence     = 50 * time.Second // after which a viewer that does not answer pings is disconnected
	maxControl  = 16               // control frames per wsconn.PingInterval
	maxMessage  = 1                // bytes; viewers must not send messages
	readBuffer  = 256
	writeBuffer = 1 << 10
	// socketBuffer limits what the system buffers for a viewer that does not read, and with it
	// how old its view becomes.
	socketBuffer = 64 << 10
)

func newUpgrader() websocket.Upgrader {
	refuse := func(w http.ResponseWriter, r *http.Request, status int, reason error) {
		if status == http.StatusForbidden {
			reason = fmt.Errorf("the Origin %q does not match the Host %q: the request is from another "+
				"site, or a proxy does not pass on Host", r.Header.Get("Origin"), r.Host)
		}
		fail(w, status, "%v", reason)
	}
	u := wsconn.NewUpgrader(readBuffer, writeBuffer, requestTime, refuse)
	u.EnableCompression = true // done once for all viewers, since messages are prepared
	return u
}

// live shows a match to a viewer, beginning with the first event that the viewer does not
// have: the requested match or, if none is requested, always the current one.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	from, err := number(r, "from", 0)
	if err != nil {
		fail(w, http.StatusBadRequest, "%v", err)
		return
	}
	q := r.URL.Query()
	v := &viewer{
		set:     &s.viewers,
		shows:   s.markSeen,
		follows: q.Get("match") == "",
		news:    make(chan struct{}, 1),
		gone:    make(chan struct{}),
	}
	switch x, err := s.matches.find(q.Get("match")); {
	case err == nil:
		if held := q.Get("held"); held != "" && held != x.Feed.ID() {
			from = 0
		}
		v.watch(x, from)
	case !v.follows:
		fail(w, http.StatusNotFound, "%v", err)
		return
	}
	conn, err := s.upgrader.Upgrade(w, r, nil) // answers if it fails
	if err != nil {
		return
	}
	netconn.SetWriteBuffer(conn.NetConn(), socketBuffer)
	v.conn = wsconn.New(conn, maxControl,
		func(bool) { _ = conn.SetReadDeadline(time.Now().Add(silence)) })
	if !s.viewers.add(v) {
		_ = v.conn.Bye(websocket.CloseGoingAway, goingAway)
		_ = conn.Close()
		return
	}
}

// goingAway is the reason in the close message when the server ends.
const goingAway = "the server stops"

// viewer is one browser that watches. One goroutine writes to it, one reads, only to notice
// the end of the connection.
type viewer struct {
	conn    *wsconn.Conn
	set     *viewerSet
	shows   func()        // called when the viewer has the first events
	follows bool          // watches the current match, whichever that is
	shown   *entry        // nil if there is no match yet; changed only by viewerSet once it is added
	cursor  *feed.Cursor  // of shown
	news    chan struct{} // there may be new events
	gone    chan struct{} // closed when reading has ended
}

// watch makes the viewer watch a match of which it already has the first events.
func (v *viewer) watch(x *entry, from int) {
	v.shown, v.cursor = x, x.Feed.From(from)
}

// show writes events until the viewer is gone or, after quit, has all events.
func (v *viewer) show(quit <-chan struct{}) {
	defer v.conn.Close()
	ping := time.NewTicker(wsconn.PingInterval)
	defer ping.Stop()
	for {
		if v.drain() != nil {
			return
		}
		v.shows()
		select {
		case <-v.news:
		case <-ping.C:
			if v.conn.Ping(writeTime) != nil {
				return
			}
		case <-v.gone:
			return
		case <-quit:
			if v.drain() == nil {
				_ = v.conn.Bye(websocket.CloseGoingAway, goingAway)
			}
			return
		}
	}
}

// drain writes all events that the viewer does not have, including the rest of a match
// before it turns to another one.
func (v *viewer) drain() error {
	for {
		next := v.shown
		if v.follows {
			next = v.set.matches.currentEntry()
		}
		if err := v.finish(); err != nil || next == v.shown {
			return err
		}
		v.set.switchTo(v, next)
	}
}

// finish writes all remaining events of the match that the viewer watches.
func (v *viewer) finish() error {
	if v.shown == nil {
		return nil
	}
	for {
		e, ok := v.cursor.Next()
		if !ok {
			return v.leftBehind()
		}
		if err := v.send(e); err != nil {
			return err
		}
	}
}

// leftBehind closes the connection of a viewer whose match is no longer kept.
func (v *viewer) leftBehind() error {
	if v.follows || !v.shown.Feed.Released() {
		return nil
	}
	_ = v.conn.Bye(websocket.CloseNormalClosure, feed.ErrReleased.Error())
	return feed.ErrReleased
}

func (v *viewer) send(e feed.Event) error {
	_ = v.conn.SetWriteDeadline(time.Now().Add(cmp.Or(v.set.patience, writeTime)))
	message, err := v.shown.frames.of(e)
	if err != nil {
		return err
	}
	if message == nil { // too old to compress it for a single viewer
		v.conn.EnableWriteCompression(false)
		return v.conn.WriteMessage(websocket.TextMessage, e.Data)
	}
	v.conn.EnableWriteCompression(true)
	return v.conn.WritePreparedMessage(message)
}

// listen reads until the viewer is gone. A viewer that sends a message is disconnected.
func (v *viewer) listen() {
	defer close(v.gone)
	defer v.conn.Close() // ends a write that is under way
	v.conn.SetReadLimit(maxMessage)
	_ = v.conn.SetReadDeadline(time.Now().Add(silence))
	_, _, err := v.conn.NextReader()
	if err == nil || errors.Is(err, wsconn.ErrControl) {
		_ = v.conn.Bye(websocket.ClosePolicyViolation, "viewers do not talk")
	}
}

// frames holds the newest events as messages that all viewers share.
type frames struct {
	mu   sync.Mutex
	ring [64]frame
}

type frame struct {
	serial  uint64
	message *websocket.PreparedMessage
}

// clear drops all messages.
func (f *frames) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.ring[:])
}

// of returns the message of an event, or nil if it is too old or for one
// reader only.
func (f *frames) of(e feed.Event) (*websocket.PreparedMessage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	slot := &f.ring[e.Serial%uint64(len(f.ring))]
	if slot.serial > e.Serial {
		return nil, nil
	}
	if slot.serial < e.Serial {
		message, err := websocket.NewPreparedMessage(websocket.TextMessage, e.Data)
		if err != nil {
			return nil, err
		}
		*slot = frame{e.Serial, message}
	}
	return slot.message, nil
}
