package sim

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// History is what happened in a world.
type History struct {
	start time.Time

	mu      sync.Mutex
	entries []entry
	numbers map[string]int // of entries by actor
}

// entry is one thing that an actor did or learnt.
type entry struct {
	at     time.Duration // since the world began
	actor  string
	number int // of the actor's entries; 0 in those that several goroutines make
	text   string
}

func newHistory() *History { return &History{start: time.Now(), numbers: map[string]int{}} }

// add records what an actor did. One goroutine at a time may call it for an actor.
func (h *History) add(actor, format string, args ...any) {
	h.at(time.Now(), actor, fmt.Sprintf(format, args...))
}

// at is add for something that began earlier.
func (h *History) at(instant time.Time, actor, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.numbers[actor]++
	h.entries = append(h.entries, entry{instant.Sub(h.start), actor, h.numbers[actor], text})
}

// server is the actor of the lines of the server's log.
const server = "server"

// Write implements io.Writer for the lines of the server's log. Goroutines of the server write
// them in any order, so those of one instant are sorted by their text.
func (h *History) Write(line []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.entries = append(h.entries,
		entry{time.Since(h.start), server, 0, strings.TrimSpace(string(line))})
	return len(line), nil
}

// sorted returns the entries by instant, actor, number and text.
func (h *History) sorted() []entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := slices.Clone(h.entries)
	slices.SortStableFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.actor, b.actor),
			cmp.Compare(a.number, b.number), cmp.Compare(a.text, b.text))
	})
	return list
}

// WriteTo writes a line for each entry: when, who, what.
func (h *History) WriteTo(w io.Writer) (n int64, err error) {
	for _, e := range h.sorted() {
		m, err := fmt.Fprintf(w, "%15.9f  %-14s  %s\n", e.at.Seconds(), e.actor, e.text)
		n += int64(m)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// tail returns the last lines of WriteTo.
func (h *History) tail() string {
	const most = 100
	lines := strings.SplitAfter(h.String(), "\n")
	return strings.Join(lines[max(0, len(lines)-most):], "")
}

// String returns the lines of WriteTo.
func (h *History) String() string {
	var b strings.Builder
	_, _ = h.WriteTo(&b)
	return b.String()
}

// Digest returns a digest of the history.
func (h *History) Digest() string {
	return digestOf([]byte(h.String()))
}

// digestOf returns a digest of a history, or of a log, which is short enough to be compared by eye.
func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%x", sum[:8])
}
