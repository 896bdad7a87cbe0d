package web

import (
	"net/http"
	"slices"
)

// Routes are all operations of the API, such as "GET /api/match".
func Routes() []string {
	var list []string
	for _, r := range routes {
		list = append(list, r.method+" "+r.path)
	}
	slices.Sort(list)
	return list
}

// Handler is what answers requests.
func (s *Server) Handler() http.Handler { return s.handler() }
