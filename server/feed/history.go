package feed

import (
	"runtime/debug"
	"slices"
	"time"
)

// history holds all events of a match since its start: event k is turn k. A turn of
// four players takes about 1 KiB on a board of 400 cells; marks add about
// 200 bytes per turn.
type history struct {
	entries []entry
	chunk   []byte // buffer that small events share
	marks   []mark
	size    int // bytes
	limit   int // bytes; the oldest turns are dropped when size exceeds it
	oldest  int // oldest turn that was not dropped
}

// A history uses up to an eighth of the memory limit of the process, and at most 256
// MiB: 65 000 turns of four players with twice the usual answers. Uncollected garbage
// doubles that, and finished matches take as much again.
const (
	maxBytes    = 256 << 20
	memoryShare = 8
)

// MaxBytes returns the default limit of a match's history in bytes. It follows the
// runtime's memory limit.
func MaxBytes() int {
	return int(min(maxBytes, debug.SetMemoryLimit(-1)/memoryShare))
}

// entry is one event. Data never changes.
type entry struct {
	data   []byte // nil if the event was dropped
	body   span   // the state or delta, if there is one
	serial uint64
	at     time.Duration // since the feed was created
}

// mark is a whole state. The state of any turn is made by applying deltas to the mark
// before it.
type mark struct {
	turn  int
	state []byte
}

// chunkSize is the size of the buffers that small events share.
const chunkSize = 32 << 10

// keep returns a copy of an event that will not move. Only small events share a chunk,
// since the rest of a chunk into which an event does not fit is wasted.
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

// markInterval is the number of turns between two marks.
const markInterval = 64

func (h *history) add(e entry) {
	h.entries = append(h.entries, e)
	h.size += len(e.data)
	h.oldest = max(h.oldest, 1)
	for h.size > h.limit && h.oldest < len(h.entries)-2 { // the last turn is kept, also before the end
		h.size -= len(h.entries[h.oldest].data)
		h.entries[h.oldest].data = nil
		h.oldest++
	}
	h.dropMarks()
}

func (h *history) dropMarks() {
	for len(h.marks) > 0 && h.marks[0].turn < h.oldest-1 {
		h.size -= len(h.marks[0].state)
		h.marks = slices.Delete(h.marks, 0, 1)
	}
}

// mark keeps the state after a turn if a mark is due.
func (h *history) mark(turn int, state []byte) {
	if turn%markInterval != 0 {
		return
	}
	h.marks = append(h.marks, mark{turn, slices.Clone(state)})
	h.size += len(state)
}

// first returns the oldest mark whose turn is at least from and has not been dropped.
func (h *history) first(from int) (mark, bool) {
	for _, m := range h.marks {
		if m.turn >= max(from, h.oldest) {
			return m, true
		}
	}
	return mark{}, false
}

// whole returns the event of a turn with the given state in place of the delta.
func (h *history) whole(turn int, state []byte) []byte {
	e := &h.entries[turn]
	data := make([]byte, 0, len(e.data)+len(state))
	data = append(data, e.data[:e.body.from]...)
	data = append(data, `"state":`...)
	data = append(data, state...)
	return append(data, e.data[e.body.to:]...)
}

// before returns the last mark whose turn is at most turn.
func (h *history) before(turn int) (mark, bool) {
	for _, m := range slices.Backward(h.marks) {
		if m.turn <= turn {
			return m, true
		}
	}
	return mark{}, false
}
