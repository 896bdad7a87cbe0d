package host

import (
	"sync/atomic"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// handle leads to a room until its match is over. An object that is kept longer, such as the match
// on the page, has a handle in place of the room, which holds the game, the account and the
// recorder.
type handle struct {
	room    atomic.Pointer[Room] // nil: the match is over
	refusal error                // why no client gets a seat once room is nil
}

// release drops the reference to the room, whose match has ended.
func (at *handle) release(ending *match.Ending) {
	at.refusal = match.ErrStarted
	if ending.Err != nil {
		at.refusal = match.ErrAborted
	}
	at.room.Store(nil)
}

// join gives a client a seat in the room.
func (at *handle) join(seat match.Seat, c seating.Client) (*match.Place, error) {
	if r := at.room.Load(); r != nil {
		return r.join(seat, c)
	}
	return nil, at.refusal
}

// invites reports whether a person at the page would get a seat in the room now.
func (at *handle) invites() bool {
	r := at.room.Load()
	if r == nil {
		return false
	}
	players, _ := r.feed.Free()
	return r.seats.Invites(players)
}

// held returns why the room's match plays no turn now.
func (at *handle) held() match.Held {
	if r := at.room.Load(); r != nil {
		return r.match.Held()
	}
	return match.Held{}
}

// with returns what calls do with the room, and returns ErrStarted when the match is over.
func (at *handle) with(do func(*Room) error) func() error {
	return func() error {
		if r := at.room.Load(); r != nil {
			return do(r)
		}
		return match.ErrStarted
	}
}
