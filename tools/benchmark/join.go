package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/hexarena/hexarena/tools/harness"
)

// A match of an event is played through hexarena join, and its traffic is scaled to a round of many
// teams.
const (
	joinSeats  = 4   // of the map
	joinRate   = 20  // turns a second
	joinTarget = 5.0 // Mbit/s
	joinTurns  = 100 // few, so that what a match costs at its beginning and its end counts
)

// joined measures the network that a round of an event needs with hexarena join.
func (b *bench) joined(ctx context.Context) error {
	var all harness.Series
	for i := range b.rounds {
		n, err := b.joinedRound(ctx, filepath.Join(b.Dir, fmt.Sprint("joined", i)))
		if err != nil {
			return err
		}
		mbit := float64(n) / joinSeats / joinTurns * eventTeams * joinRate * 8 / 1e6
		b.Report("hexarena join, round %d of %d: %d bytes, %.2f Mbit/s for %d teams", i+1, b.rounds, n,
			mbit, eventTeams)
		all = append(all, mbit)
	}
	b.table.Add(harness.Row{
		What:   fmt.Sprintf("%d teams with hexarena join at %d turns a second", eventTeams, joinRate),
		Figure: all.Format(2, "") + " Mbit/s",
		Target: fmt.Sprintf("≤ %.0f Mbit/s", joinTarget), Met: all.Median() <= joinTarget,
	})
	return nil
}

// joinedRound plays one match of an event through hexarena join, and returns how many bytes its
// bots sent and got.
func (b *bench) joinedRound(ctx context.Context, dir string) (bytes int64, err error) {
	e, err := b.startEvent(ctx, dir, joinTurns)
	if err != nil {
		return 0, err
	}
	defer e.Stop()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	var passed atomic.Int64
	go countBytes(l, e.at, &passed)
	var bots sync.WaitGroup
	defer bots.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for i := range joinSeats {
		token, err := joinEvent(ctx, e.at, fmt.Sprint("team ", i))
		if err != nil {
			return 0, err
		}
		p, err := harness.Start(ctx, b.Hexarena, "join", "http://"+l.Addr().String()+"/#token="+token,
			strconv.Quote(b.Hexarena)+" bot painter --port {port}")
		if err != nil {
			return 0, err
		}
		p.Watch(func([]byte) {})
		bots.Go(func() { _ = p.Wait() })
	}
	if err := awaitBots(ctx, e.at, joinSeats); err != nil {
		return 0, err
	}
	before := passed.Load()
	if err := e.Tell("round"); err != nil {
		return 0, err
	}
	err = awaitScreen(ctx, e.at, `"matches":1,`)
	return passed.Load() - before, err
}

// countBytes passes connections on to an address, and counts their bytes, until the listener is
// closed.
func countBytes(l net.Listener, to string, count *atomic.Int64) {
	pass := func(from, to net.Conn) {
		_, _ = io.Copy(io.MultiWriter(to, counter{count}), from)
		_, _ = from.Close(), to.Close()
	}
	for {
		near, err := l.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", to)
		if err != nil {
			_ = near.Close()
			continue
		}
		go pass(near, far)
		go pass(far, near)
	}
}

// counter counts bytes. It implements io.Writer.
type counter struct{ n *atomic.Int64 }

func (c counter) Write(b []byte) (int, error) {
	c.n.Add(int64(len(b)))
	return len(b), nil
}
