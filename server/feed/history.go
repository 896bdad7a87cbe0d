package feed

import (
	"slices"
	"time"
)

// history is all events of a match from its start on: event k is turn k. A turn
// of hexabomb with four players takes about 1 KiB on a board of 400 cells; marks
// add some 200 bytes.
type history struct {
	entries []entry
	chunk   []byte // where events are put one after another, while there is room
	marks   []mark
	size    int // bytes
	most    int // bytes; above it, the oldest turns are forgotten
	oldest  int // turn that is not forgotten
}

// entry is one event. Its data never changes.
type entry struct {
	data   []byte // nil: forgotten
	body   span   // its state or delta, if it has one
	serial uint64
	at     time.Duration // since the feed was made
}

// mark is a whole state: to come to the state of any turn, deltas are applied
// to the mark before it.
type mark struct {
	turn  int
	state []byte
}

// chunkSize is how many bytes are taken at a time, of a match that has as many.
const chunkSize = 32 << 10

// keep copies an event to where it stays.
func (h *history) keep(data []byte) []byte {
	if len(data) > cap(h.chunk)-len(h.chunk) {
		h.chunk = make([]byte, 0, max(len(data), min(h.size, chunkSize)))
	}
	from := len(h.chunk)
	h.chunk = append(h.chunk, data...)
	return slices.Clip(h.chunk[from:])
}

// markInterval is how many turns there are from mark to mark.
const markInterval = 64

func (h *history) add(e entry) {
	h.entries = append(h.entries, e)
	h.size += len(e.data)
	h.oldest = max(h.oldest, 1)
	for h.size > h.most && h.oldest < len(h.entries)-2 { // the last turn stays, also before the end
		h.size -= len(h.entries[h.oldest].data)
		h.entries[h.oldest].data = nil
		h.oldest++
	}
	h.forgetMarks()
}

func (h *history) forgetMarks() {
	n := 0
	for n < len(h.marks) && h.marks[n].turn < h.oldest-1 {
		h.size -= len(h.marks[n].state)
		n++
	}
	h.marks = slices.Delete(h.marks, 0, n)
}

// mark keeps the state after a turn, once in a while.
func (h *history) mark(turn int, state []byte) {
	if turn%markInterval != 0 {
		return
	}
	h.marks = append(h.marks, mark{turn, slices.Clone(state)})
	h.size += len(state)
}

// before is the last mark that is not after a turn.
func (h *history) before(turn int) (mark, bool) {
	i, found := slices.BinarySearchFunc(h.marks, turn, func(m mark, turn int) int { return m.turn - turn })
	if found {
		i++
	}
	if i == 0 {
		return mark{}, false
	}
	return h.marks[i-1], true
}
