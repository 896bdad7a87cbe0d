package sim

import (
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// link is a connection between a client and a server.
type link struct {
	quality quality
	pipes   bool // standard input and output of a program: nothing is lost, and no peer falls silent

	mu     sync.Mutex
	news   sync.Cond // something arrived, was read or has ended
	ends   [2]*Conn  // the client's and the server's
	silent bool      // nothing arrives any more
}

// Conn is one end of a link. It implements net.Conn and, as TCP connections do in the server's
// eyes, CloseWrite, TryWrite, Unacked and SetKeepAliveConfig.
type Conn struct {
	*link
	in            stream // what arrives here
	local, remote net.Addr
	deadlines     *emitter
	dead          *atomic.Bool  // the server whose end it is has crashed; nil: it is a client's
	keepAlive     time.Duration // after which a silent peer is noticed

	// Guarded by the link's mutex.
	closed          bool
	broken          error     // why the connection is lost
	gone            time.Time // when the end learnt that its peer has gone; zero: it has not
	toRead, toWrite deadline
}

// deadline is a time from which on calls fail. The zero value is no deadline.
type deadline struct {
	at    time.Time
	event *incident
}

// usualKeepAlive is the time that Go's listeners let a silent peer be: the peer is asked nine
// times, after 15 seconds each.
const usualKeepAlive = 150 * time.Second

func newLink(w *World, name string, client, server net.Addr, q quality) (near, far *Conn) {
	l := &link{quality: q}
	l.news.L = &l.mu
	end := func(local, remote net.Addr, direction string) *Conn {
		name := name + direction
		return &Conn{
			link: l, local: local, remote: remote, keepAlive: usualKeepAlive,
			deadlines: w.scheduler.source(name + " deadline"),
			in: stream{
				link: l, source: w.scheduler.source(name), free: q.window,
				sender: w.rand(name + " sender"), reader: w.rand(name + " reader"),
			},
		}
	}
	near, far = end(client, server, " down"), end(server, client, " up")
	l.ends = [2]*Conn{near, far}
	return near, far
}

// endOf returns the end at which a stream arrives.
func (l *link) endOf(s *stream) *Conn {
	if s == &l.ends[0].in {
		return l.ends[0]
	}
	return l.ends[1]
}

// reset tells an end, after a while, that its peer is gone, and why. Bytes that have arrived there
// may be lost. The caller holds mu.
func (l *link) reset(end *Conn, why error) {
	end.in.after(func() { end.lose(why) })
}

// lose breaks a connection. The caller holds mu.
func (c *Conn) lose(why error) {
	if c.broken == nil {
		c.broken, c.gone = why, time.Now()
		if chance(c.in.sender, 2) { // as systems differ in that
			c.in.data = nil
		}
	}
}

// wasGone reports whether the peer's end learnt before now that this end has gone.
func (c *Conn) wasGone() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	gone := c.peer().gone
	return !gone.IsZero() && gone.Before(time.Now())
}

func (c *Conn) peer() *Conn {
	if c == c.ends[0] {
		return c.ends[1]
	}
	return c.ends[0]
}

// Read implements net.Conn.
func (c *Conn) Read(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, c.fail("read", net.ErrClosed)
		case c.toRead.over():
			return 0, c.fail("read", os.ErrDeadlineExceeded)
		case len(b) == 0:
			return 0, nil
		case len(c.in.data) > 0:
			return c.in.take(b), nil
		case c.broken != nil:
			return 0, c.fail("read", c.broken)
		case c.in.eof:
			return 0, io.EOF
		}
		c.news.Wait()
	}
}

// Write implements net.Conn.
func (c *Conn) Write(b []byte) (n int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		m, err := c.put(b[n:])
		if n += m; err != nil || n == len(b) {
			return n, err
		}
		if c.toWrite.over() {
			return n, c.fail("write", os.ErrDeadlineExceeded)
		}
		c.news.Wait()
	}
}

// TryWrite writes as many bytes as there is room for, without waiting.
func (c *Conn) TryWrite(b []byte) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, _ := c.put(b)
	return n
}

// put sends as much as there is room for. The caller holds mu.
func (c *Conn) put(b []byte) (int, error) {
	out := &c.peer().in
	switch {
	case c.closed, c.isDead():
		return 0, c.fail("write", net.ErrClosed)
	case c.broken != nil:
		return 0, c.fail("write", c.broken)
	case out.ended:
		return 0, c.fail("write", syscall.EPIPE)
	}
	b = b[:min(len(b), out.free)]
	out.send(b)
	return len(b), nil
}

// isDead reports whether nothing that is done at this end has an effect any more.
func (c *Conn) isDead() bool { return c.dead != nil && c.dead.Load() }

func (c *Conn) fail(op string, err error) error {
	return &net.OpError{Op: op, Net: "sim", Source: c.local, Addr: c.remote, Err: err}
}

// CloseWrite ends the stream to the peer.
func (c *Conn) CloseWrite() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.isDead() {
		return c.fail("close", net.ErrClosed)
	}
	c.end()
	return nil
}

// end sends the end of the stream, once. The caller holds mu.
func (c *Conn) end() {
	if out := &c.peer().in; !out.ended && c.broken == nil {
		out.ended = true
		out.flying++
		out.after(func() {
			out.flying--
			out.eof, c.peer().gone = true, time.Now()
		})
	}
}

// Close implements net.Conn. The connection is reset if there is something that was not read.
func (c *Conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.isDead() { // then it is about to be closed
		return c.fail("close", net.ErrClosed)
	}
	if len(c.in.data) > 0 && !c.pipes {
		c.leave(syscall.ECONNRESET)
		return nil
	}
	c.end()
	c.drop()
	return nil
}

// abort resets the connection; why is what the peer reads.
func (c *Conn) abort(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.leave(why)
	}
}

// errNotAccepted is what a client reads of a connection that its server had not accepted when it
// stopped listening.
var errNotAccepted = fmt.Errorf("%w: not accepted", syscall.ECONNRESET)

// leave closes the connection with a reset, which pipes do not have. The caller holds mu.
func (c *Conn) leave(why error) {
	switch {
	case c.pipes:
		c.end()
	case c.broken == nil:
		c.reset(c.peer(), why)
	}
	c.drop()
}

// drop marks the end as closed: what is written to a pipe that is not read fails at once. The
// caller holds mu.
func (c *Conn) drop() {
	c.closed = true
	c.in.data = nil
	c.in.ended = c.in.ended || c.pipes
	c.toRead.set(c, time.Time{})
	c.toWrite.set(c, time.Time{})
	c.news.Broadcast()
}

// silence drops all data from now on, in either direction. Each end notices it after the time
// of its keep-alive.
func (c *Conn) silence() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.silent = true
	for _, end := range c.ends {
		end.deadlines.at(time.Now().Add(end.keepAlive), func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			end.lose(syscall.ETIMEDOUT)
			c.news.Broadcast()
		})
	}
}

// Unacked returns how many bytes have not arrived at the peer's system, plus one for the end
// of the stream.
func (c *Conn) Unacked() (bytes int, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.peer().in.flying, true
}

// SetKeepAliveConfig sets when a silent peer is noticed.
func (c *Conn) SetKeepAliveConfig(k net.KeepAliveConfig) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keepAlive = k.Idle + time.Duration(k.Count)*k.Interval
	return nil
}

// LocalAddr implements net.Conn.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements net.Conn.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline implements net.Conn.
func (c *Conn) SetDeadline(t time.Time) error {
	_ = c.SetReadDeadline(t)
	return c.SetWriteDeadline(t)
}

// SetReadDeadline implements net.Conn.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.setDeadline(&c.toRead, t) }

// SetWriteDeadline implements net.Conn.
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.setDeadline(&c.toWrite, t) }

func (c *Conn) setDeadline(d *deadline, t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return c.fail("set", net.ErrClosed)
	}
	d.set(c, t)
	c.news.Broadcast()
	return nil
}

func (d *deadline) over() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }

// set sets the deadline of an end. Its passing is an event of the world, so that two that
// pass at the same instant are handled one after the other. The caller holds mu.
func (d *deadline) set(c *Conn, t time.Time) {
	c.deadlines.scheduler.cancel(d.event)
	d.at, d.event = t, nil
	if time.Until(t) > 0 {
		d.event = c.deadlines.at(t, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.news.Broadcast()
		})
	}
}
