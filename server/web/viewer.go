package web

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/feed"
)

// Bounds of a viewer's connection.
const (
	writeTime    = 10 * time.Second // for one event
	pingInterval = 20 * time.Second
	silence      = 50 * time.Second // after which a viewer that does not answer is gone
	maxControl   = 16               // control frames between two of our pings
	maxMessage   = 1                // bytes: viewers have nothing to say
	readBuffer   = 256
	writeBuffer  = 1 << 10
	// socketBuffer bounds what the system keeps for a viewer that does not
	// read, and with it how old that is.
	socketBuffer = 64 << 10
)

func newUpgrader() websocket.Upgrader {
	return websocket.Upgrader{
		HandshakeTimeout:  requestTime,
		ReadBufferSize:    readBuffer,
		WriteBufferSize:   writeBuffer,
		WriteBufferPool:   &sync.Pool{},
		EnableCompression: true, // once for all viewers, since messages are prepared
		Error: func(w http.ResponseWriter, r *http.Request, status int, reason error) {
			if status == http.StatusForbidden {
				reason = fmt.Errorf("the Origin %q is not of Host %q: another site asks, or a proxy does not pass Host on", r.Header.Get("Origin"), r.Host)
			}
			fail(w, status, "%v", reason)
		},
	}
}

// live shows a match to a viewer, from the first event that it lacks on: the one
// that it asks for or, if it asks for none, always the current one.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	from, err := number(r, "from", 0)
	if err != nil {
		fail(w, http.StatusBadRequest, "%v", err)
		return
	}
	q := r.URL.Query()
	v := &viewer{
		crowd:   &s.crowd,
		follows: q.Get("match") == "",
		news:    make(chan struct{}, 1),
		gone:    make(chan struct{}),
	}
	switch x, err := s.hall.find(q.Get("match")); {
	case err == nil:
		if held := q.Get("held"); held != "" && held != x.Feed.ID() {
			from = 0
		}
		v.look(x, from)
	case !v.follows:
		fail(w, http.StatusNotFound, "%v", err)
		return
	}
	conn, err := s.upgrader.Upgrade(w, r, nil) // answers if it fails
	if err != nil {
		return
	}
	if tcp, ok := conn.NetConn().(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = tcp.SetWriteBuffer(socketBuffer)
	}
	v.conn = conn
	if !s.crowd.admit(v) {
		v.bye(websocket.CloseGoingAway, goingAway)
		_ = conn.Close()
		return
	}
	s.seenOnce.Do(func() { close(s.seen) })
}

// goingAway is what viewers are told when the server stops.
const goingAway = "the server stops"

// viewer is one browser that looks on. One goroutine writes to it, one reads
// what it is not supposed to send.
type viewer struct {
	conn    *websocket.Conn
	crowd   *crowd
	follows bool          // looks at the current match, whichever that is
	shown   *exhibit      // nil: there is no match yet; after it is admitted, changed by the crowd
	cursor  *feed.Cursor  // of shown
	news    chan struct{} // there may be something new
	gone    chan struct{} // closed when nothing can be read any more
}

// look has it look at a match, of which it has the first events.
func (v *viewer) look(x *exhibit, from int) {
	v.shown, v.cursor = x, x.Feed.From(from)
}

// show writes events until the viewer is gone or, when it is to quit, has all
// there are.
func (v *viewer) show(quit <-chan struct{}) {
	defer v.conn.Close()
	ping := time.NewTicker(pingInterval)
	defer ping.Stop()
	for {
		if v.drain() != nil {
			return
		}
		select {
		case <-v.news:
		case <-ping.C:
			if v.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTime)) != nil {
				return
			}
		case <-v.gone:
			return
		case <-quit:
			if v.drain() == nil {
				v.bye(websocket.CloseGoingAway, goingAway)
			}
			return
		}
	}
}

// drain writes all that the viewer lacks: what is left of the match that it has
// looked at before it turns to another.
func (v *viewer) drain() error {
	for {
		next := v.shown
		if v.follows {
			next = v.crowd.hall.now()
		}
		if err := v.finish(); err != nil || next == v.shown {
			return err
		}
		v.crowd.move(v, next)
	}
}

// finish writes all there is of the match that the viewer looks at.
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

// leftBehind says goodbye to a viewer that asked for a match which is no longer kept.
func (v *viewer) leftBehind() error {
	if v.follows || !v.shown.Feed.Released() {
		return nil
	}
	v.bye(websocket.CloseNormalClosure, feed.ErrReleased.Error())
	return feed.ErrReleased
}

func (v *viewer) send(e feed.Event) error {
	_ = v.conn.SetWriteDeadline(time.Now().Add(writeTime))
	message, err := v.shown.frames.of(e)
	if err != nil {
		return err
	}
	if message == nil { // of long ago: not worth the time to compress it for one
		v.conn.EnableWriteCompression(false)
		return v.conn.WriteMessage(websocket.TextMessage, e.Data)
	}
	v.conn.EnableWriteCompression(true)
	return v.conn.WritePreparedMessage(message)
}

// bye says goodbye; it may be called by any goroutine.
func (v *viewer) bye(code int, reason string) {
	_ = v.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(time.Second))
}

var errTalks = errors.New("too many control frames")

// listen reads until the viewer is gone, or says anything: it is a viewer.
func (v *viewer) listen() {
	defer close(v.gone)
	defer v.conn.Close() // ends a write that is under way
	v.conn.SetReadLimit(maxMessage)
	heard, since := 0, time.Now()
	hear := func() error {
		now := time.Now()
		if now.Sub(since) > pingInterval {
			heard, since = 0, now
		}
		if heard++; heard > maxControl {
			return errTalks
		}
		return v.conn.SetReadDeadline(now.Add(silence))
	}
	_ = v.conn.SetReadDeadline(time.Now().Add(silence))
	v.conn.SetPongHandler(func(string) error { return hear() })
	v.conn.SetPingHandler(func(data string) error {
		if err := hear(); err != nil {
			return err
		}
		_ = v.conn.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(time.Second))
		return nil
	})
	_, _, err := v.conn.NextReader()
	if err == nil || errors.Is(err, errTalks) {
		v.bye(websocket.ClosePolicyViolation, "viewers do not talk")
	}
}

// frames are the newest events as messages that all viewers share.
type frames struct {
	mu   sync.Mutex
	ring [64]frame
}

type frame struct {
	serial  uint64
	message *websocket.PreparedMessage
}

// clear forgets all messages.
func (f *frames) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.ring[:])
}

// of is the message of an event, nil if the event is of long ago.
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
