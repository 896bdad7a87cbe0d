package web

import "net/http"

// players lets a player in who comes over WebSocket. Who names no match wants one
// that can be joined: a game between others may be the current one.
func (s *Server) players(w http.ResponseWriter, r *http.Request) {
	x := s.asked(w, r)
	if x != nil && x.Players == nil && r.URL.Query().Get("match") == "" {
		for _, other := range s.hall.list() {
			if other.Players != nil {
				x = other
				break
			}
		}
	}
	switch {
	case x == nil: // the request was answered
	case x.Players == nil:
		fail(w, http.StatusNotFound, "nobody joins this match over WebSocket")
	default:
		x.Players.ServeHTTP(w, r)
	}
}
