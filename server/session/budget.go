package session

import (
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// DefaultBudget is the size of a budget, in bytes, in a process without a memory limit:
// more than any ordinary match needs, but little compared to a machine's memory.
const DefaultBudget = 256 << 20

// warnInterval is the time between two warnings that a budget is exhausted.
const warnInterval = time.Minute

// Budget limits the memory, in bytes, that the large messages of all connections take
// together. Messages of up to freeSize bytes do not count, nor do those of a game logic,
// without which there is no match.
type Budget struct {
	size int64
	log  zerolog.Logger

	mu     sync.Mutex // guards the fields below
	used   int64
	warned time.Time // when the last warning was logged
}

// NewBudget returns a budget of size bytes.
func NewBudget(size int64, log zerolog.Logger) *Budget { return &Budget{size: size, log: log} }

// budgetError is the error for a message that exceeds the budget. Its text completes a
// kick reason.
type budgetError struct{ size int64 }

func (e *budgetError) Error() string {
	return fmt.Sprintf("Message is too big for now: large messages of all connections share %d MiB, "+
		"which are in use; messages up to %d KiB always fit", e.size>>20, freeSize>>10)
}

// take takes n bytes of the budget, or returns an error and takes nothing.
func (b *Budget) take(n int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+int64(n) <= b.size {
		b.used += int64(n)
		return nil
	}
	if now := time.Now(); now.Sub(b.warned) > warnInterval {
		b.warned = now
		b.log.Warn().Int64("bytes", b.size).Msg(
			"Memory for large messages is used up: clients that send more are kicked")
	}
	return &budgetError{b.size}
}

// give returns n bytes to the budget.
func (b *Budget) give(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= int64(n)
}
