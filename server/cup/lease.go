package cup

import (
	"context"
	"maps"
	"slices"

	"github.com/hexarena/hexarena/server/contest/plan"
)

// LeasedWindow is the number of matches that may be ahead of the log if workers play them: 64
// leases of 256. A match takes a kilobyte until its row is written.
const LeasedWindow = 64 * 256

// lease gives matches to workers while these are not too far ahead of the log.
func (r *runner) lease() {
	var tasks []Task
	for len(r.waiting) < LeasedWindow {
		m, ok := r.ledger.match(r.started)
		if !ok {
			break
		}
		r.started = r.ledger.following(r.started + 1)
		tasks = append(tasks, r.task(&m))
	}
	if len(tasks) > 0 {
		r.opts.Workers.Lease(tasks)
	}
}

// task returns a match with the seats whose bots are not started any more, and notes that it waits
// for its result.
func (r *runner) task(m *plan.Match) Task {
	p := &played{Match: *m, unstarted: r.ledger.unstarted(m)}
	r.waiting[m.K] = p
	return Task{Match: p.Match, Unstarted: p.unstarted}
}

// takeOutcomes writes the rows of matches that workers have played, as far as they are next.
func (r *runner) takeOutcomes(ctx context.Context, list []*Outcome) error {
	for _, o := range list {
		p := r.waiting[o.Row.K]
		// else it has been leased in another way since
		if p != nil && p.entry.row == nil && slices.Equal(p.unstarted, o.Unstarted()) {
			p.entry = entry{row: o.Row, times: o.Times}
		}
	}
	return r.write(ctx)
}

// leaseAgain leases all matches again that were leased, or are played and wait for their rows, with
// a bot that is not started any more. It leases them together, since one at a time would cost a
// round trip to a worker each.
func (r *runner) leaseAgain() {
	var tasks []Task
	for _, k := range slices.Sorted(maps.Keys(r.waiting)) {
		if p := r.waiting[k]; !slices.Equal(p.unstarted, r.ledger.unstarted(&p.Match)) {
			tasks = append(tasks, r.task(&p.Match))
		}
	}
	if len(tasks) > 0 {
		r.opts.Workers.Lease(tasks)
	}
}
