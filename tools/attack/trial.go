//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/tools/harness"
)

// trial is one attack on one server.
type trial struct {
	*options
	attack
	*server
	bots      *harness.Process // the honest ones; nil before they are started
	attackers *harness.Process // nil before they are started
	quietly   resources        // of the server before the attack
}

const (
	// gatherTime is the time limit for the bots to be in a match, and for the attackers to
	// connect.
	gatherTime = 30 * time.Second
	// warmUp is the time before measuring begins, as bots and server have just started.
	warmUp = time.Second
	// sampleEvery is the interval between measurements of memory and disk.
	sampleEvery = 100 * time.Millisecond
	// reportEvery is the interval between lines of progress.
	reportEvery = 3 * time.Second
)

// runTrial runs an attack on its own server. The row holds the limits that the attack
// broke; an error means that there is no result.
func (o *options) runTrial(ctx context.Context, a attack) (r row, err error) {
	r.attack = a
	dir, err := os.MkdirTemp(o.Dir, "trial-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	t := &trial{options: o, attack: a}
	if t.server, err = o.open(ctx, a, dir); err != nil {
		return r, err
	}
	length := o.duration * time.Duration(max(1, a.slow))
	err = t.run(ctx, &r, length)
	down := t.close() // before the bots, so that none of them leaves a match
	for _, p := range []*harness.Process{t.bots, t.attackers} {
		if p != nil {
			p.Stop()
		}
	}
	switch {
	case err != nil && down != "":
		return r, fmt.Errorf("%w; %s", err, down)
	case err != nil:
		return r, err
	case down != "":
		r.fault("%s", down)
	}
	if a.verify {
		if fault := t.verifyRecordings(ctx); fault != "" {
			r.fault("%s", fault)
		}
	}
	r.peak, r.disk = t.server.peak, t.server.disk
	if lost, why := lapses(filepath.Dir(t.story)); lost > r.during.Lost {
		r.during.Lost, r.during.Why = lost, why
	}
	due := 0.0
	if a.pace > 0 {
		due = float64(a.honest) * float64(length/a.pace)
	}
	r.judge(due)
	return r, nil
}

// run starts the bots and the attackers, and measures the bots undisturbed and attacked.
func (t *trial) run(ctx context.Context, r *row, length time.Duration) (err error) {
	t.bots, err = t.start(ctx, servedOn, t.Self, honestCommand, t.Addr, strconv.Itoa(t.honest))
	if err != nil {
		return err
	}
	text, err := json.Marshal(plan{t.Addr, t.page(), t.crowds})
	if err != nil {
		return err
	}
	t.attackers, err = t.start(ctx, attackedFrom, t.Self, hostileCommand, string(text))
	if err != nil {
		return err
	}
	var p phase
	if ok, err := t.await(ctx, t.bots, &p, func() bool { return p.Turns > 0 }); err != nil {
		return err
	} else if !ok {
		return errNoMatch
	}
	t.wait(ctx, warmUp)
	if err := t.bots.Ask(&p); err != nil {
		return err
	}
	if r.before, err = t.watch(ctx, "quiet", t.quiet); err != nil {
		return err
	}
	if t.quietly, err = t.resources(ctx); err != nil {
		return err
	}
	if t.plant != nil {
		if err := t.plant(t.story); err != nil {
			return err
		}
	}
	if err := t.attackers.Tell(filepath.Base(t.story)); err != nil {
		return err
	}
	if t.arrive {
		all := int64(t.count(false))
		arrived := func() bool { return r.tally.Held >= all }
		if _, err := t.await(ctx, t.attackers, &r.tally, arrived); err != nil {
			return err
		}
		if err := t.bots.Ask(&p); err != nil { // what the bots saw meanwhile does not count
			return err
		}
	}
	stopProbes := t.startProbes(ctx)
	r.during, err = t.watch(ctx, "attacked", length)
	r.faults = append(r.faults, stopProbes()...)
	if err != nil {
		return err
	}
	if err := t.attackers.Ask(&r.tally); err != nil {
		return err
	}
	t.attackers.Stop()
	return t.checkResources(ctx, r)
}

// errNoMatch is the error of a server on which no match began.
var errNoMatch = errors.New("no match began")

// await asks a child for its figures until ready reports true, for gatherTime at most, and
// reports whether that was so.
func (t *trial) await(
	ctx context.Context, child *harness.Process, figures any, ready func() bool,
) (ok bool, err error) {
	for began := time.Now(); time.Since(began) < gatherTime; {
		if err := child.Ask(figures); err != nil || ready() {
			return err == nil, err
		}
		if !t.wait(ctx, 100*time.Millisecond) {
			break
		}
	}
	return false, nil
}

// watch returns what the honest bots see in the given time, or until the server ends.
func (t *trial) watch(
	ctx context.Context, phase string, length time.Duration,
) (p phase, err error) {
	began := time.Now()
	for next := reportEvery; ; {
		passed := time.Since(began)
		if t.measure(); passed >= min(length, next) {
			t.Report("%s, %s: %s for %.0f s of %.0f, %d MiB resident, %d MiB on disk", t.name, t.what, phase,
				passed.Seconds(), length.Seconds(), harness.Memory(t.ID())>>20, t.disk>>20)
			next += reportEvery
		}
		if passed >= length || !t.wait(ctx, min(length-passed, sampleEvery)) {
			break
		}
	}
	if ctx.Err() != nil {
		return p, context.Cause(ctx)
	}
	return p, t.bots.Ask(&p)
}

// wait waits for d. It reports whether ctx and the server lasted so long.
func (t *trial) wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-t.Down():
	case <-ctx.Done():
	}
	return false
}

// probe is a request that a server must answer during an attack.
type probe struct {
	name string
	ask  func(ctx context.Context, t *trial) error
}

const (
	probeEvery = time.Second
	probeTime  = 10 * time.Second // time limit of an answer
)

// health runs the health check of a container.
var health = probe{"hexarena health", func(ctx context.Context, t *trial) error {
	text, err := exec.CommandContext(ctx, t.Hexarena, "health", t.page()).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	return nil
}}

// listing requests the page's list of recordings.
var listing = probe{"GET /api/recordings", func(ctx context.Context, t *trial) error {
	_, err := harness.Get(ctx, t.Page+"api/recordings")
	return err
}}

// entry logs in from an address that has no other connections. A refusal because the match
// is running or full is a good answer.
var entry = probe{"a login", func(ctx context.Context, t *trial) error {
	c, err := netorcai.Dial(ctx, t.Addr,
		netorcai.Login{Nickname: "late", Role: netorcai.RoleVisualization})
	if err == nil {
		return c.Close()
	}
	if kick := (*netorcai.KickError)(nil); errors.As(err, &kick) &&
		strings.HasPrefix(kick.Reason, "LOGIN denied") {
		return nil
	}
	return err
}}

// startProbes makes the probes every second until stop is called. stop returns the first
// error of each probe.
func (t *trial) startProbes(ctx context.Context) (stop func() (faults []string)) {
	ctx, cancel := context.WithCancel(ctx)
	first := map[string]error{}
	var all sync.WaitGroup
	all.Go(func() {
		for ; ctx.Err() == nil; harness.Pause(ctx, probeEvery) {
			for _, p := range t.probes {
				limited, release := context.WithTimeout(ctx, probeTime)
				err := p.ask(limited, t)
				release()
				if err != nil && ctx.Err() == nil && first[p.name] == nil {
					first[p.name] = err
				}
			}
		}
	})
	return func() (faults []string) {
		cancel()
		all.Wait()
		for name, err := range first {
			faults = append(faults, fmt.Sprintf("%s: %v", name, err))
		}
		return faults
	}
}
