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
	room   *handle
	page   bool          // clients connect from the page
	person bool          // they are people, who play there
	bot    *seating.Seat // of the bot that alone uses the door; nil: any client may
}

// client returns what is known of a client.
func (d door) client(c match.Candidate) seating.Client {
	one := seating.Client{Candidate: c, Page: d.page, Person: d.person, Bot: d.bot}
	if d.bot == nil {
		one.Bot = d.bots.Identify(c.Remote)
	}
	return one
}

// Join implements session.Door.
func (d door) Join(seat match.Seat, c match.Candidate) (*match.Place, error) {
	return d.take(seat, d.client(clean(c)))
}

// take gives a client a seat in the door's match or none, or without such a match where the lobby
// has one.
func (d door) take(seat match.Seat, c seating.Client) (*match.Place, error) {
	if d.room != nil {
		return d.room.join(seat, c)
	}
	return d.join(seat, c)
}

// Wait implements session.Lobby. A bot that was started for a match that is over waits for a room
// that seats it, if bots may stay, and else in vain.
func (d door) Wait(seat match.Seat, c match.Candidate) bool {
	c = clean(c)
	for _, r := range d.list() {
		if ours, stays := r.seats.Keep(seat, c); ours {
			return stays
		}
	}
	return d.wait(seat, c, d)
}
