package broker

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/panics"
)

const (
	// maxConnections bounds the connections of workers, and maxFromAddress those of one address,
	// such as a machine with a worker on each core.
	maxConnections = 4096
	maxFromAddress = maxConnections / 4
	// handshakeTime is the time that a client has for the TLS handshake: three round trips take less
	// in any network.
	handshakeTime = 3 * time.Second
	// workerRate is the number of bytes a second a worker may send, and workerBurst how many at once.
	// A fast worker sends 3 MB of results a second, and a recording has up to 16 MiB.
	workerRate  = 8 << 20
	workerBurst = 32 << 20
)

// front accepts the connections of workers and passes them to the server in this process. It ends
// TLS, so that what has not logged in costs the server nothing, and gives way to others: the oldest
// silent one first.
type front struct {
	listener net.Listener
	secure   *tls.Config
	dial     func() (net.Conn, error) // connects to the server
	running  sync.WaitGroup

	mu     sync.Mutex
	open   map[net.Conn]struct{}
	closed bool
}

// newFront listens at an address. Connections count as those of the limiter.
func newFront(
	address string, secure *tls.Config, limiter *limits.Connections, dial func() (net.Conn, error),
) (*front, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	port := limiter.Port(limits.PortLimits{Connections: maxConnections, PerAddress: maxFromAddress})
	f := &front{
		listener: limits.Listener{Listener: l, Port: port, Log: zerolog.Nop()}, secure: secure,
		dial: dial, open: map[net.Conn]struct{}{},
	}
	panics.Go(&f.running, f.accept, func(*panics.Error) { _ = l.Close() })
	return f, nil
}

// acceptPause is between two attempts to accept a connection: some descriptors may be free again.
const acceptPause = 50 * time.Millisecond

// accept serves connections until the listener is closed.
func (f *front) accept() {
	for {
		conn, err := f.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			time.Sleep(acceptPause)
			continue
		}
		panics.Go(&f.running, func() {
			defer conn.Close()
			f.serve(conn.(*limits.Conn))
		}, func(*panics.Error) {})
	}
}

// keep notes a connection that close has to close. It reports false if the front is closed.
func (f *front) keep(conn net.Conn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.open[conn] = struct{}{}
	}
	return !f.closed
}

func (f *front) forget(conn net.Conn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, conn)
}

// serve passes the bytes of a connection on, in both directions, until one of them ends.
func (f *front) serve(conn *limits.Conn) {
	if !f.keep(conn) {
		return
	}
	defer f.forget(conn)
	client := tls.Server(conn, f.secure)
	_ = conn.SetDeadline(time.Now().Add(handshakeTime))
	if client.Handshake() != nil {
		return
	}
	_ = conn.SetDeadline(time.Time{}) // the server has its own
	server, err := f.dial()
	if err != nil {
		return // the client tries again
	}
	defer server.Close()
	panics.Go(&f.running, func() {
		defer conn.Close()
		defer server.Close()
		answers(client, server, conn.Slot)
	}, func(*panics.Error) {})
	_, _ = io.Copy(server, &paced{client: client, since: time.Now()})
}

// answers passes on what the server sends. Its first answer after INFO says that the client has
// logged in.
func answers(client io.Writer, server io.Reader, slot *limits.Slot) {
	in := bufio.NewReader(server)
	for loggedIn := false; !loggedIn; {
		line, err := in.ReadSlice('\n')
		if _, failed := client.Write(line); err != nil || failed != nil {
			return
		}
		loggedIn = bytes.HasPrefix(line, []byte("PONG"))
	}
	slot.Keep()
	_, _ = io.Copy(client, in)
}

// paced reads what a client sends no faster than workerRate.
type paced struct {
	client io.Reader
	used   int // bytes that count against the burst
	since  time.Time
}

// Read implements io.Reader.
func (p *paced) Read(b []byte) (n int, err error) {
	n, err = p.client.Read(b)
	now := time.Now()
	p.used = max(0, p.used-int(now.Sub(p.since).Seconds()*workerRate)) + n
	p.since = now
	if over := p.used - workerBurst; over > 0 {
		time.Sleep(time.Duration(over) * time.Second / workerRate)
	}
	return n, err
}

// close ends all connections, and returns when they are over.
func (f *front) close() {
	f.mu.Lock()
	f.closed = true
	open := f.open
	f.open = map[net.Conn]struct{}{}
	f.mu.Unlock()
	_ = f.listener.Close()
	for conn := range open {
		_ = conn.Close()
	}
	f.running.Wait()
}
