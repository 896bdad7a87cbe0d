package host

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/session"
)

// waiter is a client that waits for a seat.
type waiter struct {
	seat   match.Seat
	as     match.Candidate       // as which it logged in
	client func() seating.Client // returns what is known of it by now
	room   *handle               // of the match at whose address it came; nil: it named none
	gone   string                // why it has left; "": it has not
	tried  chan struct{}         // closed when the lobby has tried to give it a seat; nil: it does not
	number int                   // in the order in which clients came; 0: it comes now
	// of capacity 1: gets one if the client does not stay; nil: Welcome tells it of its seat
	answer chan<- admission
}

// admission is what a client that waits is told: its place, or why it gets none.
type admission struct {
	place *match.Place
	err   error
}

// wait registers a client that stays and waits for a seat. It reports false if there will be no
// more matches.
func (l *lobby) wait(seat match.Seat, c match.Candidate, by door) bool {
	client := func() seating.Client {
		one := by.client(c)
		one.Stays = true
		return one
	}
	return l.enqueue(&waiter{seat: seat, as: c, client: client, room: by.room})
}

// enqueue adds a client to those that wait. It reports false if there will be no more matches.
func (l *lobby) enqueue(w *waiter) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	if w.number == 0 {
		w.number = l.arrived()
	}
	at, _ := slices.BinarySearchFunc(l.waiting, w.number,
		func(w *waiter, n int) int { return cmp.Compare(w.number, n) })
	l.waiting = slices.Insert(l.waiting, at, w)
	l.call()
	l.held()
	return true
}

// candidates returns the clients that wait, in the order in which they came.
func (l *lobby) candidates() (list []match.Candidate) {
	l.mu.Lock()
	waiting := slices.Clone(l.waiting)
	l.mu.Unlock()
	for _, w := range waiting {
		list = append(list, w.client().Candidate)
	}
	return list
}

// arrived returns the number of a client that comes now. The caller holds mu.
func (l *lobby) arrived() int {
	l.arrivals++
	return l.arrivals
}

// errNoRoom is why a client gets no seat that came while no match was open, and waited.
var errNoRoom = errors.New("no match is open")

// join gives the client a seat in the first room that lets it in. A client that comes while there
// is no room waits for the next: between two matches of a series, that is a moment. Clients that
// wait get their seats in the order in which they came.
func (l *lobby) join(seat match.Seat, c seating.Client) (*match.Place, error) {
	l.mu.Lock()
	number, rooms := l.arrived(), slices.Clone(l.rooms)
	l.mu.Unlock()
	// at the end of a match all that have asked it for a seat go on at once
	p, err := seatIn(rooms, seat, c)
	if err == nil || !over(rooms) || c.Bot != nil {
		return p, err
	}
	answer := make(chan admission, 1)
	known := func() seating.Client { return c }
	w := &waiter{seat: seat, as: c.Candidate, client: known, number: number, answer: answer}
	if !l.enqueue(w) {
		return nil, match.ErrAborted
	}
	patience := time.NewTimer(l.patience)
	defer patience.Stop()
	select {
	case a := <-answer:
		return a.place, a.err
	case <-patience.C:
	}
	l.Forget(seat, errNoRoom.Error())
	select {
	case a := <-answer: // it was just given a seat
		return a.place, a.err
	default:
		return nil, errNoRoom
	}
}

// Forget implements session.Lobby.
func (l *lobby) Forget(seat match.Seat, reason string) {
	l.bots.Forget(seat, reason)
	tried := l.forget(seat, reason)
	l.held()
	if tried != nil {
		<-tried
	}
}

// forget removes a client that is gone. If the lobby tries to give it a seat, forget returns a
// channel that is closed when the lobby has.
func (l *lobby) forget(seat match.Seat, reason string) (tried <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(w *waiter) bool {
		if w.seat == seat {
			w.gone, tried = reason, w.tried
		}
		return w.seat == seat
	})
	return tried
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
		l.try(w)
	}
}

// try tries to give a client that waits a seat, unless it has left.
func (l *lobby) try(w *waiter) {
	if !l.begin(w) {
		return
	}
	defer l.tried(w)
	a, final := admission{err: match.ErrReplaced}, true
	if !l.replaced(w) {
		a, final = l.seat(w)
	}
	if !final {
		return
	}
	reason := l.admitted(w, a)
	switch {
	case reason != "" && a.place != nil:
		a.place.Vacate(reason)
	case w.answer == nil && a.err != nil:
		w.seat.Kick(a.err)
	}
}

// begin notes that the lobby tries to give a client a seat. It returns false if that has left.
func (l *lobby) begin(w *waiter) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w.gone != "" {
		return false
	}
	w.tried = make(chan struct{})
	return true
}

// tried notes that the lobby has tried to give a client a seat.
func (l *lobby) tried(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(w.tried)
	w.tried = nil
}

// replaced reports whether the owner of a client's key has connected again since the client logged
// in. One of several connections waits, as one of them plays.
func (l *lobby) replaced(w *waiter) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return w.as.Key != "" && slices.ContainsFunc(l.waiting, func(other *waiter) bool {
		return other.as.Key == w.as.Key && other.as.Role == w.as.Role && !w.as.Replaces(&other.as)
	})
}

// seat gives a client a seat in the match of its address, else where there is one. It reports false
// if the client is to wait on.
func (l *lobby) seat(w *waiter) (a admission, final bool) {
	c := w.client()
	if w.room != nil {
		if p, err := w.room.join(w.seat, c); err == nil {
			return admission{place: p}, true
		}
	}
	rooms := l.list()
	a.place, a.err = seatIn(rooms, w.seat, c)
	return a, a.err == nil || errors.Is(a.err, session.ErrVersion) || w.answer != nil && !over(rooms)
}

// admitted removes a client that waits no more, and tells it why. It returns why the client has
// left meanwhile, "" if it has not.
func (l *lobby) admitted(w *waiter, a admission) (gone string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(other *waiter) bool { return other == w })
	if w.gone == "" && w.answer != nil {
		w.answer <- a
	}
	return w.gone
}
