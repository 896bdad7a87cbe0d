package main

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/hexarena/hexarena/tools/harness"
)

const (
	tick        = 50 * time.Millisecond
	viewers     = 100
	jitterLimit = time.Millisecond // beyond a bare timer's
)

// jitter measures how evenly a player receives turns at the timer's pace while many
// clients watch, compared with a bare timer that runs at the same time.
func (b *bench) jitter(ctx context.Context) error {
	crowd := harness.Crowd{Players: 4, Characters: characters, Arrivals: b.ticks}
	players := game{"50 ms, 100 viewers on the page", crowd, largeMap, b.ticks, b.fullFlags()}
	crowd.Visus = viewers
	visus := game{"50 ms, 100 visualizations", crowd, largeMap, b.ticks, plainFlags}
	if err := b.measureJitter(ctx, visus, 0); err != nil {
		return err
	}
	return b.measureJitter(ctx, players, viewers)
}

func (b *bench) measureJitter(ctx context.Context, g game, viewers int) error {
	var ours, theirs, excess harness.Series // ms
	pace := fmt.Sprint(tick.Milliseconds())
	for round := range b.rounds {
		times, reference, err := b.playTicks(ctx, &g, viewers, "--delay-turns", pace,
			"--delay-first-turn", pace)
		if err != nil {
			return err
		}
		ours, theirs = append(ours, unevenness(times)), append(theirs, unevenness(reference))
		excess = append(excess, ours[round]-theirs[round])
		b.Report("%s, round %d of %d: p99 off by %.3f ms, a bare timer by %.3f ms", g.what, round+1,
			b.rounds, ours[round], theirs[round])
	}
	limit := harness.Milliseconds(jitterLimit)
	b.table.Add(harness.Row{
		What:   g.what,
		First:  fmt.Sprintf("p99 off by %.3f ms", ours.Median()),
		Second: fmt.Sprintf("p99 off by %.3f ms", theirs.Median()),
		Figure: excess.Format(3, "") + " ms more",
		Target: fmt.Sprintf("≤ %.0f ms more", limit),
		Met:    excess.Median() <= limit,
	})
	return nil
}

// playTicks plays a match and returns when the first player received its TURNs and when a
// bare timer fired meanwhile.
func (b *bench) playTicks(
	ctx context.Context, g *game, viewers int, flags ...string,
) (times, reference []time.Time, err error) {
	srv, err := g.serve(ctx, b.Hexarena, flags...)
	if err != nil {
		return nil, nil, err
	}
	var page harness.Audience
	defer page.Disconnect()
	err = page.Connect(ctx, srv.Live, viewers, func(v *harness.Viewer) {
		for err := error(nil); err == nil; {
			_, err = v.Next()
		}
	})
	if err != nil {
		srv.Stop()
		return nil, nil, err
	}
	var timer sync.WaitGroup
	timing, stop := context.WithCancel(ctx)
	timer.Go(func() {
		for range b.ticks {
			if harness.Pause(timing, tick); timing.Err() != nil {
				return
			}
			reference = append(reference, time.Now())
		}
	})
	o, err := playOn(ctx, srv.Process, g.crowd, srv.Addr)
	stop()
	timer.Wait()
	if err != nil {
		return nil, nil, err
	}
	return o.Arrivals[0], reference, nil
}

// unevenness returns the 99th percentile of the deviations of the intervals between times
// from a tick, in milliseconds.
func unevenness(times []time.Time) float64 {
	off := harness.Intervals(times)
	for i, interval := range off {
		off[i] = math.Abs(interval - harness.Milliseconds(tick))
	}
	return off.Quantile(0.99)
}
