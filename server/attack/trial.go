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

	"github.com/hexarena/hexarena/server/proc"
)

// trial is one attack on one server.
type trial struct {
	*options
	attack
	*server
	bots      *proc.Process // the honest ones
	attackers *proc.Process
}

const (
	// gatherTime is how long all bots may take to be in a match.
	gatherTime = 30 * time.Second
	// warmUp is how much of a match is not measured: bots and server have just started.
	warmUp = time.Second
	// tellEvery is how often progress is told.
	tellEvery = 3 * time.Second
)

// errNoMatch is that there is nothing to attack.
var errNoMatch = errors.New("the bots did not get to play")

// try makes an attack on a server that it starts. What the attack breaks is in the
// row; an error means that nothing is known.
func (o *options) try(ctx context.Context, a attack) (r row, err error) {
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
	down := t.close() // first of all, so that no bot leaves a match
	for _, p := range []*proc.Process{t.bots, t.attackers} {
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

// run starts the bots and watches them undisturbed and attacked.
func (t *trial) run(ctx context.Context, r *row) (err error) {
	if t.bots, err = t.begin(ctx, servedOn, honestCommand, t.Addr, strconv.Itoa(t.honest)); err != nil {
		return err
	}
	text, err := json.Marshal(t.planned())
	if err != nil {
		return err
	}
	if t.attackers, err = t.begin(ctx, attackedFrom, hostileCommand, string(text)); err != nil {
		return err
	}
	if err := t.gather(ctx); err != nil {
		return err
	}
	if r.before, err = t.watch(ctx, "quiet", t.options.quiet); err != nil {
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
		if err := t.await(ctx); err != nil {
			return err
		}
	}
	probes := t.probing(ctx)
	r.during, err = t.watch(ctx, "attacked", t.length(t.options))
	r.faults = append(r.faults, probes()...)
	if err != nil {
		return err
	}
	return ask(t.attackers, &r.tally)
}

// planned is what the attackers are told.
func (t *trial) planned() plan {
	return plan{t.Addr, t.page(), t.players, t.readers, t.silent, t.askers, t.churn, t.viewers}
}

// begin starts this program as something else, on a processor.
func (t *trial) begin(ctx context.Context, processor int, args ...string) (*proc.Process, error) {
	words := t.confined(processor, nil, append([]string{t.self}, args...)...)
	return proc.Start(ctx, words[0], words[1:]...)
}

// ask has a child tell what came of it since it was asked last.
func ask(p *proc.Process, figures any) error {
	if err := p.Tell(""); err != nil {
		return err
	}
	text, err := p.Line()
	if err != nil {
		return err
	}
	return json.Unmarshal(text, figures)
}

// gather waits until all honest bots play.
func (t *trial) gather(ctx context.Context) error {
	patience, stop := context.WithTimeout(ctx, gatherTime)
	defer stop()
	for {
		var p phase
		if err := ask(t.bots, &p); err != nil {
			return err
		}
		if p.Turns > 0 {
			break
		}
		if !t.rest(patience, 100*time.Millisecond) {
			return errNoMatch
		}
	}
	t.rest(ctx, warmUp)
	return ask(t.bots, &phase{})
}

// await waits until the attackers' viewers are there, and forgets what the honest bots
// saw meanwhile. Those that have not come after a while do not come.
func (t *trial) await(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < gatherTime; {
		var now tally
		if err := ask(t.attackers, &now); err != nil {
			return err
		}
		if int(now.Held) >= t.viewers || !t.rest(ctx, 100*time.Millisecond) {
			break
		}
	}
	return ask(t.bots, &phase{})
}

// watch returns what the honest bots see in the given time, or until the server is
// down.
func (t *trial) watch(ctx context.Context, what string, length time.Duration) (p phase, err error) {
	for began := time.Now(); ; {
		left := length - time.Since(began)
		if left <= 0 || !t.rest(ctx, min(left, tellEvery)) {
			break
		}
		t.say("%s, %s: %s for %.0f s of %.0f, %d MiB resident, %d MiB on disk", t.name, t.what, what,
			time.Since(began).Seconds(), length.Seconds(), proc.Memory(t.ID())>>20, t.disk.Load()>>20)
	}
	if ctx.Err() != nil {
		return p, context.Cause(ctx)
	}
	return p, ask(t.bots, &p)
}

// rest waits. It reports whether ctx and the server have lasted.
func (t *trial) rest(ctx context.Context, d time.Duration) bool {
	wait := time.NewTimer(d)
	defer wait.Stop()
	select {
	case <-wait.C:
		return true
	case <-t.down:
	case <-ctx.Done():
	}
	return false
}
