package feed

import "slices"

// Kind is what a record is in its match.
type Kind string

// The kinds of records.
const (
	LobbyRecord Kind = "lobby" // the newest event of the lobby, which is not part of the history
	KeyRecord   Kind = "key"   // the start, or a turn whose whole state is known
	DeltaRecord Kind = "delta" // another turn
	EndRecord   Kind = "end"
)

// Record is an event with what a mirror of the feed has to know of it. Data and State never change.
type Record struct {
	Event
	Kind     Kind
	Index    int    // in the history; 0 for the lobby
	From, To int    // the state or delta is Data[From:To], with its key; both are 0 if the event has neither
	State    []byte // the whole state after the turn of a key, unless the event contains it
}

// Tail is the position of a mirror in a feed. It belongs to one goroutine.
type Tail struct {
	feed  *Feed
	next  int
	lobby uint64 // serial of the newest lobby event that was read
}

// Tail returns the position of a mirror that already has the given number of events of the history. If
// there are fewer, it gets all.
func (f *Feed) Tail(events int) *Tail {
	f.mu.Lock()
	defer f.mu.Unlock()
	if events < 0 || events > len(f.history.entries) {
		events = 0
	}
	return &Tail{feed: f, next: events}
}

// Next returns the next record; ok is false if all have been read. If the next turn was dropped from the
// history, the tail continues from the oldest available turn whose whole state is known, as a key.
func (t *Tail) Next() (r Record, ok bool) {
	f := t.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case t.next < len(f.history.entries):
		return t.nextOfHistory(), true
	case f.phase == Gathering && t.lobby != f.lobby.event.Serial:
		t.lobby = f.lobby.event.Serial
		return Record{Event: f.lobby.event, Kind: LobbyRecord}, true
	}
	return r, false
}

func (t *Tail) nextOfHistory() Record {
	f, h := t.feed, &t.feed.history
	var state []byte
	if h.entries[t.next].data == nil {
		if m, ok := h.first(t.next); ok {
			t.next = m.turn
		} else {
			newest := len(h.entries) - 1
			if f.phase == Over {
				newest--
			}
			t.next, state = f.newestState(newest)
			state = slices.Clone(state) // the frame is reused
		}
	}
	k := t.next
	t.next++
	e := &h.entries[k]
	r := Record{Event: Event{e.serial, e.data}, Index: k, From: e.body.from, To: e.body.to}
	if r.State = h.marked(k); r.State == nil && state != nil {
		r.State, r.Serial = state, 0 // others get this turn without its state
	}
	r.Kind = h.kindOf(k, r.State != nil)
	return r
}

// Keys of the state or delta in an event.
const (
	stateKey = `"state":`
	deltaKey = `"delta":`
)

// kindOf returns the kind of the event with index k, whose state may be known beside it.
func (h *history) kindOf(k int, stateKnown bool) Kind {
	e := &h.entries[k]
	switch body := e.data[e.body.from:e.body.to]; {
	case len(body) == 0:
		return EndRecord
	case stateKnown, body[1] == stateKey[1]:
		return KeyRecord
	}
	return DeltaRecord
}
