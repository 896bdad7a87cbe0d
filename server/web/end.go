package web

import (
	"net/http"
	"strconv"
	"time"
)

// endWait is the time that a request waits for the end of a match. A player that has its GAME_ENDS
// waits for as long as it takes to write the match's recording, which may be a slow disk's.
const endWait = 5 * time.Second

// getEnd answers with the event that ends a match, when it is there.
func (s *Server) getEnd(w http.ResponseWriter, r *http.Request) {
	x := s.requestedByPlayer(w, r)
	if x == nil {
		return
	}
	timeout := time.NewTimer(endWait)
	defer timeout.Stop()
	select {
	case <-x.Feed.Over():
	case <-timeout.C:
		fail(w, http.StatusConflict, "the match is not over; ask again")
		return
	case <-r.Context().Done():
		return
	}
	if end := x.Feed.End(); end != nil {
		writeJSON(w, end)
		return
	}
	fail(w, http.StatusNotFound, "%v", errForgotten)
}

// requestedByPlayer returns the match of a request, which may say instead of an id what one of the
// players got in its GAME_STARTS. If it is not found, it answers the request and returns nil.
func (s *Server) requestedByPlayer(w http.ResponseWriter, r *http.Request) *entry {
	query := r.URL.Query()
	if query.Get("seed") == "" {
		return s.requested(w, r)
	}
	seed, err := strconv.ParseUint(query.Get("seed"), 10, 64)
	player, err2 := number(r, "player", 0)
	if err != nil || err2 != nil {
		fail(w, http.StatusBadRequest, "seed=%q, player=%q: want the numbers of a GAME_STARTS",
			query.Get("seed"), query.Get("player"))
		return nil
	}
	for _, x := range s.matches.list() {
		if x.Feed.Seeded(player, seed) {
			return x
		}
	}
	fail(w, http.StatusNotFound, "%v", errForgotten)
	return nil
}
