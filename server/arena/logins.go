package arena

import (
	"github.com/hexarena/hexarena/server/match"
)

// logins watches who takes and leaves the seats of a match before it starts.
type logins struct {
	match.BaseWatcher
	moved chan match.SeatInfo // players that took a seat, or left it before the start

	claims  *claims
	abort   func(error)
	started bool
}

func newLogins(seats int) *logins {
	return &logins{moved: make(chan match.SeatInfo, 2*seats+16)}
}

// Joined implements match.Watcher.
func (l *logins) Joined(s match.SeatInfo, role match.Role) {
	if role != match.Visualization {
		l.claims.confirm(s.Remote)
		l.move(s)
	}
}

// move tells of a seat. When the channel is full, as in a match that is under way, no
// one listens any more.
func (l *logins) move(s match.SeatInfo) {
	select {
	case l.moved <- s:
	default:
	}
}

// Left implements match.Watcher.
func (l *logins) Left(s match.SeatInfo, role match.Role) {
	if role == match.Visualization || l.started {
		return
	}
	l.claims.release(s.Remote)
	l.move(s)
}

// Started implements match.Watcher.
func (l *logins) Started(f *match.Frame) {
	l.started = true
	l.claims.settle(f.Table.Seats)
	if f.Table.Players == 0 {
		l.abort(ErrNobody)
	}
}
