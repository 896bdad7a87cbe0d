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
)

// audience is all viewers together.
type audience struct {
	url   string
	conns []*websocket.Conn
	all   sync.WaitGroup

	measuring atomic.Bool
	bytes     atomic.Int64 // on the wire, while measuring
	wholes    atomic.Int64 // turns that were sent as a whole state

	mu   sync.Mutex
	late []arrival // of all viewers
	lost []error
}

// arrival is one turn at one viewer.
type arrival struct {
	at    time.Time
	since time.Duration // from the start of the match to the turn, as the server says
}

// enter has so many viewers look on, until they leave.
func (a *audience) enter(ctx context.Context, viewers int) error {
	for range viewers {
		conn, err := a.dial(ctx)
		if err != nil {
			a.leave()
			if errors.Is(err, syscall.EMFILE) {
				err = fmt.Errorf("%w: raise the limit of open files above %d (ulimit -n)", err, viewers)
			}
			return fmt.Errorf("after %d viewers: %w", len(a.conns), err)
		}
		a.conns = append(a.conns, conn)
		a.all.Go(func() { a.watch(conn) })
	}
	return nil
}

// leave hangs up, and waits until all have gone.
func (a *audience) leave() {
	for _, conn := range a.conns {
		_ = conn.Close()
	}
	a.all.Wait()
}

// dial is a viewer that understands compressed messages, as browsers do.
func (a *audience) dial(ctx context.Context) (*websocket.Conn, error) {
	d := websocket.Dialer{
		EnableCompression: true, ReadBufferSize: 1 << 10, WriteBufferSize: 256, HandshakeTimeout: 10 * time.Second,
		NetDial: func(network, address string) (net.Conn, error) {
			conn, err := net.Dial(network, address)
			return &counted{conn, a}, err
		},
	}
	conn, _, err := d.DialContext(ctx, a.url, nil)
	return conn, err
}

// counted is a connection whose bytes are counted.
type counted struct {
	net.Conn
	audience *audience
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.audience.measuring.Load() {
		c.audience.bytes.Add(int64(n))
	}
	return n, err
}

var turn = regexp.MustCompile(`^{"type":"turn","turn":\d+,"at_ms":(\d+),"(delta|state)"`)

func (a *audience) watch(conn *websocket.Conn) {
	var mine []arrival
	head := make([]byte, 128)
	for {
		_, r, err := conn.NextReader()
		if err != nil {
			a.note(mine, err)
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

func (a *audience) note(mine []arrival, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.late = append(a.late, mine...)
	if a.measuring.Load() && !errors.Is(err, net.ErrClosed) {
		a.lost = append(a.lost, err)
	}
}

// sight is what an audience saw.
type sight struct {
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

var errBlind = errors.New("no turn was seen")

// sum sums up what the audience saw, once it has left.
func (a *audience) sum() (s sight, err error) {
	if len(a.late) == 0 {
		return s, errors.Join(append(a.lost, errBlind)...)
	}
	first := slices.MinFunc(a.late, func(a, b arrival) int { return a.start().Compare(b.start()) }).start()
	var delays series
	for _, one := range a.late {
		delays = append(delays, milliseconds(one.start().Sub(first)))
	}
	s.Viewers, s.Lost = len(a.conns), len(a.lost)
	s.Turns, s.Whole = len(a.late), int(a.wholes.Load())
	s.Delay.P50, s.Delay.P99, s.Delay.Max = delays.at(0.5), delays.at(0.99), delays.at(1)
	s.BytesPerViewer, s.BytesPerTurn = int(a.bytes.Load())/s.Viewers, int(a.bytes.Load())/s.Turns
	return s, nil
}

// start is when the match would have begun had the turn come at once.
func (a arrival) start() time.Time { return a.at.Add(-a.since) }
