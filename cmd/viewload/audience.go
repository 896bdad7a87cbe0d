package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/harness"
)

// audience holds all viewers.
type audience struct {
	url   string
	conns []*websocket.Conn
	all   sync.WaitGroup

	measuring atomic.Bool
	bytes     atomic.Int64 // read from the network while measuring
	wholes    atomic.Int64 // turns that came as a complete state

	mu       sync.Mutex
	arrivals []arrival // of all viewers
	lost     []error
}

// arrival is the arrival of one turn at one viewer.
type arrival struct {
	at    time.Time
	since time.Duration // from the start of the match to the turn, by the server's clock
}

// connect connects the given number of viewers.
func (a *audience) connect(ctx context.Context, viewers int) error {
	for range viewers {
		conn, err := a.dial(ctx)
		if err != nil {
			a.disconnect()
			if errors.Is(err, syscall.EMFILE) {
				err = fmt.Errorf("%w: raise the limit of open files above %d (ulimit -n)", err, viewers)
			}
			return fmt.Errorf("after %d viewers: %w", len(a.conns), err)
		}
		a.conns = append(a.conns, conn)
		a.all.Go(func() { a.read(conn) })
	}
	return nil
}

// disconnect closes all connections and waits for the viewers' goroutines.
func (a *audience) disconnect() {
	for _, conn := range a.conns {
		_ = conn.Close()
	}
	a.all.Wait()
}

// dial connects a viewer that accepts compressed messages, as browsers do.
func (a *audience) dial(ctx context.Context) (*websocket.Conn, error) {
	d := websocket.Dialer{
		EnableCompression: true, ReadBufferSize: 1 << 10, WriteBufferSize: 256, HandshakeTimeout: 10 * time.Second,
		NetDial: func(network, address string) (net.Conn, error) {
			conn, err := net.Dial(network, address)
			return &countedConn{conn, a}, err
		},
	}
	conn, _, err := d.DialContext(ctx, a.url, nil)
	return conn, err
}

// countedConn counts the bytes that are read.
type countedConn struct {
	net.Conn
	audience *audience
}

func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.audience.measuring.Load() {
		c.audience.bytes.Add(int64(n))
	}
	return n, err
}

// turn matches the beginning of a turn's event.
var turn = regexp.MustCompile(`^{"type":"turn","turn":\d+,"at_ms":(\d+),"(delta|state)"`)

// read reads a viewer's events until the connection is closed.
func (a *audience) read(conn *websocket.Conn) {
	var mine []arrival
	head := make([]byte, 128)
	for {
		_, r, err := conn.NextReader()
		if err != nil {
			a.add(mine, err)
			return
		}
		n, _ := io.ReadFull(r, head)
		found := turn.FindSubmatch(head[:n])
		if found == nil || !a.measuring.Load() {
			continue
		}
		ms, _ := strconv.Atoi(string(found[1]))
		mine = append(mine, arrival{time.Now(), time.Duration(ms) * time.Millisecond})
		if string(found[2]) == "state" {
			a.wholes.Add(1)
		}
	}
}

// add adds what a viewer received, and its error if it lost the connection.
func (a *audience) add(mine []arrival, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.arrivals = append(a.arrivals, mine...)
	if a.measuring.Load() && !errors.Is(err, net.ErrClosed) {
		a.lost = append(a.lost, err)
	}
}

// summary is what an audience received.
type summary struct {
	Viewers int `json:"viewers"`
	Lost    int `json:"lost"`
	Turns   int `json:"turns_seen"`
	Whole   int `json:"turns_whole"`
	Delay   struct {
		P50 float64 `json:"p50"`
		P99 float64 `json:"p99"`
		Max float64 `json:"max"`
	} `json:"delay_ms"`
	BytesPerViewer int `json:"bytes_per_viewer"`
	BytesPerTurn   int `json:"bytes_per_turn"`
	Memory         int `json:"memory_per_viewer,omitempty"` // bytes
}

var errNoTurn = errors.New("no viewer received a turn")

// summarize sums up what the audience received. The viewers must be disconnected.
func (a *audience) summarize() (s summary, err error) {
	if len(a.arrivals) == 0 {
		return s, errors.Join(append(a.lost, errNoTurn)...)
	}
	first := slices.MinFunc(a.arrivals, func(a, b arrival) int { return a.start().Compare(b.start()) }).start()
	var delays harness.Series
	for _, one := range a.arrivals {
		delays = append(delays, harness.Milliseconds(one.start().Sub(first)))
	}
	s.Viewers, s.Lost = len(a.conns), len(a.lost)
	s.Turns, s.Whole = len(a.arrivals), int(a.wholes.Load())
	s.Delay.P50, s.Delay.P99, s.Delay.Max = delays.Quantile(0.5), delays.Quantile(0.99), delays.Quantile(1)
	s.BytesPerViewer, s.BytesPerTurn = int(a.bytes.Load())/s.Viewers, int(a.bytes.Load())/s.Turns
	return s, nil
}

// start returns when the match began if the turn had arrived without delay.
func (a arrival) start() time.Time { return a.at.Add(-a.since) }
