package web

import (
	"net/http"
	"time"
)

// A client must read a download at minRate, half the rate of a bad mobile connection, after
// a grace period at the beginning. A slower client is disconnected, so that the download of
// an ordinary match, 400 kB, takes at most 35 seconds.
const (
	minRate     = 16 << 10 // bytes per second
	gracePeriod = 10 * time.Second
)

// writeSize is the number of bytes that are written before the deadline is extended.
const writeSize = 32 << 10

// pacedWriter is a response to a client that must not read too slowly.
type pacedWriter struct {
	w     http.ResponseWriter
	begun time.Time
	sent  int64
}

func newPaced(w http.ResponseWriter) *pacedWriter { return &pacedWriter{w: w, begun: time.Now()} }

// Write implements io.Writer.
func (p *pacedWriter) Write(b []byte) (n int, err error) {
	controller := http.NewResponseController(p.w)
	for err == nil && n < len(b) {
		part := b[n:min(len(b), n+writeSize)]
		p.sent += int64(len(part))
		due := gracePeriod + time.Duration(p.sent)*time.Second/minRate
		_ = controller.SetWriteDeadline(p.begun.Add(due))
		var m int
		m, err = p.w.Write(part)
		n += m
	}
	return n, err
}
