package check

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"sync"

	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/session"
)

// port is where a bot connects in one case. It tells the wires apart that a bot may speak there.
type port struct {
	listener  net.Listener
	web       *netconn.Handoff
	server    http.Server
	acceptor  *botapi.Acceptor
	arrivals  chan arrival
	connected chan struct{} // closed by the first connection
	serving   sync.WaitGroup

	mu     sync.Mutex // guards the fields below
	conns  []net.Conn
	closed bool
}

// arrival is a connection that a bot has made: over netorcai's wire or with packets of the HTTTX
// Bot API, or why its first packet was refused.
type arrival struct {
	peer    *peer
	packets *botapi.Peer
	err     error
}

// manyArrivals is the number of connections of a bot that are looked at in one case; it needs one,
// two if it connects again.
const manyArrivals = 8

// openPort listens at an address.
func openPort(address string) (*port, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	p := &port{
		listener: l, web: netconn.NewHandoff(l.Addr()), acceptor: botapi.NewAcceptor(quietLog),
		arrivals: make(chan arrival, manyArrivals), connected: make(chan struct{}),
	}
	p.server.Handler = http.HandlerFunc(p.serveHTTP)
	p.goSafely(func() { _ = p.server.Serve(p.web) })
	p.goSafely(p.accept)
	return p, nil
}

// goSafely starts a goroutine that close waits for. One that panics has no connection any more.
func (p *port) goSafely(do func()) {
	panics.Go(&p.serving, do, func(failed *panics.Error) { p.arrive(arrival{err: failed}) })
}

func (p *port) number() int { return int(netconn.AddrPort(p.listener.Addr()).Port()) }

// accept takes connections in until the port is closed.
func (p *port) accept() {
	for first := true; ; first = false {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		if first {
			close(p.connected)
		}
		p.mu.Lock()
		closed := p.closed
		p.conns = append(p.conns, conn)
		p.mu.Unlock()
		if closed {
			_ = conn.Close()
			return
		}
		p.goSafely(func() { p.sniff(conn) })
	}
}

// sniff finds out from the first bytes which wire a connection carries.
func (p *port) sniff(conn net.Conn) {
	seen := &tap{Conn: conn}
	in := bufio.NewReaderSize(seen, 4<<10)
	first, err := in.Peek(4)
	ahead := &readAhead{Wrapped: netconn.Wrapped{Conn: seen}, in: in}
	switch {
	case err == nil && session.BeginsHTTP(first):
		p.web.Take(ahead)
	case seen.size() > 0: // otherwise it was closed without a word
		one := newPeer(session.OverTCP(ahead), "netorcai over TCP")
		one.tap, one.raw = seen, conn
		p.arrive(arrival{peer: one})
		one.read()
	}
}

// serveHTTP takes a WebSocket in that carries netorcai's messages or packets.
func (p *port) serveHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/netorcai":
		conn, err := session.OverWebSocket(w, r, nil, quietLog)
		if err != nil {
			return
		}
		one := newPeer(conn, "netorcai over WebSocket")
		p.arrive(arrival{peer: one})
		p.goSafely(one.read)
	case "/htttx/session":
		peer, err := p.acceptor.AcceptBot(w, r, "bot")
		p.arrive(arrival{packets: peer, err: err})
	default:
		http.NotFound(w, r)
	}
}

// arrive hands a connection to the case, or closes it if the case has enough of them.
func (p *port) arrive(a arrival) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		select {
		case p.arrivals <- a:
			return
		default:
		}
	}
	a.close()
}

func (a *arrival) close() {
	if a.peer != nil {
		a.peer.close()
	}
	if a.packets != nil {
		a.packets.Close()
	}
}

// close closes the port and all connections to it.
func (p *port) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	p.closed = true
	for _, conn := range p.conns {
		_ = conn.Close()
	}
	p.mu.Unlock()
	_ = p.web.Close()
	_ = p.server.Close()
	p.closeArrivals()
	p.serving.Wait()
}

// closeArrivals closes the connections that the case has not looked at. There are no more.
func (p *port) closeArrivals() {
	for {
		select {
		case a := <-p.arrivals:
			a.close()
		default:
			return
		}
	}
}

// readAhead is a connection whose first bytes were read ahead.
type readAhead struct {
	netconn.Wrapped
	in *bufio.Reader
}

func (r *readAhead) Read(b []byte) (int, error) { return r.in.Read(b) }

// tapped is the number of bytes of a connection a tap keeps: the longest first message and its
// header.
const tapped = 1 << 11

// tap notes how a peer sends: faults of framing can only be told from the bytes.
type tap struct {
	net.Conn

	mu    sync.Mutex // guards the fields below
	first []byte
	total int64
	alone bool // the first header came without its content
}

// Read implements net.Conn.
func (t *tap) Read(b []byte) (int, error) {
	n, err := t.Conn.Read(b)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.first = append(t.first, b[:min(n, tapped-len(t.first))]...)
	t.alone = t.alone || t.total == 0 && n == 4
	t.total += int64(n)
	return n, err
}

func (t *tap) size() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total
}

// seen returns the first bytes, and whether the first header came without its content.
func (t *tap) seen() (first []byte, headerAlone bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.first, t.alone
}

// errSilent is why a wait ended without a message.
var errSilent = errors.New("no message")
