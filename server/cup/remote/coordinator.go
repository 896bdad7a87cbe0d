package remote

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// Options say how a coordinator works.
type Options struct {
	Assignment        // the first one; without a plan workers wait for [Coordinator.Assign]
	Version    string // of the program, which all workers must have
	Dir        string // of conflicts
	// Resumed says that the cup has begun before: an earlier coordinator may have had workers,
	// which have not heard of this one.
	Resumed bool
	// Verify returns an error unless a recording shows the match of a row. It is called by one
	// goroutine at a time. Nil: no match is recorded.
	Verify func(ctx context.Context, recording []byte, o *cup.Outcome) error
	// RecordAll has all matches recorded and verified, and the recordings handed on with the
	// results.
	RecordAll bool
	// Forgets is how often teams were forgotten before: see [Coordinator.Forget]. Workers that have
	// not heard of all of these drop what they have.
	Forgets int
	// Warn is told what the user should know. It may be called by several goroutines.
	Warn func(text string)
}

// Assignment is a plan, and what workers need to play its matches.
type Assignment struct {
	Plan     *plan.Plan
	Objects  map[string][]byte // by name, the manifest among them
	Manifest string            // its name
}

// Coordinator leases the matches of a cup to workers. It implements [cup.Workers].
//
// It keeps a goroutine that looks after the queue and the leases, and one that verifies recordings,
// until Close.
type Coordinator struct {
	opts     Options
	queue    Server
	outcomes chan []*cup.Outcome
	samples  chan sample
	ctx      context.Context
	stop     context.CancelFunc
	running  sync.WaitGroup
	seed     maphash.Seed // of the sums of rows, and of the draw of matches that are recorded
	started  time.Time

	missing chan struct{} // sent to when a worker misses an object
	begin   sync.Once
	begun   chan struct{} // closed when the first matches are leased

	storing sync.Mutex // held while objects are stored or removed

	mu        sync.Mutex // guards the fields below
	forgets   int
	assigned  Assignment
	digest    plan.Digest // of the plan; zero without a plan
	table     *table
	conflicts conflicts
	over      bool
	line      []byte // of sum, which uses it again
}

// sample is a result whose recording has to be verified first.
type sample struct {
	one    playedOutcome
	worker string
}

const (
	// outcomesAhead is the number of messages with results that may wait for the cup to write their
	// rows; more block the queue, which keeps them.
	outcomesAhead = 16
	// samplesAhead is the number of results that may wait to be verified; more block the queue.
	samplesAhead = 64
	// sampleRate is the number of matches of which one is recorded and verified. Verifying costs a
	// hundredth of the matches' time, and finds a machine that computes wrongly in one match of ten
	// within some 1 000 matches.
	sampleRate = 100
	// sampleTries is how often a match is leased again because its recording did not arrive. After
	// that the result counts without a recording: a queue that loses all recordings must not end
	// the cup.
	sampleTries = 3
)

// Coordinate returns a coordinator that serves workers over a queue, until Close.
func Coordinate(ctx context.Context, q Server, o Options) (*Coordinator, error) {
	c := &Coordinator{
		opts: o, queue: q, assigned: o.Assignment, outcomes: make(chan []*cup.Outcome, outcomesAhead),
		samples: make(chan sample, samplesAhead),
		begun:   make(chan struct{}), missing: make(chan struct{}, 1), seed: maphash.MakeSeed(),
		started: time.Now(), forgets: o.Forgets,
	}
	if err := c.conflicts.open(o.Dir); err != nil {
		return nil, err
	}
	var prefix [6]byte
	_, _ = rand.Read(prefix[:]) // it never fails
	block := 1
	if p := o.Plan; p != nil {
		block, c.digest = p.Seats, p.Digest()
	}
	c.table = newTable(block, hex.EncodeToString(prefix[:])+"-")
	c.ctx, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := c.putAll(); err != nil {
		c.Close()
		return nil, err
	}
	failed := func(p *panics.Error) { o.Warn(fmt.Sprint("the coordinator fails: ", p)); c.stop() }
	panics.Go(&c.running, c.look, failed)
	panics.Go(&c.running, c.verify, failed)
	return c, nil
}

// Close ends the coordinator. Workers are not told.
func (c *Coordinator) Close() {
	c.stop()
	c.queue.Close()
	c.running.Wait()
	c.conflicts.close()
}

// Finish tells all workers that the cup is over. It returns when they have heard it, after
// finishTime, or when ctx ends.
func (c *Coordinator) Finish(ctx context.Context) {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	c.begin.Do(func() { close(c.begun) }) // no match was missing
	least, end := c.started, time.Now().Add(finishTime)
	if c.opts.Resumed {
		least = least.Add(returnTime)
	}
	for now := time.Now(); now.Before(least) || now.Before(end) && !c.allTold(); now = time.Now() {
		select {
		case <-ctx.Done():
			return
		case <-c.ctx.Done():
			return
		case <-time.After(idlePause):
		}
	}
}

// finishTime is the time that workers are waited for that have not heard that the cup is over: each
// asks once in a beat.
const finishTime = 2 * beat

// returnTime is the time that the workers of an earlier coordinator are waited for, since they are
// not known: they connect again within a second or two, and ask within another.
const returnTime = 5 * time.Second

func (c *Coordinator) allTold() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.table.workers {
		if !w.told && w.refused == "" && !c.table.silent(w) {
			return false
		}
	}
	return true
}

// Lease implements cup.Workers.
func (c *Coordinator) Lease(tasks []cup.Task) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range tasks {
		c.table.add(tasks[i], c.opts.Verify != nil && (c.opts.RecordAll || c.sampled(tasks[i].K)))
	}
	c.begin.Do(func() { close(c.begun) })
}

// Outcomes implements cup.Workers.
func (c *Coordinator) Outcomes() <-chan []*cup.Outcome { return c.outcomes }

// putTimeout is the time that the coordinator tries to store an object, before it looks after the
// queue again.
const putTimeout = 30 * time.Second

// putAll stores what workers need.
func (c *Coordinator) putAll() error {
	c.storing.Lock()
	defer c.storing.Unlock()
	ctx, cancel := context.WithTimeout(c.ctx, putTimeout)
	defer cancel()
	c.mu.Lock()
	objects := c.assigned.Objects
	c.mu.Unlock()
	return c.put(ctx, objects, nil)
}

// put stores objects but those that are stored already.
func (c *Coordinator) put(ctx context.Context, objects, stored map[string][]byte) error {
	for name, data := range objects {
		if _, known := stored[name]; known {
			continue
		}
		if err := c.queue.Put(ctx, name, data); err != nil {
			return fmt.Errorf("store %s for workers: %w", name, err)
		}
	}
	return nil
}

// look stores objects again that the queue has lost, and leases matches again whose results do not
// come.
func (c *Coordinator) look() {
	select {
	case <-c.ctx.Done():
		return
	case <-c.begun: // so that results that the queue already has find their matches
	}
	tick := time.NewTicker(beat)
	defer tick.Stop()
	lost, served := false, c.serve()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-c.queue.Lost():
			lost = true
		case <-c.missing:
			lost = true
		case <-tick.C:
		}
		if lost {
			lost = c.putAll() != nil // which is tried again
		}
		served = served || c.serve()
		c.expire()
	}
}

// serve begins to serve workers, and reports whether it could.
func (c *Coordinator) serve() bool {
	err := c.queue.Serve(c.answer, c.take)
	if err != nil {
		c.warn(fmt.Sprintf("workers cannot be served, which is tried again: %v", err))
	}
	return err == nil
}

// expire frees matches whose workers are silent.
func (c *Coordinator) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.table.expire()
}

// answer answers a request. One that cannot be read gets no answer.
func (c *Coordinator) answer(text []byte) []byte {
	var r request
	if json.Unmarshal(text, &r) != nil || r.Worker == "" || len(r.Worker) > maxName ||
		len(r.Name) > maxName || len(r.Held) > maxHeld {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	w, fresh := c.table.knows(&r, now)
	if !fresh && r.Number == w.number {
		return w.reply
	}
	if !fresh {
		return nil // the worker does not wait for it any more
	}
	if r.Version != c.opts.Version {
		w.refused = fmt.Sprintf("the cup is played by hexarena %s, and this worker is %s: results could "+
			"differ; install the same", c.opts.Version, clip(r.Version))
	}
	if r.Missing {
		select {
		case c.missing <- struct{}{}:
		default:
		}
	}
	answer := reply{
		Manifest: c.assigned.Manifest, Dropped: c.table.hold(w, &r, now), Refused: w.refused,
		Over: c.over, Forgets: c.forgets,
	}
	w.told = c.over
	if r.Wants && !r.Leaves && r.Manifest == c.assigned.Manifest && !c.over {
		answer.Lease = c.describe(c.table.give(w, now))
	}
	w.reply = encode(answer)
	return w.reply
}

// Bounds of what workers may send.
const (
	maxName = 200
	maxHeld = 64
)

func clip(text string) string { return text[:min(len(text), maxName)] }

// describe returns a new lease as it is sent; nil stands for none.
func (c *Coordinator) describe(l *lease) *leased {
	if l == nil {
		return nil
	}
	d := &leased{ID: l.id}
	for _, one := range l.tasks {
		m := leasedMatch{K: one.K, Record: one.record}
		if slices.Contains(one.Unstarted, true) {
			m.Unstarted = one.Unstarted
		}
		if c.assigned.Plan.Format.Adaptive() {
			m.Match = &one.Match
		}
		d.Matches = append(d.Matches, m)
	}
	return d
}

func (c *Coordinator) warn(text string) {
	if c.opts.Warn != nil {
		c.opts.Warn(text)
	}
}
