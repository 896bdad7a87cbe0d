package remote

import (
	"context"
	"fmt"
	"hash/maphash"
	"time"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
)

// sampled reports whether match k is recorded and verified. A worker does not know the seed, and so
// learns this only from the lease.
func (c *Coordinator) sampled(k int) bool {
	return maphash.Comparable(c.seed, planMatch{c.digest, k})%sampleRate == 0
}

// planMatch identifies a match of a plan.
type planMatch struct {
	plan plan.Digest
	k    int
}

// needsRecording reports whether a result counts only once its recording is verified. The caller
// holds mu.
func (c *Coordinator) needsRecording(one *playedOutcome, w *worker) bool {
	t := c.table.tasks[one.Row.K]
	return t != nil && t.record && w.refused == "" && one.Check(c.assigned.Plan, &t.Match) == nil &&
		one.Row.Digest != 0
}

// verify verifies recordings, one after another.
func (c *Coordinator) verify() {
	for {
		select {
		case <-c.ctx.Done():
			return
		case s := <-c.samples:
			c.verifyOne(&s)
		}
	}
}

// fetchTimeout is the time that a recording may take to arrive: it was stored before the result was
// sent.
const fetchTimeout = 5 * time.Second

// verifyOne accepts the result of a match whose recording shows it. If the recording does not, the
// worker gets no matches any more. One that does not arrive is waited for by another lease, a few
// times.
func (c *Coordinator) verifyOne(s *sample) {
	recording, err := c.fetch(s)
	switch {
	case err != nil && c.leaseAgain(s.one.Row.K):
		return
	case err != nil:
		c.warn(
			fmt.Sprintf(
				"the recording of match %d did not arrive, also after %d leases; its result counts without: %v",
				s.one.Row.K, sampleTries, err),
		)
	default:
		err = c.opts.Verify(c.ctx, recording, s.one.Outcome)
	}
	if c.ctx.Err() != nil {
		return
	}
	if c.opts.RecordAll {
		s.one.Outcome.Recorded = recording
	}
	if c.acceptVerified(s, recording != nil, err) {
		c.pass([]*cup.Outcome{s.one.Outcome})
	}
}

// acceptVerified reports whether a result counts whose recording was verified, if it arrived, with
// this error.
func (c *Coordinator) acceptVerified(s *sample, arrived bool, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.table.workers[s.worker]
	switch {
	case w == nil:
		return false
	case arrived && err != nil:
		c.refuse(
			w,
			fmt.Sprintf("the recording of match %d does not show the result that it sent: %v", s.one.Row.K,
				err),
		)
		return false
	}
	return c.accept(s.one.Outcome, w, err == nil)
}

// fetch returns the recording of a match, which its worker has sent.
func (c *Coordinator) fetch(s *sample) ([]byte, error) {
	one := &s.one
	if len(one.Data) > 0 {
		return one.Data, nil
	}
	ctx, cancel := context.WithTimeout(c.ctx, fetchTimeout)
	defer cancel()
	if one.Recording != recordingName(s.worker, one.Row.K) {
		return nil, fmt.Errorf("%.100q is not the name of its recording", one.Recording)
	}
	return c.queue.Fetch(ctx, one.Recording)
}

// leaseAgain frees a match whose recording did not arrive, and reports whether it did so. It does
// sampleTries times at the most.
func (c *Coordinator) leaseAgain(k int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.table.tasks[k]
	if t == nil {
		return true // it has another result
	}
	if t.tries++; t.tries >= sampleTries {
		return false
	}
	c.table.release(t)
	return true
}
