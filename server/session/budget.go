package session

import (
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// DefaultBudget is the size of a budget, in bytes, where the process has no memory
// limit: more than any honest match needs, and little for a machine.
const DefaultBudget = 256 << 20

// warnEvery is how often the log says that a budget is exhausted.
const warnEvery = time.Minute

// Budget bounds the memory, in bytes, that the large messages of all connections
// together take. Messages of up to freeSize bytes take nothing of it, and those of a
// game logic neither, without which there is no match.
type Budget struct {
	size int64
	log  zerolog.Logger

	mu   sync.Mutex // guards all below
	used int64
	told time.Time // when the log said last that the budget is exhausted
}

// NewBudget returns a budget of size bytes.
func NewBudget(size int64, log zerolog.Logger) *Budget { return &Budget{size: size, log: log} }

// budgetError is a message for which the budget has nothing left. It completes a
// kick reason.
type budgetError struct{ size int64 }

func (e *budgetError) Error() string {
	return fmt.Sprintf("Message is too big for now: the messages of all connections together have the %d MiB that they may have; "+
		"%d KiB always fit", e.size>>20, freeSize>>10)
}

// take takes n bytes, or fails and takes nothing.
func (b *Budget) take(n int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+int64(n) <= b.size {
		b.used += int64(n)
		return nil
	}
	if now := time.Now(); now.Sub(b.told) > warnEvery {
		b.told = now
		b.log.Warn().Int64("bytes", b.size).Msg("Large messages take all the memory that they may have: clients that send more are kicked")
	}
	return &budgetError{b.size}
}

// give gives n bytes back.
func (b *Budget) give(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= int64(n)
}
