package main

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/harness"
)

const (
	tick        = 50 * time.Millisecond
	viewers     = 100
	jitterLimit = time.Millisecond // beyond a bare timer's
)

// jitter measures how evenly a player receives turns at the timer's pace while many
// clients watch, compared with a bare timer that runs at the same time.
func (b *bench) jitter(ctx context.Context) error {
	visus := crowd{players: 4, characters: characters, visus: viewers, arrivals: b.ticks}
	if err := b.measureJitter(ctx, "50 ms, 100 visualizations", visus, 0, plainFlags); err != nil {
		return err
	}
	players := crowd{players: 4, characters: characters, arrivals: b.ticks}
	return b.measureJitter(ctx, "50 ms, 100 viewers on the page", players, viewers, b.fullFlags())
}

func (b *bench) measureJitter(ctx context.Context, what string, w crowd, viewers int, flags []string) error {
	var ours, theirs harness.Series // ms
	pace := fmt.Sprint(tick.Milliseconds())
	flags = append(flags[:len(flags):len(flags)], "--delay-turns", pace, "--delay-first-turn", pace)
	for round := range b.rounds {
		srv, err := b.serve(ctx, w, largeMap, b.ticks, flags...)
		if err != nil {
			return err
		}
		leave, err := watchPage(ctx, srv.Page, viewers)
		if err != nil {
			srv.Stop()
			return err
		}
		stop := runTimer(b.ticks)
		o, err := playOn(ctx, srv.Process, w, srv.Addr)
		leave()
		reference := stop()
		if err != nil {
			return err
		}
		ours, theirs = append(ours, unevenness(o.first.arrivals)), append(theirs, unevenness(reference))
		b.report("%s, round %d of %d: p99 off by %.3f ms, a bare timer by %.3f ms", what, round+1, b.rounds, ours[round], theirs[round])
	}
	var excess harness.Series
	for i := range ours {
		excess = append(excess, ours[i]-theirs[i])
	}
	limit := harness.Milliseconds(jitterLimit)
	b.table.rows = append(b.table.rows, row{
		what:     what,
		measured: fmt.Sprintf("p99 off by %.3f ms", ours.Median()),
		beside:   fmt.Sprintf("p99 off by %.3f ms", theirs.Median()),
		figure:   excess.String() + " ms more",
		target:   fmt.Sprintf("≤ %.0f ms more", limit),
		ok:       excess.Median() <= limit,
	})
	return nil
}

// runTimer starts a timer with the given number of ticks. stop ends it and returns the
// times at which it fired.
func runTimer(ticks int) (stop func() []time.Time) {
	stopped, done := make(chan struct{}), make(chan struct{})
	var times []time.Time
	go func() {
		defer close(done)
		timer := time.NewTimer(tick)
		defer timer.Stop()
		for range ticks {
			select {
			case <-timer.C:
				times = append(times, time.Now())
				timer.Reset(tick)
			case <-stopped:
				return
			}
		}
	}()
	return func() []time.Time {
		close(stopped)
		<-done
		return times
	}
}

// unevenness returns the 99th percentile of the deviations of the intervals between times
// from a tick, in milliseconds.
func unevenness(times []time.Time) float64 {
	var off harness.Series
	for i := 1; i < len(times); i++ {
		d := (times[i].Sub(times[i-1]) - tick).Abs()
		off = append(off, harness.Milliseconds(d))
	}
	return off.Quantile(0.99)
}

// watchPage connects viewers to a page's match, until leave is called.
func watchPage(ctx context.Context, page string, viewers int) (leave func(), err error) {
	var all sync.WaitGroup
	var conns []*websocket.Conn
	leave = func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
		all.Wait()
	}
	if viewers == 0 {
		return leave, nil
	}
	u, err := url.Parse(page)
	if err != nil {
		return nil, err
	}
	u.Scheme, u.Path = "ws", "/api/live"
	for range viewers {
		conn, _, err := (&websocket.Dialer{EnableCompression: true, ReadBufferSize: 4 << 10}).DialContext(ctx, u.String(), nil)
		if err != nil {
			leave()
			return nil, fmt.Errorf("look at %s: %w", u, err)
		}
		conns = append(conns, conn)
		all.Go(func() {
			for {
				if _, _, err := conn.NextReader(); err != nil {
					return
				}
			}
		})
	}
	return leave, nil
}
