package host

import (
	"slices"

	"github.com/hexarena/hexarena/server/match"
)

// waiter is a client that stays between matches and waits for a seat.
type waiter struct {
	seat match.Seat
	as   match.Candidate
	door door   // by which it came
	gone string // why it has left; "": it has not
}

// wait registers a client that waits for a seat. It reports false if there will be no more matches.
func (l *lobby) wait(seat match.Seat, c match.Candidate, by door) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.waiting = append(l.waiting, &waiter{seat: seat, as: c, door: by})
	l.call()
	return true
}

// Forget implements session.Lobby.
func (l *lobby) Forget(seat match.Seat, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(w *waiter) bool {
		if w.seat == seat {
			w.gone = reason
		}
		return w.seat == seat
	})
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
	l.mu.Lock()
	waiting := slices.Clone(l.waiting)
	l.mu.Unlock()
	for _, w := range waiting {
		if l.gone(w) != "" {
			continue
		}
		if place := l.seat(w); place != nil {
			if reason := l.seated(w); reason != "" {
				place.Leave(reason)
			}
		}
	}
}

// seat gives a client a seat in the match of its door, else where there is one; nil if there is
// none.
func (l *lobby) seat(w *waiter) *match.Place {
	c := w.door.client(w.as)
	if w.door.room != nil {
		if p, err := w.door.room.join(w.seat, c); err == nil {
			return p
		}
	}
	p, _ := seatIn(l.list(), w.seat, c)
	return p
}

// gone returns why a client has left that waited, "" if it has not.
func (l *lobby) gone(w *waiter) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return w.gone
}

// seated removes a client that was given a seat, and returns why it has left meanwhile, "" if it
// has not.
func (l *lobby) seated(w *waiter) (gone string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(other *waiter) bool { return other == w })
	return w.gone
}
