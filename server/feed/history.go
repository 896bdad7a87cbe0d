package feed

import (
	"runtime/debug"
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

// A history takes an eighth of the memory that the process may use, and at most 256
// MiB: 65 000 turns of four players with twice the usual answers. Collected garbage
// doubles it, and the matches that are over take as much again.
const (
	mostBytes   = 256 << 20
	memoryShare = 8
)

// MaxBytes returns how many bytes of a match's history are kept unless its options
// say otherwise. It follows the runtime's memory limit.
func MaxBytes() int {
	return int(min(mostBytes, debug.SetMemoryLimit(-1)/memoryShare))
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

// keep copies an event to where it stays. What does not fit into the rest of a chunk
// wastes it, so that only small events share one.
func (h *history) keep(data []byte) []byte {
	if len(data) > chunkSize/4 {
		return slices.Clone(data)
	}
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

// first returns the oldest mark of a turn whose event is kept, but for those of turns
// before from.
func (h *history) first(from int) (mark, bool) {
	for _, m := range h.marks {
		if m.turn >= max(from, h.oldest) {
			return m, true
		}
	}
	return mark{}, false
}

// whole returns the event of a turn with the state in place of the delta.
func (h *history) whole(turn int, state []byte) []byte {
	e := &h.entries[turn]
	data := make([]byte, 0, len(e.data)+len(state))
	data = append(data, e.data[:e.body.from]...)
	data = append(data, `"state":`...)
	data = append(data, state...)
	return append(data, e.data[e.body.to:]...)
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
