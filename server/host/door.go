package host

import (
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// door is a way into the lobby. It implements session.Lobby.
type door struct {
	*lobby
	// room is that of the match at whose address clients connect: one that stays gets its first seat
	// there if it has one, and the others where the lobby has one. It is nil if clients name no match.
	room *handle
	page bool          // clients connect from the page
	bot  *seating.Seat // of the bot that alone uses the door; nil: any client may
}

// client returns what is known of a client.
func (d door) client(c match.Candidate) seating.Client {
	one := seating.Client{Candidate: c, Page: d.page, Bot: d.bot}
	if d.bot == nil {
		one.Bot = d.bots.Identify(c.Remote)
	}
	return one
}

// Join implements session.Door: it gives the client a seat in the door's match or none, or without
// such a match where the lobby has one.
func (d door) Join(seat match.Seat, c match.Candidate) (*match.Place, error) {
	one := d.client(clean(c))
	if d.room != nil {
		return d.room.join(seat, one)
	}
	return d.join(seat, one)
}

// Wait implements session.Lobby. A bot that was started for a match that is over waits in vain.
func (d door) Wait(seat match.Seat, c match.Candidate) bool {
	for _, r := range d.list() {
		if r.seats.HoldsBot(c.Remote) {
			return false
		}
	}
	return d.wait(seat, clean(c), d)
}
