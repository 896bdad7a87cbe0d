package web

import "net/http"

// players lets a player in who comes over WebSocket.
func (s *Server) players(w http.ResponseWriter, r *http.Request) {
	switch x := s.asked(w, r); {
	case x == nil: // the request was answered
	case x.Players == nil:
		fail(w, http.StatusNotFound, "nobody joins this match over WebSocket")
	default:
		x.Players.ServeHTTP(w, r)
	}
}
