package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/harness"
)

// trial is a server and the bots that connect to it.
type trial struct {
	*options
	*harness.Server
	delaying, cutting *proxy        // the second cuts connections as well
	seated, done      chan struct{} // an element for each honest bot of a match
	honest            int           // number of honest bots
	fail              context.CancelCauseFunc
	matches           int
	stalls            []stall
}

// chaos plays matches with all kinds of bots. It compares the server's metrics at rest
// after the first match, when it has seen all of them, with those at the end.
func (o *options) chaos(ctx context.Context) error {
	fmt.Fprintf(o.Out, "seed %d, %d bots, %v\n", o.seed, o.bots, o.duration)
	board, err := harness.NewMap(ctx, o.Hexarena, o.Dir, o.bots, "--characters", "1")
	if err != nil {
		return err
	}
	s, err := o.serve(ctx, "--map", board, "--visualizations", strconv.Itoa(o.bots),
		"--turn-timeout", o.timeout.String(), "--login-timeout", (2 * o.timeout).String())
	if err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	t := &trial{options: o, Server: s, fail: fail}
	t.delaying, t.cutting = &proxy{target: s.Addr, seed: o.seed}, &proxy{target: s.Addr, cuts: true, seed: o.seed + 1}
	err = t.run(ctx)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	fail(nil)
	t.delaying.running.Wait()
	t.cutting.running.Wait()
	if _, failed := s.Quit(); err == nil {
		err = failed
	}
	if err == nil {
		err = t.judge()
	}
	return err
}

// run plays the matches and checks that nothing is left over in the server.
func (t *trial) run(ctx context.Context) error {
	if err := errors.Join(t.delaying.open(ctx), t.cutting.open(ctx)); err != nil {
		return err
	}
	if err := t.playMatches(ctx, time.Now(), t.seed); err != nil {
		return err
	}
	before, err := settle(ctx, t.Server, func(metrics) bool { return true })
	if err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "after the first match, without clients: %v\n", before)
	if err := t.playMatches(ctx, time.Now().Add(t.duration), t.seed+1); err != nil {
		return err
	}
	after, err := settle(ctx, t.Server, func(m metrics) bool { return len(grown(before, m)) == 0 })
	if err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "after %d matches, without clients: %v\n", t.matches, after)
	fmt.Fprintf(t.Out, "the machine did not run this program for up to %d ms\n", t.longestStall().Milliseconds())
	if after[finished] != float64(t.matches) || after[aborted] != 0 {
		return fmt.Errorf("%v matches finished and %v were aborted of %d", after[finished], after[aborted], t.matches)
	}
	if n := after.count("hexarena_kicks_total{"); n > maxReasons {
		return fmt.Errorf("kicks have %d reasons, more than %d: input of clients must not create metrics", n, maxReasons)
	}
	return errors.Join(grown(before, after)...)
}

// playMatches connects all bots and plays matches until the given time, one at least. A
// match starts as soon as all honest bots have logged in.
func (t *trial) playMatches(ctx context.Context, until time.Time, seed uint64) error {
	ctx, stop := context.WithCancel(ctx)
	var bots sync.WaitGroup
	defer bots.Wait()
	defer stop()
	t.honest = (t.bots + len(kinds) - 1) / len(kinds)
	t.seated, t.done = make(chan struct{}, 2*t.honest), make(chan struct{}, 2*t.honest)
	for i := range t.bots {
		k := kinds[i%len(kinds)]
		b := &bot{
			kind: k, trial: t, addr: t.cutting.addr, rng: rand.New(rand.NewPCG(seed, uint64(i))),
			login: netorcai.Login{Nickname: k.name + strconv.Itoa(i/len(kinds)), Role: netorcai.RolePlayer},
		}
		if k.uncut {
			b.addr = t.delaying.addr
		}
		bots.Go(func() { b.run(ctx) })
	}
	bots.Go(func() { t.watchStalls(ctx) })
	for first := true; first || time.Now().Before(until); first = false {
		if err := t.playMatch(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (t *trial) playMatch(ctx context.Context) error {
	began := time.Now()
	if err := t.await(ctx, t.seated, "logged in"); err != nil {
		return err
	}
	if err := t.Tell("start"); err != nil {
		return err
	}
	started := time.Now()
	if err := t.await(ctx, t.done, "at the end"); err != nil {
		return err
	}
	t.matches++
	t.Report("match %d: %.1f s to log in, %.1f s to play", t.matches, started.Sub(began).Seconds(), time.Since(started).Seconds())
	return nil
}

// matchTime is how long a match, and so a visit of a bot, may take.
func (t *trial) matchTime() time.Duration {
	return 2*time.Duration(t.turns)*t.timeout + 30*time.Second
}

// await waits for all honest bots.
func (t *trial) await(ctx context.Context, arrivals <-chan struct{}, where string) error {
	late := time.After(t.matchTime())
	for n := range t.honest {
		select {
		case <-arrivals:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-late:
			return fmt.Errorf("match %d hangs: %d of %d honest bots are %s after %v", t.matches+1, n, t.honest, where, t.matchTime())
		}
	}
	return nil
}

// maxReasons is more than the number of reasons for which the server kicks clients.
const maxReasons = 100

// slack is by how much memory may grow, in bytes. The page keeps up to a dozen finished
// matches, of which there is one at the start: about 0.35 MiB of heap each. Resident
// memory also holds what the runtime needs to manage the largest heap so far, which
// depends on the busiest moment.
var slack = map[string]float64{heap: 5 << 20, resident: 10 << 20}

// grown returns an error for each metric that has grown too much.
func grown(before, after metrics) (faults []error) {
	for _, name := range []string{goroutines, descriptors} {
		if after[name] > before[name] {
			faults = append(faults, fmt.Errorf("%s is %.0f, and was %.0f", name, after[name], before[name]))
		}
	}
	for name, more := range slack {
		if after[name] > before[name]+more {
			faults = append(faults, fmt.Errorf("%s is %.1f MiB, and was %.1f", name, after[name]/(1<<20), before[name]/(1<<20)))
		}
	}
	return faults
}
