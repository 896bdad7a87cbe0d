package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// trial is a server, and who is at it.
type trial struct {
	options
	*house
	gentle, rude *proxy        // without cuts, and with them
	seated, done chan struct{} // has one for each honest bot, in a match
	honest       int           // how many they are
	fail         context.CancelCauseFunc
	matches      int
	stalls       []stall // when this program was kept from running
}

// chaos lets the bots loose. The server is looked at twice, with nobody there:
// after a match by which it has got to know them all, and in the end.
func (o *options) chaos(ctx context.Context, out io.Writer) (err error) {
	fmt.Fprintf(out, "seed %d, %d bots, %v\n", o.seed, o.bots, o.duration)
	board := filepath.Join(o.dir, "board.json")
	text, err := exec.CommandContext(ctx, o.binary, "maps", "new", "--players", strconv.Itoa(o.bots), "--characters", "1", "-o", board).CombinedOutput()
	if err != nil {
		return fmt.Errorf("hexarena maps new: %w: %s", err, text)
	}
	h, err := o.open(ctx, "--matches", "endless", "--map", board, "--nb-visus-max", strconv.Itoa(o.bots),
		"--turn-timeout", o.timeout.String(), "--login-timeout", (2 * o.timeout).String())
	if err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	t := &trial{options: *o, house: h, fail: fail}
	err = t.run(ctx, out)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	fail(nil)
	if t.rude != nil {
		t.gentle.running.Wait()
		t.rude.running.Wait()
	}
	if closed := h.close(); err == nil {
		err = closed
	}
	if err == nil {
		err = t.judge(out)
	}
	return err
}

// run plays for as long as it is to be, and checks what stays behind.
func (t *trial) run(ctx context.Context, out io.Writer) (err error) {
	if t.gentle, err = newProxy(ctx, t.Addr, false, t.seed); err != nil {
		return err
	}
	if t.rude, err = newProxy(ctx, t.Addr, true, t.seed+1); err != nil {
		return err
	}
	if err := t.crowd(ctx, time.Now(), t.seed); err != nil {
		return err
	}
	before, err := t.rest(ctx, func(figures) bool { return true })
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "after a first match, with nobody there: %v\n", before)
	if err := t.crowd(ctx, time.Now().Add(t.duration), t.seed+1); err != nil {
		return err
	}
	after, err := t.rest(ctx, func(f figures) bool { return len(grown(before, f)) == 0 })
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "after %d matches, with nobody there: %v\n", t.matches, after)
	fmt.Fprintf(out, "the machine kept this program waiting for up to %d ms\n", t.longestStall().Milliseconds())
	if after[finished] != float64(t.matches) || after[aborted] != 0 {
		return fmt.Errorf("%v matches finished and %v were aborted of %d", after[finished], after[aborted], t.matches)
	}
	if n := after.count("hexarena_kicks_total{"); n > mostReasons {
		return fmt.Errorf("kicks have %d reasons, more than %d: what peers send must make no metrics", n, mostReasons)
	}
	return errors.Join(grown(before, after)...)
}

// crowd is all bots, from the first to come to the last to go. A match begins as
// soon as the honest are there, and none after until.
func (t *trial) crowd(ctx context.Context, until time.Time, seed uint64) error {
	ctx, leave := context.WithCancel(ctx)
	var bots sync.WaitGroup
	defer bots.Wait()
	defer leave()
	t.honest = (t.bots + len(kinds) - 1) / len(kinds)
	t.seated, t.done = make(chan struct{}, 2*t.honest), make(chan struct{}, 2*t.honest)
	for i := range t.bots {
		k := kinds[i%len(kinds)]
		b := &bot{
			kind: k, trial: t, name: k.name + strconv.Itoa(i/len(kinds)), addr: t.rude.addr(), rng: rand.New(rand.NewPCG(seed, uint64(i))),
		}
		if k.direct {
			b.addr = t.gentle.addr()
		}
		bots.Go(func() { b.live(ctx) })
	}
	bots.Go(func() { t.watchStalls(ctx) })
	for first := true; first || time.Now().Before(until); first = false {
		if err := t.match(ctx); err != nil {
			return err
		}
	}
	return nil
}

// match plays a match.
func (t *trial) match(ctx context.Context) error {
	began := time.Now()
	if err := t.count(ctx, t.seated, "there"); err != nil {
		return err
	}
	if err := t.Tell("start"); err != nil {
		return err
	}
	started := time.Now()
	if err := t.count(ctx, t.done, "at the end"); err != nil {
		return err
	}
	t.matches++
	t.say("match %d: %.1f s to gather, %.1f s to play", t.matches, started.Sub(began).Seconds(), time.Since(started).Seconds())
	return nil
}

// longest is how long a match may take, and so a visit.
func (t *trial) longest() time.Duration {
	return 2*time.Duration(t.turns)*t.timeout + 30*time.Second
}

// count waits for all honest bots.
func (t *trial) count(ctx context.Context, arrivals <-chan struct{}, where string) error {
	patience := time.After(t.longest())
	for n := range t.honest {
		select {
		case <-arrivals:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-patience:
			return fmt.Errorf("match %d hangs: %d of %d honest bots are %s after %v", t.matches+1, n, t.honest, where, t.longest())
		}
	}
	return nil
}

// mostReasons is more than the server has to kick somebody.
const mostReasons = 100

// slack is by how much memory may be more than before. The page keeps up to a dozen
// matches that are over, of which there is one before: about 0.35 MiB each of what is
// in use. What is resident has in addition what the runtime needs to keep track of the
// largest heap there was, which the worst moment of the crowd decides.
var slack = map[string]float64{heap: 5 << 20, resident: 10 << 20}

// grown is what there is more of than before.
func grown(before, after figures) (faults []error) {
	for _, name := range []string{goroutines, descriptors} {
		if after[name] > before[name] {
			faults = append(faults, fmt.Errorf("%s is %.0f, and was %.0f", name, after[name], before[name]))
		}
	}
	for name, most := range slack {
		if after[name] > before[name]+most {
			faults = append(faults, fmt.Errorf("%s is %.1f MiB, and was %.1f", name, after[name]/(1<<20), before[name]/(1<<20)))
		}
	}
	return faults
}
