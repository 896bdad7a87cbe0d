package feed

import (
	"errors"
	"iter"
)

// ErrReleased is returned by a range when the match's history is no longer kept.
var ErrReleased = errors.New("the match is no longer kept")

// Range returns an iterator over the events of the history with indices in [from, to), as far
// as they exist now. If turns among them were dropped, the oldest available turn replaces them,
// with its whole state in place of the delta. The events must not be changed. Between two of
// them the iterator keeps nothing of the history in memory. The only error is ErrReleased.
func (f *Feed) Range(from, to int) iter.Seq2[[]byte, error] {
	f.mu.Lock()
	defer f.mu.Unlock()
	to = min(to, len(f.history.entries))
	return func(yield func([]byte, error) bool) {
		for k := max(from, 0); k < to; {
			data, step, err := f.event(k)
			k += step
			if k > to { // all remaining events were dropped
				return
			}
			if !yield(data, err) || err != nil {
				return
			}
		}
	}
}

// event returns the event with index k, or else the first available one after it with its
// whole state, and the number of events that it stands for.
func (f *Feed) event(k int) (data []byte, step int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.released {
		return nil, 0, ErrReleased
	}
	h := &f.history
	if data := h.entries[k].data; data != nil {
		return data, 1, nil
	}
	if m, ok := h.first(k); ok {
		return h.whole(m.turn, m.state), m.turn + 1 - k, nil
	}
	return h.entries[h.oldest].data, h.oldest + 1 - k, nil
}
