// Command viewload has many viewers look on at one match, as browsers do, and
// reports what they were sent and when.
//
//	hexarena play --tps 10 --turns 400 &
//	go run ./server/web/viewload -viewers 2000 -pid $!
//
// The delay of a turn is how much later a viewer has it than the one that was
// the quickest ever, seen from the start of the match. Raise the limit of open
// files first if there are to be more viewers than it allows.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

func main() {
	var l load
	flag.StringVar(&l.url, "url", "ws://127.0.0.1:8080/api/live", "the match")
	flag.IntVar(&l.viewers, "viewers", 2000, "how many viewers")
	flag.DurationVar(&l.length, "for", 20*time.Second, "how long to look on")
	flag.IntVar(&l.pid, "pid", 0, "the server's process, to tell its memory; on Linux")
	flag.Parse()
	if err := l.run(); err != nil {
		fmt.Fprintln(os.Stderr, "viewload:", err)
		os.Exit(1)
	}
}

// load is all viewers together.
type load struct {
	url     string
	viewers int
	length  time.Duration
	pid     int

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

func (l *load) run() error {
	before := memory(l.pid)
	var all sync.WaitGroup
	var conns []*websocket.Conn
	for range l.viewers {
		conn, err := l.dial()
		if err != nil {
			return fmt.Errorf("after %d viewers: %w", len(conns), err)
		}
		conns = append(conns, conn)
		all.Go(func() { l.watch(conn) })
	}
	time.Sleep(time.Second) // for those who came last to catch up
	l.measuring.Store(true)
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	select {
	case <-time.After(l.length):
	case <-interrupted:
	}
	l.measuring.Store(false)
	after := memory(l.pid)
	for _, conn := range conns {
		_ = conn.Close()
	}
	all.Wait()
	return l.report(before, after)
}

// dial is a viewer that understands compressed messages, as browsers do.
func (l *load) dial() (*websocket.Conn, error) {
	d := websocket.Dialer{
		EnableCompression: true, ReadBufferSize: 1 << 10, WriteBufferSize: 256, HandshakeTimeout: 10 * time.Second,
		NetDial: func(network, address string) (net.Conn, error) {
			conn, err := net.Dial(network, address)
			return &counted{conn, l}, err
		},
	}
	conn, _, err := d.Dial(l.url, nil)
	return conn, err
}

// counted is a connection whose bytes are counted.
type counted struct {
	net.Conn
	load *load
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.load.measuring.Load() {
		c.load.bytes.Add(int64(n))
	}
	return n, err
}

var turn = regexp.MustCompile(`^{"type":"turn","turn":\d+,"at_ms":(\d+),"(delta|state)"`)

func (l *load) watch(conn *websocket.Conn) {
	var mine []arrival
	head := make([]byte, 128)
	for {
		_, r, err := conn.NextReader()
		if err != nil {
			l.leave(mine, err)
			return
		}
		n, _ := io.ReadFull(r, head)
		found := turn.FindSubmatch(head[:n])
		if found == nil || !l.measuring.Load() {
			continue
		}
		ms, _ := strconv.Atoi(string(found[1]))
		mine = append(mine, arrival{time.Now(), time.Duration(ms) * time.Millisecond})
		if string(found[2]) == "state" {
			l.wholes.Add(1)
		}
	}
}

func (l *load) leave(mine []arrival, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.late = append(l.late, mine...)
	if !errors.Is(err, net.ErrClosed) {
		l.lost = append(l.lost, err)
	}
}

func (l *load) report(before, after int64) error {
	if len(l.late) == 0 {
		return errors.New("no turn was seen")
	}
	first := slices.MinFunc(l.late, func(a, b arrival) int { return a.start().Compare(b.start()) }).start()
	delays := make([]time.Duration, len(l.late))
	for i, a := range l.late {
		delays[i] = a.start().Sub(first)
	}
	slices.SortFunc(delays, cmp.Compare[time.Duration])
	at := func(share float64) float64 {
		return float64(delays[int(share*float64(len(delays)-1))].Microseconds()) / 1000
	}
	result := map[string]any{
		"viewers": l.viewers, "lost": len(l.lost), "turns_seen": len(l.late), "turns_whole": l.wholes.Load(),
		"delay_ms":         map[string]float64{"p50": at(0.5), "p99": at(0.99), "max": at(1)},
		"bytes_per_viewer": l.bytes.Load() / int64(l.viewers),
		"bytes_per_turn":   l.bytes.Load() / int64(len(l.late)),
	}
	if l.pid != 0 {
		result["memory_per_viewer"] = (after - before) / int64(l.viewers)
	}
	text, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return err
	}
	fmt.Println(string(text))
	return nil
}

// start is when the match would have begun had the turn come at once.
func (a arrival) start() time.Time { return a.at.Add(-a.since) }

// memory is the resident memory of a process in bytes, 0 if it is not known.
func memory(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}
