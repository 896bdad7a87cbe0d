package feed

import (
	"math"
	"time"
)

// Event is one event as it is sent. Data never changes.
type Event struct {
	// Serial increases from event to event. It is 0 for an event that was made for one
	// reader only.
	Serial uint64
	Data   []byte // one JSON object, without a line feed
}

// Cursor is one reader's position in a feed. It belongs to one goroutine.
type Cursor struct {
	feed   *Feed
	next   int    // index of the next event of the history
	lobby  uint64 // serials of the newest lobby event and notice that it has read
	notice uint64

	// maxLag is the age that the next event may have. It decreases while a reader
	// catches up, so that a reader that joins late is given time, but one that falls behind
	// is not.
	maxLag time.Duration
}

// From returns a cursor for a reader that already has the given number of events of the
// match, not counting events of the lobby. If there are fewer, it gets all.
func (f *Feed) From(events int) *Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	if events < 0 || events > len(f.history.entries) {
		events = 0
	}
	return &Cursor{feed: f, next: events, maxLag: math.MaxInt64}
}

// Next returns the next event for the reader; ok is false if it has read all. Before the
// start this is the newest lobby event, then every event of the history. A reader that
// is too slow gets the newest turn instead, with the whole state in place of the delta,
// and continues from there. If the next turn was dropped from the history, the reader
// continues from the oldest available turn, with the whole state.
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
	c.maxLag = f.opts.MaxLag
	return Event{}, false
}

func (c *Cursor) nextOfHistory() Event {
	f := c.feed
	entry := &f.history.entries[c.next]
	newest := len(f.history.entries) - 1 // newest turn
	if f.phase == Over {
		newest--
	}
	lag := time.Since(f.epoch) - entry.at
	slow := lag > c.maxLag && f.phase == Playing
	if c.next > 0 && c.next < newest && (slow || entry.data == nil) {
		if m, ok := f.history.first(c.next); ok && !slow {
			c.next = m.turn + 1
			return Event{Data: f.history.whole(m.turn, m.state)}
		}
		c.next = newest + 1
		c.maxLag = f.opts.MaxLag
		return f.newestWhole(newest)
	}
	if lag < math.MaxInt64-f.opts.MaxLag {
		c.maxLag = min(c.maxLag, lag+f.opts.MaxLag)
	}
	c.next++
	return Event{entry.serial, entry.data}
}

// newestWhole returns the event of the newest turn with its whole state. The caller holds
// the lock.
func (f *Feed) newestWhole(turn int) Event {
	entry := &f.history.entries[turn]
	if f.newest == nil { // events contain states
		return Event{entry.serial, entry.data}
	}
	if f.keyframe.Serial < entry.serial {
		f.keyframe = Event{f.nextSerial(), f.history.whole(turn, f.newest.State)}
	}
	return f.keyframe
}
