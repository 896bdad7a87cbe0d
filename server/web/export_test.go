package web

import (
	"context"
	"io"
	"net/http"
	"slices"

	"github.com/gorilla/websocket"
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

// Break has the server panic when it shows a viewer what comes next in the current
// match, one of few events so far, until mend.
func (s *Server) Break() (mend func()) {
	f := &s.hall.now().frames
	f.mu.Lock()
	defer f.mu.Unlock()
	sound := f.ring
	for i := range f.ring {
		if f.ring[i].message == nil {
			f.ring[i] = frame{uint64(i), new(websocket.PreparedMessage)} // which was not prepared
		}
	}
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.ring = sound
	}
}

// BreakCrowd has the server panic when it wakes those who look at the current match,
// until mend.
func (s *Server) BreakCrowd() (mend func()) {
	x := s.hall.now()
	s.crowd.mu.Lock()
	defer s.crowd.mu.Unlock()
	x.enter(nil)
	return func() {
		s.crowd.mu.Lock()
		defer s.crowd.mu.Unlock()
		x.exit(nil)
	}
}

// Prepared returns how many bytes of recordings are kept to be sent.
func (s *Server) Prepared() int64 {
	s.prepared.mu.Lock()
	defer s.prepared.mu.Unlock()
	return s.prepared.size
}

// Downloads bounds downloads.
type Downloads struct{ downloads }

// Enter begins a download from an address.
func (d *Downloads) Enter(ctx context.Context, address string) (leave func()) {
	return d.enter(ctx, address)
}

// The bounds of downloads.
const (
	MaxDownloads        = maxDownloads
	DownloadInterval    = downloadInterval
	DownloadBurst       = downloadBurst
	MaxAddressDownloads = maxAddressDownloads
	MaxWaiting          = maxWaiting
	MaxAddressWaiting   = maxAddressWaiting
)

// NewPaced returns a response to a client that must not read too slowly.
func NewPaced(w http.ResponseWriter) io.Writer { return newPaced(w) }
