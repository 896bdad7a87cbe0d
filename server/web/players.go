package web

import (
	"net/http"

	"github.com/hexarena/hexarena/server/feed"
)

// Lobby is where players wait for matches that are made for those that wait, as the rounds of an
// event are.
type Lobby struct {
	Event     string          // the name of the event
	Game      string          // that is played
	Waiting   func() []string // returns the names of those that wait
	Addresses func() []string // returns where bots connect
}

// listed returns the lobby as an entry of the list of matches, without an id.
func (l *Lobby) listed() listed {
	b := feed.Brief{
		Game: l.Game, Phase: feed.Gathering, Addresses: l.Addresses(), Players: []feed.Player{},
	}
	for _, name := range l.Waiting() {
		b.Players = append(b.Players, feed.Player{Name: name})
	}
	return listed{Brief: b, Current: true, May: []string{"join"}, ForPage: true}
}

// players admits a player over WebSocket. A request that names no match gets one that can
// be joined, since the current match may be a game between others.
func (s *Server) players(w http.ResponseWriter, r *http.Request) {
	if s.opts.Players != nil && r.URL.Query().Get("match") == "" {
		s.opts.Players.ServeHTTP(w, r)
		return
	}
	x := s.requested(w, r)
	if x != nil && x.Players == nil && r.URL.Query().Get("match") == "" {
		for _, other := range s.matches.list() {
			if other.Players != nil {
				x = other
				break
			}
		}
	}
	switch {
	case x == nil: // the request was answered
	case x.Players == nil:
		fail(w, http.StatusNotFound, "players cannot join this match over WebSocket")
	default:
		x.Players.ServeHTTP(w, r)
	}
}

// people serves a person who plays at the page, over WebSocket.
func (s *Server) people(w http.ResponseWriter, r *http.Request) {
	switch x := s.requested(w, r); {
	case x == nil: // the request was answered
	case x.People == nil:
		fail(w, http.StatusNotFound,
			"the page has no controls for people in this match: let a bot play it")
	default:
		x.People.ServeHTTP(w, r)
	}
}
