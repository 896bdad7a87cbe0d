package remote

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
)

// take takes a message with results. It ignores messages of other plans and results that cannot be
// read: their matches are leased again.
func (c *Coordinator) take(text []byte) {
	message, err := decodeOutcomes(text)
	if err != nil || message.Version != c.opts.Version ||
		message.Worker == "" || len(message.Worker) > maxName || len(message.Name) > maxName {
		return
	}
	list, samples := c.acceptAll(&message)
	c.pass(list)
	for _, s := range samples {
		select {
		case c.samples <- s:
		case <-c.ctx.Done():
		}
	}
}

// acceptAll returns the results of a message that count, and those that do so once their recordings
// are verified.
func (c *Coordinator) acceptAll(m *outcomes) (list []*cup.Outcome, samples []sample) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.Plan != c.digest || c.assigned.Plan == nil {
		return nil, nil
	}
	w := c.table.worker(m.Worker, m.Name)
	for i := range m.Matches {
		one := &m.Matches[i]
		switch {
		case c.needsRecording(one, w):
			samples = append(samples, sample{*one, m.Worker})
		case c.accept(one.Outcome, w, false):
			list = append(list, one.Outcome)
		}
	}
	return list, samples
}

// pass hands results to the cup.
func (c *Coordinator) pass(list []*cup.Outcome) {
	if len(list) == 0 {
		return
	}
	select {
	case c.outcomes <- list:
	case <-c.ctx.Done():
	}
}

// accept reports whether a result counts, as the first of its match does. Other results are
// compared with the first one. The caller holds mu.
func (c *Coordinator) accept(o *cup.Outcome, w *worker, verified bool) bool {
	if w.refused != "" || c.assigned.Plan == nil {
		return false
	}
	sum, exact := c.sum(o), o.Punctual()
	one := c.table.tasks[o.Row.K]
	if one == nil {
		c.compare(o, w, sum, exact)
		return false
	}
	if !slices.Equal(one.Unstarted, o.Unstarted()) {
		return false // it was leased in another way since
	}
	if err := o.Check(c.assigned.Plan, &one.Match); err != nil {
		c.refuse(w, err.Error())
		return false
	}
	c.table.take(one, w, sum, exact)
	turns, skipped := o.Turns()
	w.turns, w.skipped = w.turns+turns, w.skipped+skipped
	if verified {
		w.verified++
		c.table.verified++
	}
	return true
}

// sum returns the sum that identifies a row. The caller holds mu.
func (c *Coordinator) sum(o *cup.Outcome) rowSum {
	c.line = o.Row.Append(c.line[:0])
	sum := rowSum{line: maphash.Bytes(c.seed, c.line)}
	c.line = c.line[:0]
	for _, out := range o.Unstarted() {
		c.line = strconv.AppendBool(c.line, out)
	}
	sum.lineup = maphash.Bytes(c.seed, c.line)
	return sum
}

// compare notes a conflict if a result differs from the first one of its match.
func (c *Coordinator) compare(o *cup.Outcome, w *worker, sum rowSum, exact bool) {
	first := c.table.first(o.Row.K)
	if first == nil || first.sum.lineup != sum.lineup || first.sum.line == sum.line {
		return
	}
	w.conflicts++
	first.worker.conflicts++
	c.conflicts.add(o, first.worker.name, w.name)
	if exact && first.exact &&
		!slices.ContainsFunc(c.assigned.Plan.Bots, func(b plan.Bot) bool { return !b.Reproducible }) {
		c.warn(
			fmt.Sprintf("alarm: match %d has one result from %s and another from %s, although its bots are "+
				"reproducible and missed no turn: one of these machines computes wrongly", o.Row.K,
				first.worker.name, w.name),
		)
	}
}

// refuse ends the leases of a worker, which gets none any more, and warns of it.
func (c *Coordinator) refuse(w *worker, why string) {
	if w.refused != "" {
		return
	}
	w.refused = why
	for _, l := range w.leases {
		c.table.end(l, LeaseRefused)
	}
	c.warn(fmt.Sprintf("worker %s gets no matches any more: %s", w.name, why))
}
