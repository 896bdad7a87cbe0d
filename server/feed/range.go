package feed

import "errors"

// ErrReleased is returned by a range when the match's history is no longer kept.
var ErrReleased = errors.New("the match is no longer kept")

// Range reads a fixed part of a history: those of its events that existed when the range
// was made. It belongs to one goroutine. Between two calls it keeps nothing of the history
// in memory.
type Range struct {
	feed     *Feed
	next, to int
}

// Range returns the events of the history with indices in [from, to). If turns among them
// were dropped, the oldest available turn replaces them, with its whole state in place of
// the delta.
func (f *Feed) Range(from, to int) *Range {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &Range{f, max(from, 0), min(to, len(f.history.entries))}
}

// Next returns the next events, separated by line feeds, or nothing after the last one.
// They are in buf[:0] or, if the first one is larger than buf, part of the history: the
// caller must not change them. The only error is ErrReleased.
func (r *Range) Next(buf []byte) ([]byte, error) {
	f := r.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.released {
		return nil, ErrReleased
	}
	buf = buf[:0]
	for r.next < r.to {
		data, step := f.history.from(r.next)
		switch {
		case r.next+step > r.to: // all remaining events were dropped
			r.next = r.to
			return buf, nil
		case len(buf) == 0 && len(data) > cap(buf):
			r.next += step
			return data, nil
		case len(buf)+1+len(data) > cap(buf):
			return buf, nil
		case len(buf) > 0:
			buf = append(buf, '\n')
		}
		buf = append(buf, data...)
		r.next += step
	}
	return buf, nil
}

// from returns the event with index k, or else the first available one after it with its
// whole state, and the number of events that it stands for.
func (h *history) from(k int) (data []byte, step int) {
	if data := h.entries[k].data; data != nil {
		return data, 1
	}
	if m, ok := h.first(k); ok {
		return h.whole(m.turn, m.state), m.turn + 1 - k
	}
	return h.entries[h.oldest].data, h.oldest + 1 - k
}
