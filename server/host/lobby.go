package host

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/session"
)

// lobby gives clients that have logged in their seats: it knows all rooms whose matches
// are not over. Clients reach it by a door.
type lobby struct {
	patience time.Duration // for a client that comes while there is no room
	bots     *seating.Processes
	held     func()        // told when a client begins or ceases to wait
	news     chan struct{} // holds the news that a client waits, or that a room was added

	mu       sync.Mutex    // guards all below
	rooms    []*Room       // in the order in which they were started
	changed  chan struct{} // closed and replaced when a room is added or the lobby is closed
	waiting  []*waiter     // clients without a seat, in the order in which they came
	arrivals int           // number of clients that came so far
	draining bool          // no more rooms are added
	closed   bool          // no client gets a seat any more
}

func (l *lobby) init(patience time.Duration, bots *seating.Processes, held func()) {
	if held == nil {
		held = func() {}
	}
	l.held = held
	l.bots, l.patience, l.changed, l.news = bots, patience, make(chan struct{}), make(chan struct{}, 1)
}

// add adds a room, and counts it as running, unless the host is being drained. Drain sees
// a room either with its match or not at all.
func (l *lobby) add(r *Room, running *sync.WaitGroup) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.draining {
		return false
	}
	running.Add(1)
	l.rooms = append(l.rooms, r)
	l.tell()
	return true
}

// remove removes a room whose match is over.
func (l *lobby) remove(r *Room) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rooms = slices.DeleteFunc(l.rooms, func(other *Room) bool { return other == r })
}

// drain refuses new rooms, and returns those that are there.
func (l *lobby) drain() []*Room {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.draining = true
	return slices.Clone(l.rooms)
}

// list returns the rooms whose matches are not over.
func (l *lobby) list() []*Room {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.rooms)
}

// close refuses all clients from now on, and returns those that stay and wait for a seat.
func (l *lobby) close() (staying []*waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.waiting {
		if w.answer == nil {
			staying = append(staying, w)
			continue
		}
		w.gone = match.ErrAborted.Error()
		w.answer <- admission{err: match.ErrAborted}
	}
	l.waiting, l.closed = nil, true
	l.tell()
	return staying
}

// tell wakes game logics that wait for a room. The caller holds mu.
func (l *lobby) tell() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// Limits of what a client says about itself, in characters. A longer text is cut, since it
// is only shown.
const (
	maxVersion  = 160 // a SHA-512 in hexadecimal digits with a word before it
	maxLanguage = 40  // a name with the version of a compiler
)

// clean removes what cannot be shown from what a client says about itself.
func clean(c match.Candidate) match.Candidate {
	c.Version = nickname.Clean(c.Version, maxVersion)
	c.Language = nickname.Clean(c.Language, maxLanguage)
	return c
}

// look returns the rooms, and what is closed when they change.
func (l *lobby) look() (rooms []*Room, changed <-chan struct{}, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.rooms), l.changed, l.closed
}

// over reports whether the matches of all rooms are over.
func over(rooms []*Room) bool {
	return !slices.ContainsFunc(rooms, func(r *Room) bool { return !r.over() })
}

// seatIn gives a client a seat in one of the rooms: that of the match for which the client was
// started, else one that keeps a seat for its key, else one that does for its nickname, else the
// first that has an open one. It returns why it gets none: that a match which gathers is full,
// rather than that another has started.
func seatIn(rooms []*Room, seat match.Seat, c seating.Client) (*match.Place, error) {
	refusal := error(match.ErrStarted)
	slices.SortStableFunc(rooms,
		func(a, b *Room) int { return cmp.Compare(a.seats.Distance(&c), b.seats.Distance(&c)) })
	for _, r := range rooms {
		p, err := r.join(seat, c)
		if err == nil {
			return p, nil
		}
		if refusal == match.ErrStarted {
			refusal = err
		}
	}
	return nil, refusal
}

// join gives a client a seat in the room.
func (r *Room) join(seat match.Seat, c seating.Client) (*match.Place, error) {
	if r.spec.Private || c.Bot != nil && !r.seats.Has(c.Bot) {
		return nil, match.ErrStarted
	}
	if r.spec.Admit != nil && !r.over() {
		if err := r.spec.Admit(&c.Candidate); err != nil {
			return nil, err
		}
	}
	if err := r.seats.Admit(&c); err != nil {
		return nil, err
	}
	if i := c.Number - 1; r.spec.Untimed != nil && i >= 0 && i < len(r.spec.Seats) {
		c.Untimed = r.spec.Untimed(&r.spec.Seats[i], &c.Candidate)
	}
	p, err := r.match.Join(seat, c.Candidate)
	if err != nil {
		r.seats.Release(c.Remote)
	}
	return p, err
}

// over reports whether the room's match is over.
func (r *Room) over() bool {
	select {
	case <-r.match.Done():
		return true
	default:
		return false
	}
}

// logic returns what a game logic that nothing started is to referee: the first match whose
// rules connect and have not yet; nil if there is no such match. A game logic that comes
// while there is no room waits like a player: a server listens before its first match.
func (l *lobby) logic() *session.Logic {
	waiting, stop := context.WithTimeout(context.Background(), l.patience)
	defer stop()
	for {
		rooms, changed, closed := l.look()
		if len(rooms) > 0 || closed {
			return refereed(rooms)
		}
		select {
		case <-changed:
		case <-waiting.Done():
			return nil
		}
	}
}

// refereed returns the referee of the first match whose rules connect by themselves, of one that
// they have not yet if there is such a match, or nil.
func refereed(rooms []*Room) (found *session.Logic) {
	for _, r := range rooms {
		if r.logic != nil && r.spec.Logic == nil && (found == nil || found.Ready() == nil) {
			found = r.logic
		}
	}
	return found
}
