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
)

// proxy passes connections on to the server as bad networks do: late, and, if it
// cuts, not always to their end.
type proxy struct {
	listener net.Listener
	target   string
	cuts     bool
	seed     uint64
	number   atomic.Uint64 // of the connection that came last
	cut      atomic.Int64  // connections that it cut
	running  sync.WaitGroup
}

// Of what passes.
const (
	proxyChunk = 16 << 10
	mostDelay  = 20 * time.Millisecond
	fewBytes   = 40_000 // that a connection which is to be cut may carry
	cutOneIn   = 3      // connections
)

// newProxy opens a proxy, which ends with ctx.
func newProxy(ctx context.Context, target string, cuts bool, seed uint64) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: l, target: target, cuts: cuts, seed: seed}
	p.running.Go(func() {
		defer context.AfterFunc(ctx, func() { _ = l.Close() })()
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			n := p.number.Add(1)
			p.running.Go(func() { p.pass(ctx, conn.(*net.TCPConn), rand.New(rand.NewPCG(p.seed, n))) })
		}
	})
	return p, nil
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

// pass passes one connection on until either side ends it, or it is cut.
func (p *proxy) pass(ctx context.Context, near *net.TCPConn, rng *rand.Rand) {
	defer near.Close()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", p.target)
	if err != nil {
		return
	}
	far := conn.(*net.TCPConn)
	defer far.Close()
	stop := context.AfterFunc(ctx, func() {
		_ = near.Close()
		_ = far.Close()
	})
	defer stop()
	var left atomic.Int64 // bytes until the cut
	left.Store(1 << 62)
	if p.cuts && rng.IntN(cutOneIn) == 0 {
		left.Store(rng.Int64N(fewBytes))
	}
	if rng.IntN(2) == 0 { // cut as by a firewall that answers, else as by a peer that goes
		_ = near.SetLinger(0)
		_ = far.SetLinger(0)
	}
	delays := rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
	var back sync.WaitGroup
	back.Go(func() { p.pump(ctx, near, far, &left, delays) })
	p.pump(ctx, far, near, &left, rng)
	back.Wait()
}

var errCut = errors.New("cut")

// pump copies one direction.
func (p *proxy) pump(ctx context.Context, dst, src *net.TCPConn, left *atomic.Int64, rng *rand.Rand) {
	buf := make([]byte, proxyChunk)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			delay := time.NewTimer(time.Duration(rng.Int64N(int64(mostDelay))))
			select {
			case <-delay.C:
			case <-ctx.Done():
				delay.Stop()
			}
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
