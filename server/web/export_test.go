package web

import (
	"context"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/websocket"
)

// Routes returns all operations of the API, such as "GET /api/match".
func Routes() []string {
	var list []string
	for _, r := range routes {
		list = append(list, r.method+" "+r.path)
	}
	slices.Sort(list)
	return list
}

// SetDownloadWait sets how long requests wait for a download.
func (s *Server) SetDownloadWait(d time.Duration) { s.downloads.wait = d }

// SetViewerWait sets how long a viewer may take for an event. It must be called before there are
// viewers.
func (s *Server) SetViewerWait(d time.Duration) { s.viewers.patience = d }

// SetGrace sets how long viewers and requests may take to finish when the server ends. It must be
// called before that.
func (s *Server) SetGrace(d time.Duration) { s.grace = d }

// Handler returns the server's handler.
func (s *Server) Handler() http.Handler { return s.handler() }

// Break makes the server panic when it sends a viewer the next event of the current match,
// which must have few events, until mend is called.
func (s *Server) Break() (mend func()) {
	f := &s.matches.currentEntry().frames
	f.mu.Lock()
	defer f.mu.Unlock()
	sound := f.ring
	for i := range f.ring {
		if f.ring[i].message == nil {
			f.ring[i] = frame{uint64(i), new(websocket.PreparedMessage)} // not prepared
		}
	}
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.ring = sound
	}
}

// BreakWaking makes the server panic when it wakes the viewers of the current match, until
// mend is called.
func (s *Server) BreakWaking() (mend func()) {
	x := s.matches.currentEntry()
	s.viewers.mu.Lock()
	defer s.viewers.mu.Unlock()
	x.enter(nil)
	return func() {
		s.viewers.mu.Lock()
		defer s.viewers.mu.Unlock()
		x.exit(nil)
	}
}

// Prepared returns the size of the prepared recordings in bytes.
func (s *Server) Prepared() int64 {
	s.recorded.prepared.mu.Lock()
	defer s.recorded.prepared.mu.Unlock()
	return s.recorded.prepared.size
}

// Downloads limits downloads.
type Downloads struct{ downloads }

// Enter begins a download from an address.
func (d *Downloads) Enter(ctx context.Context, address string) (leave func()) {
	return d.enter(ctx, address)
}

// The limits of downloads.
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
