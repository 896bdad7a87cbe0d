package feed

import (
	"math"
	"time"
)

// Event is one event as it is sent. Its data never changes.
type Event struct {
	// Serial grows from event to event that a feed shows to all readers. It is 0 for
	// what was made for one of them.
	Serial uint64
	Data   []byte // one JSON object, without a line feed
}

// Cursor is one reader's place in a feed. It belongs to one goroutine.
type Cursor struct {
	feed   *Feed
	next   int    // index of the next event of the history
	lobby  uint64 // serial of what it has seen of these
	notice uint64

	// patience is how long ago the next event may have happened. It follows a
	// reader that catches up, so that those who come late are given the time,
	// but not one that falls behind.
	patience time.Duration
}

// From is a cursor for a reader that has the first events of the match, without
// those of the lobby. One who has more than there are gets all.
func (f *Feed) From(events int) *Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	if events < 0 || events > len(f.history.entries) {
		events = 0
	}
	return &Cursor{feed: f, next: events, patience: math.MaxInt64}
}

// Next is the next event for the reader; ok is false when it has all there are.
// Before the start that is the newest of the lobby, then every event of the
// history. A reader that is too slow for that gets the newest turn instead,
// with the whole state in place of the delta, and goes on from there. One whose next
// turn is forgotten goes on from the oldest that can be had, with the whole state.
func (c *Cursor) Next() (e Event, ok bool) {
	f := c.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case c.next < len(f.history.entries):
		return c.nextOfHistory(), true
	case f.phase == Gathering && c.lobby != f.lobby.event.Serial:
		c.lobby = f.lobby.event.Serial
		return f.lobby.event, true
	case c.notice != f.notice.Serial:
		c.notice = f.notice.Serial
		return f.notice, true
	}
	c.patience = f.opts.MaxLag
	return Event{}, false
}

func (c *Cursor) nextOfHistory() Event {
	f := c.feed
	entry := &f.history.entries[c.next]
	newest := len(f.history.entries) - 1 // of the turns
	if f.phase == Over {
		newest--
	}
	lag := time.Since(f.epoch) - entry.at
	slow := lag > c.patience && f.phase == Playing
	if c.next > 0 && c.next < newest && (slow || entry.data == nil) {
		if m, ok := f.history.first(c.next); ok && !slow {
			c.next = m.turn + 1
			return Event{Data: f.history.whole(m.turn, m.state)}
		}
		c.next = newest + 1
		c.patience = f.opts.MaxLag
		return f.newestWhole(newest)
	}
	if lag < math.MaxInt64-f.opts.MaxLag {
		c.patience = min(c.patience, lag+f.opts.MaxLag)
	}
	c.next++
	return Event{entry.serial, entry.data}
}

// newestWhole is the event of the newest turn with its state. The caller holds
// the lock.
func (f *Feed) newestWhole(turn int) Event {
	entry := &f.history.entries[turn]
	if f.newest == nil { // events hold states
		return Event{entry.serial, entry.data}
	}
	if f.keyframe.Serial < entry.serial {
		f.keyframe = Event{f.nextSerial(), f.history.whole(turn, f.newest.State)}
	}
	return f.keyframe
}
