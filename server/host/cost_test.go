package host_test

import (
	"bufio"
	"encoding/binary"
	"net"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/servertest"
)

// Numbers of turns of the measurement.
const (
	costWarmup = 300 // turns until all buffers have grown
	costTurns  = 1000
)

// TestCostOfATurn measures a steady turn from the sockets to the rules and back: one
// write for each client, one read for each answer, no allocation, and no bytes besides
// the state and its message.
func TestCostOfATurn(t *testing.T) {
	thorough.Long(t)
	for _, test := range []struct {
		name           string
		players, visus int
		recorded       bool
	}{
		{"players", 4, 0, false},
		{"players and visualizations", 4, 3, false},
		{"recorded", 2, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			ruler := &turnSizes{}
			var recordings *host.Recordings
			if test.recorded {
				recordings = &host.Recordings{Dir: t.TempDir(), Durable: recording.AtEnd}
			}
			p := newParty(t, recordings, host.Spec{
				Settings: match.Settings{
					Turns: costWarmup + costTurns + 2, Players: test.players, Visus: test.visus,
				},
				Pace: fast, Watchers: []match.Watcher{ruler}, Autostart: true,
				Game: game(hexabomb.New(hexagon(5, 4))),
			})
			p.join("visualization", test.visus)
			p.join("player", test.players)
			for _, g := range p.guests {
				g.next() // GAME_STARTS
			}
			for turn := range costWarmup {
				p.play(turn)
			}
			before := p.costs(ruler, costWarmup)
			gc := debug.SetGCPercent(-1) // the garbage collector allocates
			mallocs := allocations()
			for turn := range costTurns {
				p.play(costWarmup + turn)
			}
			mallocs = allocations() - mallocs
			debug.SetGCPercent(gc)
			cost := p.costs(ruler, costWarmup+costTurns).minus(before)

			clients := int64(test.players + test.visus)
			if want := clients * costTurns; cost.writes != want {
				t.Errorf("%d writes in %d turns, want %d: one for each client", cost.writes, costTurns, want)
			}
			if want := clients * costTurns; cost.reads != want {
				t.Errorf("%d reads in %d turns, want %d: one for each answer", cost.reads, costTurns, want)
			}
			if cost.bytes != cost.states {
				t.Errorf("a player got %d bytes, want %d: the states with the messages around them", cost.bytes,
					cost.states)
			}
			if mallocs/costTurns != 0 {
				t.Errorf("%d allocations in %d turns, want none in a turn", mallocs, costTurns)
			}
			t.Logf("in %d turns: %+v, %d allocations", costTurns, cost, mallocs)
		})
	}
}

func allocations() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// costs holds counts since the start.
type costs struct {
	writes, reads int64 // of all sessions; only reads that have returned
	bytes         int64 // received in TURNs by the last client, a player
	states        int64 // expected bytes
}

func (c costs) minus(d costs) costs {
	return costs{c.writes - d.writes, c.reads - d.reads, c.bytes - d.bytes, c.states - d.states}
}

// turnSizes is a watcher that computes the expected sizes of TURNs.
type turnSizes struct {
	match.BaseWatcher
	mu    sync.Mutex
	sums  [costWarmup + costTurns + 2]int64 // cumulative bytes up to each TURN
	empty []byte
}

func (r *turnSizes) Played(p *match.Play) {
	r.mu.Lock()
	defer r.mu.Unlock()
	turn := p.Frame.Turn
	r.empty, _ = netorcai.AppendTurn(r.empty[:0], turn, nil, nil)
	r.sums[turn] = int64(len(r.empty) + len(p.Frame.State))
	if turn > 0 {
		r.sums[turn] += r.sums[turn-1]
	}
}

// before returns the total size of the TURNs before a turn.
func (r *turnSizes) before(turn int) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sums[turn-1]
}

// measuredMatch is a match with clients that one goroutine plays: all clients get a TURN
// before the first one answers it.
type measuredMatch struct {
	t      *testing.T
	addr   string
	conns  []*countedConn
	guests []*rawClient
}

func newParty(t *testing.T, recordings *host.Recordings, s host.Spec) *measuredMatch {
	l := servertest.Listen(t)
	p := &measuredMatch{t: t, addr: l.Addr().String()}
	h, err := host.Open(
		host.Options{
			Listener: &countingListener{l, p}, LoginTimeout: 10 * time.Second, Recordings: recordings,
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Start(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, g := range p.guests {
			g.conn.Close()
		}
		h.Shutdown(t.Context())
	})
	return p
}

// countingListener counts the calls on the connections of a match.
type countingListener struct {
	net.Listener
	party *measuredMatch
}

func (l *countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	counted := &countedConn{TCPConn: conn.(*net.TCPConn)}
	l.party.conns = append(l.party.conns, counted) // clients connect one after another
	return counted, nil
}

// join logs n clients in.
func (p *measuredMatch) join(role string, n int) {
	for i := range n {
		c := servertest.Dial(p.t, p.addr)
		g := &rawClient{t: p.t, conn: c, in: bufio.NewReaderSize(c.Conn, 64<<10), actions: "[]"}
		if role == "player" {
			g.actions = `[{"id":` + strconv.Itoa(i) + `,"movement":"move","direction":"x+"}]`
		}
		c.SendLogin(role[:1]+strconv.Itoa(i), role)
		g.next() // LOGIN_ACK
		p.guests = append(p.guests, g)
	}
}

// play plays one turn. Players answer last, so that no answer is late.
func (p *measuredMatch) play(turn int) {
	for _, g := range p.guests {
		g.next()
	}
	for _, g := range p.guests {
		g.answer(turn)
	}
}

// costs returns the counts at the moment when every client has received a TURN.
func (p *measuredMatch) costs(r *turnSizes, turn int) (c costs) {
	last := p.guests[len(p.guests)-1]
	for _, g := range p.guests {
		g.peek()
	}
	for _, w := range p.conns {
		c.reads += w.raw.reads.Load()
		c.writes += w.raw.writes.Load()
	}
	c.bytes, c.states = last.bytes, r.before(turn)
	return c
}

// rawClient is a client that does not allocate.
type rawClient struct {
	t       *testing.T
	conn    net.Conn
	in      *bufio.Reader
	actions string
	ack     []byte
	bytes   int64
}

// peek waits for the next message without consuming it.
func (g *rawClient) peek() int {
	head, err := g.in.Peek(4)
	if err != nil {
		g.t.Fatal(err)
	}
	return 4 + int(binary.LittleEndian.Uint32(head))
}

// next reads a message.
func (g *rawClient) next() {
	size := g.peek()
	if _, err := g.in.Discard(size); err != nil {
		g.t.Fatal(err)
	}
	g.bytes += int64(size)
}

func (g *rawClient) answer(turn int) {
	b := append(g.ack[:0], 0, 0, 0, 0)
	b = append(b, `{"message_type":"TURN_ACK","turn_number":`...)
	b = strconv.AppendInt(b, int64(turn), 10)
	b = append(append(append(b, `,"actions":`...), g.actions...), "}\n"...)
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	g.ack = b
	if _, err := g.conn.Write(b); err != nil {
		g.t.Fatal(err)
	}
}

// countedConn counts the calls that a session makes.
type countedConn struct {
	*net.TCPConn
	raw countedRaw
}

// Read is what sessions call where they make no system calls of their own.
func (c *countedConn) Read(b []byte) (int, error) {
	defer c.raw.reads.Add(1)
	return c.TCPConn.Read(b)
}

func (c *countedConn) Write(b []byte) (int, error) {
	c.raw.writes.Add(1)
	return c.TCPConn.Write(b)
}

// SyscallConn returns the raw connection, which sessions use instead of Read and Write.
func (c *countedConn) SyscallConn() (syscall.RawConn, error) {
	raw, err := c.TCPConn.SyscallConn()
	c.raw.RawConn = raw
	return &c.raw, err
}

type countedRaw struct {
	syscall.RawConn
	reads, writes atomic.Int64 // reads that have returned
}

func (r *countedRaw) Read(f func(fd uintptr) bool) error {
	defer r.reads.Add(1)
	return r.RawConn.Read(f)
}

func (r *countedRaw) Write(f func(fd uintptr) bool) error {
	r.writes.Add(1)
	return r.RawConn.Write(f)
}
