package main

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	tick        = 50 * time.Millisecond
	viewers     = 100
	jitterLimit = time.Millisecond // more than a bare timer's
)

// jitter measures how evenly a player gets its turns at the timer's pace, beside a
// loop that does nothing but sleep, at the same time, while many look on.
func (b *bench) jitter(ctx context.Context) error {
	visus := crowd{players: 4, characters: crew, visus: viewers, arrivals: b.ticks}
	if err := b.even(ctx, "50 ms, 100 visualizations", visus, 0, quiet); err != nil {
		return err
	}
	players := crowd{players: 4, characters: crew, arrivals: b.ticks}
	return b.even(ctx, "50 ms, 100 viewers on the page", players, viewers, b.shown())
}

func (b *bench) even(ctx context.Context, what string, w crowd, viewers int, flags []string) error {
	var ours, theirs series // ms
	pace := fmt.Sprint(tick.Milliseconds())
	flags = append(flags[:len(flags):len(flags)], "--delay-turns", pace, "--delay-first-turn", pace)
	for round := range b.rounds {
		srv, err := b.serve(ctx, w, largeMap, b.ticks, flags...)
		if err != nil {
			return err
		}
		leave, err := watch(ctx, srv.Page, viewers)
		if err != nil {
			srv.Stop()
			return err
		}
		bare := sleepEvenly(b.ticks)
		o, err := attended(ctx, srv.Process, w, srv.Addr)
		leave()
		reference := bare()
		if err != nil {
			return err
		}
		ours, theirs = append(ours, unevenness(o.first.arrivals)), append(theirs, unevenness(reference))
		b.say("%s, round %d of %d: p99 off by %.3f ms, a bare timer by %.3f ms", what, round+1, b.rounds, ours[round], theirs[round])
	}
	var more series
	for i := range ours {
		more = append(more, ours[i]-theirs[i])
	}
	limit := float64(jitterLimit) / float64(time.Millisecond)
	b.table.rows = append(b.table.rows, row{
		what:     what,
		measured: fmt.Sprintf("p99 off by %.3f ms", ours.median()),
		beside:   fmt.Sprintf("p99 off by %.3f ms", theirs.median()),
		figure:   more.text() + " ms more",
		target:   fmt.Sprintf("≤ %.0f ms more", limit),
		ok:       more.median() <= limit,
	})
	return nil
}

// sleepEvenly sleeps a tick, so many times or until it is asked when it woke.
func sleepEvenly(ticks int) (woke func() []time.Time) {
	enough, done := make(chan struct{}), make(chan struct{})
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
			case <-enough:
				return
			}
		}
	}()
	return func() []time.Time {
		close(enough)
		<-done
		return times
	}
}

// unevenness is the 99th percentile, in milliseconds, of how far the intervals
// between these times are off.
func unevenness(times []time.Time) float64 {
	var off series
	for i := 1; i < len(times); i++ {
		d := (times[i].Sub(times[i-1]) - tick).Abs()
		off = append(off, float64(d)/float64(time.Millisecond))
	}
	return off.at(0.99)
}

// watch has so many viewers look at a page's match until they are to leave.
func watch(ctx context.Context, page string, viewers int) (leave func(), err error) {
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
