package web

import "net/http"

// players lets a player join over WebSocket. A request that names no match gets one that can
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

// people lets a person play at the page, over WebSocket.
func (s *Server) people(w http.ResponseWriter, r *http.Request) {
	switch x := s.requested(w, r); {
	case x == nil: // the request was answered
	case x.People == nil:
		fail(w, http.StatusNotFound, "the page has no controls for people in this match: let a bot play it")
	default:
		x.People.ServeHTTP(w, r)
	}
}
