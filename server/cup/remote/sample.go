package remote

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/hexarena/hexarena/server/cup"
)

// sampled reports whether match k is recorded and verified. A worker does not know the secret, and so learns this only from the
// lease.
func (c *Coordinator) sampled(k int) bool {
	text := append(slices.Clone(c.digest[:]), c.secret[:]...)
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(text, uint64(k)))
	return binary.BigEndian.Uint64(sum[:])%sampleRate == 0
}

// needsRecording reports whether a result counts only once its recording is verified.
func (c *Coordinator) needsRecording(one *playedOutcome, id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, w := c.table.tasks[one.Row.K], c.table.workers[id]
	return t != nil && t.record && w != nil && w.refused == "" && one.Check(c.assigned.Plan, &t.Match) == nil && one.Row.Digest != 0
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

// fetchTimeout is how long a recording may take to arrive: it was stored before the result was sent.
const fetchTimeout = 5 * time.Second

// verifyOne accepts the result of a match whose recording shows it. If the recording does not, the worker gets no matches
// any more. One that does not arrive is waited for by another lease, a few times.
func (c *Coordinator) verifyOne(s *sample) {
	recording, err := c.fetch(&s.one)
	switch {
	case err != nil && c.leaseAgain(s.one.Row.K):
		return
	case err != nil:
		c.warn(fmt.Sprintf("the recording of match %d did not arrive, also after %d leases; its result counts without: %v", s.one.Row.K, sampleTries, err))
	default:
		err = c.opts.Verify(c.ctx, recording, s.one.Outcome)
	}
	if c.ctx.Err() != nil {
		return
	}
	if recording != nil && err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if w := c.table.workers[s.worker]; w != nil {
			c.refuse(w, fmt.Sprintf("the recording of match %d does not show the result that it sent: %v", s.one.Row.K, err))
		}
		return
	}
	if c.opts.RecordAll {
		s.one.Outcome.Recorded = recording
	}
	if c.accept(s.one.Outcome, s.worker, err == nil) {
		c.pass([]*cup.Outcome{s.one.Outcome})
	}
}

// fetch returns the recording of a match.
func (c *Coordinator) fetch(one *playedOutcome) ([]byte, error) {
	if len(one.Data) > 0 {
		return one.Data, nil
	}
	ctx, cancel := context.WithTimeout(c.ctx, fetchTimeout)
	defer cancel()
	return c.queue.Fetch(ctx, one.Recording)
}

// leaseAgain frees a match whose recording did not arrive, and reports whether it did so. It does sampleTries times at the most.
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
	c.table.release(k)
	return true
}
