package sim

import (
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// network connects actors to the servers of the world.
type network struct {
	world *World

	mu     sync.Mutex
	at     *listener             // of the newest server; nil: there was none
	port   int                   // of the newest connection's client
	others map[address]*listener // of those that the server connects to
	calls  map[string]int        // connections of the server by their names
	over   bool                  // the last server has ended
}

func newNetwork(w *World) *network {
	return &network{world: w, port: 10000, others: map[address]*listener{}, calls: map[string]int{}}
}

// address is that of one end of a connection, with a port. It is no TCP address.
type address string

func (address) Network() string  { return "sim" }
func (a address) String() string { return string(a) }

// Where the server is reached: by everyone, and its page also at an address of its own.
const (
	serverHost    = "10.0.0.1"
	serverAddress = address(serverHost + ":4242")
	pageAddress   = address(serverHost + ":8080")
)

// quality says how good a connection is.
type quality struct {
	least, most time.Duration // latency of a segment
	window      int           // bytes that a direction takes before its reader reads them
	split       int           // of this many writes one arrives in pieces, of as many reads one returns less than there is; 0: all are whole
}

// listen returns a listener in place of the earlier one, which should be closed.
func (n *network) listen() *listener {
	l := newListener(serverAddress)
	l.page = newListener(pageAddress)
	l.page.dead = l.dead
	n.mu.Lock()
	defer n.mu.Unlock()
	n.at = l
	return l
}

// dial connects an actor on a host to one of the server's addresses. The error is that of a
// port without a server.
func (n *network) dial(a *actor, host string, to address, q quality) (*Conn, error) {
	n.mu.Lock()
	n.port++
	from := address(fmt.Sprintf("%s:%d", host, n.port))
	n.mu.Unlock()
	a.dialled++
	name := fmt.Sprintf("%s#%d", a.name, a.dialled)
	near, far := newLink(n.world, name, from, to, q)
	a.sleep(near.in.latency())
	n.mu.Lock()
	at := n.at
	switch {
	case at != nil && to == pageAddress:
		at = at.page
	case to != serverAddress && to != pageAddress:
		at = n.others[to]
	}
	n.mu.Unlock()
	refused := at == nil || !at.arrive(far)
	a.sleep(near.in.latency())
	if refused {
		return nil, &net.OpError{Op: "dial", Net: "sim", Addr: to, Err: syscall.ECONNREFUSED}
	}
	return near, nil
}

// listener implements net.Listener.
type listener struct {
	address address
	quality quality      // of the connections of the server to it
	page    *listener    // of the same server's page; nil in that one
	more    []*listener  // of the same server, for bots that it starts; guarded by mu
	dead    *atomic.Bool // the server has crashed

	mu     sync.Mutex
	news   sync.Cond
	queue  []*Conn
	taken  []*Conn // accepted
	closed bool
}

func newListener(at address) *listener {
	l := &listener{address: at, dead: new(atomic.Bool)}
	l.news.L = &l.mu
	return l
}

// arrive queues a connection. It reports false if the listener is closed.
func (l *listener) arrive(c *Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	c.dead = l.dead
	l.queue = append(l.queue, c)
	l.news.Broadcast()
	return true
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.closed && len(l.queue) == 0 {
		l.news.Wait()
	}
	if l.closed {
		return nil, net.ErrClosed
	}
	c := l.queue[0]
	l.queue = l.queue[1:]
	l.taken = append(l.taken, c)
	return c, nil
}

// Close implements net.Listener. Connections that were not accepted are reset.
func (l *listener) Close() error {
	l.mu.Lock()
	queue := l.queue
	l.queue, l.closed = nil, true
	l.news.Broadcast()
	l.mu.Unlock()
	for _, c := range queue {
		c.abort(errNotAccepted)
	}
	return nil
}

// beside makes another listener crash together with this one.
func (l *listener) beside(other *listener) *listener {
	l.mu.Lock()
	defer l.mu.Unlock()
	other.dead = l.dead
	l.more = append(l.more, other)
	return other
}

// Addr implements net.Listener.
func (l *listener) Addr() net.Addr { return l.address }

// crash ends the connections of a server that is dead. Clients see a reset, or nothing at all if
// the machine is gone as well.
func (l *listener) crash(silent bool) {
	if l.page != nil {
		l.page.crash(silent)
	}
	l.mu.Lock()
	taken := slices.Clone(l.taken)
	more := l.more
	l.mu.Unlock()
	for _, other := range more {
		other.crash(silent)
	}
	for _, c := range taken {
		if silent {
			c.silence()
		}
		c.abort(syscall.ECONNRESET)
	}
	_ = l.Close()
}

// stream is one direction of a link: what arrives at one end.
type stream struct {
	link    *link
	source  *emitter
	sender  *rand.Rand // drawn from when something is sent
	reader  *rand.Rand // drawn from when something is read
	eof     bool       // the end of the stream has arrived
	ended   bool       // the sender has sent the end
	data    []byte     // that arrived and was not read
	flying  int        // bytes that were sent and have not arrived
	free    int        // bytes that the sender may send
	read    int        // bytes that were read since the sender was last told
	telling bool       // the sender is being told
	last    time.Time  // when the newest segment arrives, which later ones do not overtake
}

// latency draws how long a segment takes.
func (s *stream) latency() time.Duration {
	return between(s.sender, s.link.quality.least, s.link.quality.most)
}

// send sends bytes, of which there is room for all. The caller holds the link's mutex.
func (s *stream) send(b []byte) {
	b = slices.Clone(b)
	s.free -= len(b)
	s.flying += len(b)
	for len(b) > 0 {
		n := len(b)
		if split := s.link.quality.split; split > 0 && chance(s.sender, split) {
			n = 1 + s.sender.IntN(n)
		}
		part := b[:n]
		b = b[n:]
		s.after(func() { s.arrive(part) })
	}
}

// after calls do when the data that is sent now arrives. The caller holds the link's mutex; do is
// called with it.
func (s *stream) after(do func()) {
	at := time.Now().Add(s.latency())
	if at.Before(s.last) {
		at = s.last
	}
	s.last = at
	s.source.at(at, func() {
		s.link.mu.Lock()
		defer s.link.mu.Unlock()
		if !s.link.silent {
			do()
			s.link.news.Broadcast()
		}
	})
}

// arrive adds bytes to what can be read. The end that is closed answers with a reset.
func (s *stream) arrive(b []byte) {
	s.flying -= len(b)
	end := s.link.endOf(s)
	switch {
	case end.broken != nil:
	case end.closed && s.link.pipes: // its peer is told when it writes
	case end.closed:
		s.link.reset(end.peer(), syscall.ECONNRESET)
	default:
		s.data = append(s.data, b...)
	}
}

// take reads up to len(b) bytes of what has arrived, and tells the sender after a while. The
// caller holds the link's mutex.
func (s *stream) take(b []byte) int {
	b = b[:min(len(b), len(s.data))]
	if split := s.link.quality.split; split > 0 && len(b) > 1 && chance(s.reader, split) {
		b = b[:1+s.reader.IntN(len(b)-1)]
	}
	n := copy(b, s.data)
	if s.data = s.data[n:]; len(s.data) == 0 {
		s.data = nil
	}
	s.read += n
	if !s.telling && n > 0 {
		s.telling = true
		s.source.at(time.Now().Add(between(s.reader, s.link.quality.least, s.link.quality.most)), func() {
			s.link.mu.Lock()
			defer s.link.mu.Unlock()
			if s.telling = false; s.link.silent {
				return
			}
			s.free += s.read
			s.read = 0
			s.link.news.Broadcast()
		})
	}
	return n
}
