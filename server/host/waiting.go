package host

import (
	"cmp"
	"slices"

	"github.com/hexarena/hexarena/server/match"
)

// waiter is a client that stays between matches and waits for a seat.
type waiter struct {
	seat match.Seat
	as   match.Candidate
	turn uint64 // how many came before it
	door door   // by which it came
	gone string // why it has left while it was given a seat; "": it has not
}

// wait registers a client that waits for a seat. It reports false if there will be no more matches.
func (l *lobby) wait(seat match.Seat, c match.Candidate, by door) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.waiting = append(l.waiting, &waiter{seat: seat, as: c, turn: l.came, door: by})
	l.came++
	l.call()
	return true
}

// Forget implements session.Lobby.
func (l *lobby) Forget(seat match.Seat, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w := l.seating; w != nil && w.seat == seat {
		w.gone = reason
	}
	l.waiting = slices.DeleteFunc(l.waiting, func(w *waiter) bool { return w.seat == seat })
}

// call wakes seatAll: a client waits, a room was added, or a seat has become free.
func (l *lobby) call() {
	select {
	case l.news <- struct{}{}:
	default: // it is awake
	}
}

// seatWaiting gives seats to clients that wait, until the lobby is closed. It runs in a
// goroutine of its own, since a match that is over hands its clients over from its own, which
// must not wait for other matches.
func (l *lobby) seatWaiting(stop <-chan struct{}) {
	for {
		select {
		case <-l.news:
			l.seatAll()
		case <-stop:
			return
		}
	}
}

// seatAll tries to give each client that waits a seat, the one that has waited longest first.
func (l *lobby) seatAll() {
	tried := map[*waiter]bool{}
	for w := l.take(tried); w != nil; w = l.take(tried) {
		place, _ := l.seatFirstIn(w.door, w.seat, w.as)
		l.seated(w, place)
	}
}

// seatFirstIn gives a client a seat in the match of its door, else where there is one.
func (l *lobby) seatFirstIn(d door, seat match.Seat, c match.Candidate) (*match.Place, error) {
	one := d.client(c)
	if d.room != nil {
		if p, err := d.room.join(seat, one); err == nil {
			return p, nil
		}
	}
	return seatIn(l.list(), seat, one)
}

// take takes the first client that waits and is not in tried, and adds it there; nil if there
// is none.
func (l *lobby) take(tried map[*waiter]bool) *waiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, w := range l.waiting {
		if tried[w] {
			continue
		}
		tried[w] = true
		l.waiting = slices.Delete(l.waiting, i, i+1)
		l.seating = w
		return w
	}
	return nil
}

// seated notes which place a client was given. With none, it waits on, before those that
// came later.
func (l *lobby) seated(w *waiter, place *match.Place) {
	l.mu.Lock()
	l.seating = nil
	if place == nil && w.gone == "" && !l.closed {
		i, _ := slices.BinarySearchFunc(l.waiting, w.turn, func(w *waiter, turn uint64) int { return cmp.Compare(w.turn, turn) })
		l.waiting = slices.Insert(l.waiting, i, w)
	}
	gone := w.gone
	l.mu.Unlock()
	if place != nil && gone != "" {
		place.Leave(gone)
	}
}
