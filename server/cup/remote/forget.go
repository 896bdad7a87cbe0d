package remote

import (
	"context"

	"github.com/hexarena/hexarena/server/contest/plan"
)

// Forget removes all that the queue has, and makes workers drop all that they were sent, since a
// team in it was forgotten. No match is leased afterwards until [Coordinator.Assign] is called.
func (c *Coordinator) Forget(ctx context.Context) error {
	c.storing.Lock()
	defer c.storing.Unlock()
	c.mu.Lock()
	for k := range c.table.tasks {
		c.table.withdraw(k)
	}
	c.assigned, c.digest = Assignment{}, plan.Digest{}
	c.forgets++
	err := c.conflicts.clear()
	c.mu.Unlock()
	if failed := c.queue.Clear(ctx); failed != nil {
		return failed
	}
	return err
}

// clear removes all conflicts.
func (c *conflicts) clear() error { return c.file.Truncate(0) }

// forget drops all that the coordinator has sent, once the matches that are being played are over.
// The worker opens the next manifest as if it had begun.
func (w *workLoop) forget(ctx context.Context) error {
	for id := range w.held {
		w.drop(id)
	}
	for ; w.playing > 0; w.playing-- {
		<-w.finished
	}
	if w.player != nil {
		w.player.Close(ctx)
	}
	w.manifest, w.digest, w.player, w.schedule, w.unsent = "", plan.Digest{}, nil, nil, nil
	if w.opts.Forget == nil {
		return nil
	}
	return w.opts.Forget()
}
