package web

import (
	"net/http"
	"slices"
)

// Upstream is the server that a relay shows. Its matches have mirrors as feeds.
type Upstream struct {
	Address string                // of its page
	Handler http.Handler          // answers requests for what the relay does not have
	About   func() map[string]any // returns what the server's hello said of it
}

// mirrored are the routes that a relay serves itself, from the events that it has. Others are its upstream's.
var mirrored = []string{
	"/api/health", "/api/live", "/api/match", "/api/match/end", "/api/match/events", "/api/match/state", "/api/matches", "/api/openapi.yaml",
	"/api/relay", "/debug/pprof/{profile}", "/healthz", "/metrics", "/readyz",
}

// handlerOf returns the handler of a route.
func (s *Server) handlerOf(r route) http.Handler {
	if s.opts.Upstream == nil || slices.Contains(mirrored, r.path) {
		return s.dispatch(r)
	}
	return s.forward()
}

// forward returns the handler for what a relay does not have.
func (s *Server) forward() http.Handler {
	passed := download(func(s *Server, w http.ResponseWriter, r *http.Request) {
		s.opts.Upstream.Handler.ServeHTTP(&pacedResponse{w, newPaced(w)}, r)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		passed(s, w, r)
	})
}

// pacedResponse is a response whose client must not read too slowly.
type pacedResponse struct {
	http.ResponseWriter
	paced *pacedWriter
}

// Write implements http.ResponseWriter.
func (p *pacedResponse) Write(b []byte) (int, error) { return p.paced.Write(b) }

// aboutUpstream replaces what is known of a relay by what is known of its upstream.
func (s *Server) aboutUpstream(about map[string]any) {
	if s.opts.Upstream == nil {
		return
	}
	for key, value := range s.opts.Upstream.About() {
		if _, known := about[key].(bool); known { // it must not replace what the relay says of itself
			about[key] = value == true
		}
	}
}

// Keep makes a relay show the matches with these IDs only, in this order, the oldest first, and the one named current unless a
// viewer asks for another. IDs of matches that were not added, or are no longer kept, have no effect.
func (s *Server) Keep(ids []string, current string) {
	position := make(map[string]int, len(ids))
	for i, id := range ids {
		position[id] = i
	}
	h := &s.matches
	h.mu.Lock()
	var dropped []*entry
	h.matches = slices.DeleteFunc(h.matches, func(x *entry) bool {
		_, kept := position[x.Feed.ID()]
		if !kept {
			dropped = append(dropped, x)
		}
		return !kept
	})
	slices.SortStableFunc(h.matches, func(a, b *entry) int { return position[a.Feed.ID()] - position[b.Feed.ID()] })
	if slices.Contains(dropped, h.current) {
		h.current = nil
	}
	for _, x := range h.matches {
		if x.Feed.ID() != current {
			continue
		}
		h.current = x
		h.hasFirst()
	}
	h.version++
	h.mu.Unlock()
	s.drop(dropped)
	s.viewers.notifyFollowers()
	s.viewers.notifyRelays()
}

// SetAway tells the viewers of a relay, and relays of it, whether its upstream is away.
func (s *Server) SetAway(away bool) {
	if s.viewers.away.Swap(away) == away {
		return
	}
	notify(s.viewers.changed)
	s.matches.mu.Lock()
	s.matches.version++ // relays get it with the list
	s.matches.mu.Unlock()
	s.viewers.notifyRelays()
}
