package host

import (
	"github.com/hexarena/hexarena/server/match"
)

// roomDoor seats clients that connect at the address of one match. It implements
// session.Lobby: a client that stays gets its first seat in this match if it has one, and the
// others where the lobby has one.
type roomDoor struct {
	*lobby
	room *handle
}

// Join implements session.Door: it gives the client a seat in this match or none.
func (d roomDoor) Join(seat match.Seat, c match.Candidate) (*match.Place, error) {
	clean(&c)
	return d.room.join(seat, c)
}

// Wait implements session.Lobby.
func (d roomDoor) Wait(seat match.Seat, c match.Candidate) bool {
	return d.wait(seat, c, d.room)
}
