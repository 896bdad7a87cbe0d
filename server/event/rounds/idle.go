package rounds

import (
	"context"
	"sync"
)

// idleTime tells work that is done between rounds when no round is played.
type idleTime struct {
	mu    sync.Mutex
	ctx   context.Context // ends when a round begins
	end   context.CancelFunc
	freed chan struct{} // closed when the round is over, or before the first one
}

// newIdleTime returns the time before the first round.
func newIdleTime() *idleTime {
	t := &idleTime{freed: make(chan struct{})}
	t.ctx, t.end = context.WithCancel(context.Background())
	return t
}

// now returns a context that ends when a round begins, and has ended if one is being played; freed
// is closed when that is over.
func (t *idleTime) now() (idle context.Context, freed <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ctx, t.freed
}

// stop ends the idle time: a round begins, or there are none any more.
func (t *idleTime) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end()
}

// resume begins another idle time.
func (t *idleTime) resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ctx, t.end = context.WithCancel(context.Background())
	close(t.freed)
	t.freed = make(chan struct{})
}
