package host

import (
	"crypto/sha256"
	"net/http"
	"sync"

	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/match"
)

// personName is what a person at the page is called, unless the host's gate has another name for
// them.
const personName = "person"

// people are those who play a room's match at the page. They implement match.Watcher, to be told
// whether the other players are connected.
type people struct {
	match.BaseWatcher
	mu      sync.Mutex // guards all below
	seats   map[keyDigest]*botapi.Seat
	started bool
}

// keyDigest is the digest of a person's key. The time that a lookup takes reveals nothing about
// keys.
type keyDigest [sha256.Size]byte

// connect gives the person with a key a new connection to their seat. It returns nil if they have
// one, which is served elsewhere. Otherwise it makes a seat, which has to be served or closed, and
// removed.
func (p *people) connect(
	key keyDigest, peer *botapi.Peer, make func(*botapi.Peer) *botapi.Seat,
) (made *botapi.Seat) {
	for {
		one, isNew := p.find(key, func() *botapi.Seat { return make(peer) })
		if isNew {
			return one
		}
		if one.Reconnect(peer) {
			return nil
		}
		p.remove(key, one) // its person has left
	}
}

// find returns the seat of the person with a key. isNew is whether it was made for this call.
func (p *people) find(key keyDigest, make func() *botapi.Seat) (one *botapi.Seat, isNew bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if one = p.seats[key]; one != nil {
		return one, false
	}
	one = make()
	if p.seats == nil {
		p.seats = map[keyDigest]*botapi.Seat{}
	}
	p.seats[key] = one
	return one, true
}

// remove forgets the seat of a person who has left, and no later one of the same person.
func (p *people) remove(key keyDigest, one *botapi.Seat) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seats[key] == one {
		delete(p.seats, key)
	}
}

// showPresence tells all people but those of an address whether another player is connected.
// Before the start the page's lobby does.
func (p *people) showPresence(remote string, connected bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.started {
		return
	}
	for _, one := range p.seats {
		if one.Candidate().Remote != remote {
			one.ShowPresence(connected)
		}
	}
}

// Started implements match.Watcher.
func (p *people) Started(*match.Frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started = true
}

// Joined implements match.Watcher.
func (p *people) Joined(info match.SeatInfo, role match.Role) {
	if role != match.Visualization {
		p.showPresence(info.Remote, true)
	}
}

// Left implements match.Watcher.
func (p *people) Left(info match.SeatInfo, role match.Role) {
	if role != match.Visualization {
		p.showPresence(info.Remote, false)
	}
}

// peopleOf admits people at the page to a room's match, over WebSocket.
func (h *Host) peopleOf(at *handle) http.Handler {
	acceptor := botapi.NewLobbyAcceptor(h.log)
	return h.admitting(func(w http.ResponseWriter, r *http.Request, slot *limits.Slot) {
		accepting, drop := h.untilSeated(r, slot)
		defer drop()
		peer, ask, err := acceptor.AcceptSitter(w, r.WithContext(accepting), personName)
		if err != nil {
			h.logRefusal(r, err)
			return
		}
		room := at.room.Load()
		if room == nil {
			peer.Refuse(at.refusal.Error())
			return
		}
		key := keyDigest(sha256.Sum256([]byte(ask.Key)))
		one := room.people.connect(key, peer, room.newPerson)
		if one == nil {
			return
		}
		defer room.people.remove(key, one)
		in := door{lobby: &h.lobby, room: at, page: true, person: true}
		if h.seatPeer(one, r, slot, ask.Token, in) {
			one.Serve(r.Context()) // the match ends the conversation
		}
	})
}

// newPerson returns a seat for a person, who may come back to it, also before the start.
func (r *Room) newPerson(peer *botapi.Peer) *botapi.Seat {
	return botapi.NewSeat(peer, botapi.Options{
		Grace: r.spec.PersonGrace, Lobby: true, Log: r.log,
		Presence: func(connected bool) { r.people.showPresence(peer.Address, connected) },
	})
}
