package remote

import (
	"context"
	"fmt"
	"time"
)

// Assign replaces the plan that workers play. They wait while no match of it is leased. Leases of
// the plan before are withdrawn, and its results do not count any more. Matches of all plans must
// have numbers that differ. With an error nothing has changed.
func (c *Coordinator) Assign(ctx context.Context, a Assignment) error {
	c.storing.Lock()
	defer c.storing.Unlock()
	c.mu.Lock()
	before := c.assigned
	c.mu.Unlock()
	if before.Manifest == a.Manifest {
		return nil
	}
	if err := c.put(ctx, a.Objects, before.Objects); err != nil {
		return err
	}
	c.mu.Lock()
	for k := range c.table.tasks {
		c.table.withdraw(k)
	}
	c.assigned, c.digest = a, a.Plan.Digest()
	c.mu.Unlock()
	for name := range before.Objects {
		if _, needed := a.Objects[name]; needed {
			continue
		}
		if err := c.queue.Remove(ctx, name); err != nil {
			c.warn(fmt.Sprintf("%s stays in the queue, although no worker needs it: %v", name, err))
		}
	}
	return nil
}

// Withdraw takes a match back that was leased, and reports whether it has no result. If it has one,
// that is sent to Outcomes, or was.
func (c *Coordinator) Withdraw(k int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.table.withdraw(k)
}

// Heard returns when a worker that may play asked last; zero if none has.
func (c *Coordinator) Heard() (last time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.table.workers {
		if w.refused == "" && !w.left && w.asked.After(last) {
			last = w.asked
		}
	}
	return last
}
