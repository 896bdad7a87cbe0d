package main

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

// proxy forwards connections to the server like a bad network: it delays them and, if
// cuts is set, cuts some of them.
type proxy struct {
	target   string
	cuts     bool
	seed     uint64
	addr     string        // on which it listens; valid after open
	accepted atomic.Uint64 // connections
	cut      atomic.Int64  // connections
	running  sync.WaitGroup
}

const (
	proxyChunk = 16 << 10              // bytes forwarded at a time
	maxDelay   = 20 * time.Millisecond // of a chunk
	cutOneIn   = 3                     // connections is cut,
	cutWithin  = 40_000                // bytes: within the first matches, in either direction
)

// open starts the proxy, which closes when ctx is done.
func (p *proxy) open(ctx context.Context) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p.addr = l.Addr().String()
	p.running.Go(func() {
		defer context.AfterFunc(ctx, func() { _ = l.Close() })()
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			n := p.accepted.Add(1)
			p.running.Go(func() { p.forward(ctx, conn.(*net.TCPConn), rand.New(rand.NewPCG(p.seed, n))) })
		}
	})
	return nil
}

// forward forwards one connection until either side closes it or it is cut.
func (p *proxy) forward(ctx context.Context, near *net.TCPConn, rng *rand.Rand) {
	defer near.Close()
	far, hangUp, err := harness.Dial(ctx, new(net.Dialer), p.target)
	if err != nil {
		return
	}
	defer hangUp()
	defer context.AfterFunc(ctx, func() { _ = near.Close() })()
	var left atomic.Int64 // bytes until the cut
	left.Store(1 << 62)
	if p.cuts && rng.IntN(cutOneIn) == 0 {
		left.Store(rng.Int64N(cutWithin))
	}
	if rng.IntN(2) == 0 { // a cut resets the connection, as some firewalls do; else it closes it
		_ = near.SetLinger(0)
		_ = far.SetLinger(0)
	}
	delays := rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
	var back sync.WaitGroup
	back.Go(func() { p.copy(ctx, near, far, &left, delays) })
	p.copy(ctx, far, near, &left, rng)
	back.Wait()
}

var errCut = errors.New("cut")

// copy copies one direction.
func (p *proxy) copy(ctx context.Context, dst, src *net.TCPConn, left *atomic.Int64, rng *rand.Rand) {
	buf := make([]byte, proxyChunk)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			harness.Pause(ctx, time.Duration(rng.Int64N(int64(maxDelay))))
			if left.Add(-int64(n)) < 0 {
				err = errCut
			} else if _, failed := dst.Write(buf[:n]); failed != nil {
				err = failed
			}
		}
		switch {
		case err == nil:
			continue
		case errors.Is(err, io.EOF):
			_ = dst.CloseWrite() // the other direction goes on
			return
		case errors.Is(err, errCut):
			p.cut.Add(1)
		}
		_ = dst.Close()
		_ = src.Close()
		return
	}
}
