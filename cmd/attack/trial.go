//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

// trial is one attack on one server.
type trial struct {
	*options
	attack
	*server
	bots      *harness.Process // the honest ones
	attackers *harness.Process
}

const (
	// gatherTime is the time limit for the bots to be in a match.
	gatherTime = 30 * time.Second
	// warmUp is the time before measuring begins, as bots and server have just started.
	warmUp = time.Second
	// reportEvery is the interval between lines of progress.
	reportEvery = 3 * time.Second
)

// errNoMatch is the error of a server on which no match began.
var errNoMatch = errors.New("no match began")

// runTrial runs an attack on a server of its own. The row holds the limits that the attack
// broke; an error means that there is no result.
func (o *options) runTrial(ctx context.Context, a attack) (r row, err error) {
	r.attack = a
	dir, err := os.MkdirTemp(o.dir, "trial-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	t := &trial{options: o, attack: a}
	if t.server, err = o.open(ctx, a, dir); err != nil {
		return r, err
	}
	err = t.run(ctx, &r)
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
	r.peak, r.disk = int(t.peak.Load()), t.disk.Load()
	if lost, why := lapses(t.recordings); lost > r.during.Lost {
		r.during.Lost, r.during.Why = lost, why
	}
	due := 0.0
	if a.pace > 0 {
		due = float64(a.honest) * float64(a.length(o)/a.pace)
	}
	r.judge(due)
	return r, nil
}

// run starts the bots and the attackers, and measures the bots undisturbed and attacked.
func (t *trial) run(ctx context.Context, r *row) (err error) {
	if t.bots, err = t.start(ctx, servedOn, honestCommand, t.Addr, strconv.Itoa(t.honest)); err != nil {
		return err
	}
	text, err := json.Marshal(t.plan())
	if err != nil {
		return err
	}
	if t.attackers, err = t.start(ctx, attackedFrom, hostileCommand, string(text)); err != nil {
		return err
	}
	if err := t.gather(ctx); err != nil {
		return err
	}
	if r.before, err = t.measure(ctx, "quiet", t.options.quiet); err != nil {
		return err
	}
	if t.plant != nil {
		if err := t.plant(t.options, t.recordings); err != nil {
			return err
		}
	}
	name, err := newest(t.recordings)
	if err != nil {
		return err
	}
	if err := t.attackers.Tell(name); err != nil {
		return err
	}
	if t.arrive {
		if err := t.awaitViewers(ctx); err != nil {
			return err
		}
	}
	stopProbes := t.startProbes(ctx)
	r.during, err = t.measure(ctx, "attacked", t.length(t.options))
	r.faults = append(r.faults, stopProbes()...)
	if err != nil {
		return err
	}
	return ask(t.attackers, &r.tally)
}

// plan returns the attackers' plan.
func (t *trial) plan() plan {
	return plan{t.Addr, t.page(), t.players, t.readers, t.silent, t.askers, t.churn, t.viewers}
}

// start starts this program as one of its children, on a processor.
func (t *trial) start(ctx context.Context, processor int, args ...string) (*harness.Process, error) {
	words := t.confined(processor, nil, append([]string{t.self}, args...)...)
	return harness.Start(ctx, words[0], words[1:]...)
}

// ask reads the figures of a child since the previous call.
func ask(p *harness.Process, figures any) error {
	if err := p.Tell(""); err != nil {
		return err
	}
	text, err := p.Line()
	if err != nil {
		return err
	}
	return json.Unmarshal(text, figures)
}

// gather waits until the honest bots play.
func (t *trial) gather(ctx context.Context) error {
	limited, stop := context.WithTimeout(ctx, gatherTime)
	defer stop()
	for {
		var p phase
		if err := ask(t.bots, &p); err != nil {
			return err
		}
		if p.Turns > 0 {
			break
		}
		if !t.wait(limited, 100*time.Millisecond) {
			return errNoMatch
		}
	}
	t.wait(ctx, warmUp)
	return ask(t.bots, &phase{})
}

// awaitViewers waits until the attackers' viewers have connected, for gatherTime at most,
// and discards what the honest bots saw meanwhile.
func (t *trial) awaitViewers(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < gatherTime; {
		var now tally
		if err := ask(t.attackers, &now); err != nil {
			return err
		}
		if int(now.Held) >= t.viewers || !t.wait(ctx, 100*time.Millisecond) {
			break
		}
	}
	return ask(t.bots, &phase{})
}

// measure returns what the honest bots see in the given time, or until the server ends.
func (t *trial) measure(ctx context.Context, phase string, length time.Duration) (p phase, err error) {
	for began := time.Now(); ; {
		left := length - time.Since(began)
		if left <= 0 || !t.wait(ctx, min(left, reportEvery)) {
			break
		}
		t.report("%s, %s: %s for %.0f s of %.0f, %d MiB resident, %d MiB on disk", t.name, t.what, phase,
			time.Since(began).Seconds(), length.Seconds(), harness.Memory(t.ID())>>20, t.disk.Load()>>20)
	}
	if ctx.Err() != nil {
		return p, context.Cause(ctx)
	}
	return p, ask(t.bots, &p)
}

// wait waits for d. It reports whether ctx and the server lasted so long.
func (t *trial) wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-t.down:
	case <-ctx.Done():
	}
	return false
}
