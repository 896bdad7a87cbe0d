package feed

import "errors"

// ErrReleased is why a range ends early: the match's history is no longer kept.
var ErrReleased = errors.New("the match is no longer kept")

// Range reads a part of a history that stands still: those of its events that there
// were when it was made. It belongs to one goroutine. Between two calls it keeps
// nothing of the history in memory.
type Range struct {
	feed     *Feed
	next, to int
}

// Range returns the events of the history from one on, up to but without another. Of
// the turns among them that are forgotten, the oldest that can be had stands for
// all, with its state in place of the delta.
func (f *Feed) Range(from, to int) *Range {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &Range{f, max(from, 0), min(to, len(f.history.entries))}
}

// Next returns the next events, with a line feed between them and none at the end, or
// nothing after the last. They are in buf[:0] or, if the first one is larger than buf, the
// history's own: the caller must not change them. The error is ErrReleased.
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
		case r.next+step > r.to: // all that is left is forgotten
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

// from returns the event with that index, or else the first after it that can be had,
// whole, and how many events that makes.
func (h *history) from(k int) (data []byte, step int) {
	if data := h.entries[k].data; data != nil {
		return data, 1
	}
	if m, ok := h.first(k); ok {
		return h.whole(m.turn, m.state), m.turn + 1 - k
	}
	return h.entries[h.oldest].data, h.oldest + 1 - k
}
