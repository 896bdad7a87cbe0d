package cup

import (
	"context"
	"maps"
	"slices"

	"github.com/hexarena/hexarena/server/contest/plan"
)

// LeasedWindow is how many matches may be ahead of the log if workers play them: 64 leases of 256. A match takes a kilobyte until its
// row is written.
const LeasedWindow = 64 * 256

// lease has workers play matches while they are not too far ahead of the log.
func (r *runner) lease() {
	var tasks []Task
	for len(r.leased)+len(r.waiting) < LeasedWindow {
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

// task returns a match with the seats whose bots are not started any more, and notes that it is leased.
func (r *runner) task(m *plan.Match) Task {
	t := Task{Match: *m, Unstarted: r.ledger.unstarted(m)}
	r.leased[m.K] = t
	return t
}

// takeOutcomes writes the rows of matches that workers have played, as far as they are next.
func (r *runner) takeOutcomes(ctx context.Context, list []*Outcome) error {
	for _, o := range list {
		t, ok := r.leased[o.Row.K]
		if !ok || !slices.Equal(t.Unstarted, o.Unstarted()) {
			continue // it has been leased in another way since
		}
		delete(r.leased, o.Row.K)
		r.waiting[t.K] = &played{Match: t.Match, unstarted: t.Unstarted, entry: entry{row: o.Row, times: o.Times}}
	}
	return r.write(ctx)
}

// leaseAgain leases all matches again that were leased, or are played and wait for their rows, with a bot that is not started any
// more. It leases them together, since one at a time would cost a round trip to a worker each.
func (r *runner) leaseAgain() {
	var tasks []Task
	again := func(m *plan.Match, unstarted []bool) bool {
		if slices.Equal(unstarted, r.ledger.unstarted(m)) {
			return false
		}
		tasks = append(tasks, r.task(m))
		return true
	}
	for _, k := range slices.Sorted(maps.Keys(r.leased)) {
		t := r.leased[k]
		again(&t.Match, t.Unstarted)
	}
	for _, k := range slices.Sorted(maps.Keys(r.waiting)) {
		if p := r.waiting[k]; again(&p.Match, p.unstarted) {
			delete(r.waiting, k)
		}
	}
	if len(tasks) > 0 {
		r.opts.Workers.Lease(tasks)
	}
}
