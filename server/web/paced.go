package web

import (
	"net/http"
	"time"
)

// The slowest that a client may read a download: half the rate of a bad mobile
// connection, and a while to begin with. A client that is slower is disconnected, so
// that a download of a usual match, 400 kB, is over within 35 seconds.
const (
	slowestRate = 16 << 10 // bytes a second
	slowestTime = 10 * time.Second
)

// piece is how many bytes are written before the deadline is moved.
const piece = 32 << 10

// paced is a response to a client that must not read too slowly.
type paced struct {
	w     http.ResponseWriter
	begun time.Time
	sent  int64
}

func newPaced(w http.ResponseWriter) *paced { return &paced{w: w, begun: time.Now()} }

// Write implements io.Writer.
func (p *paced) Write(b []byte) (n int, err error) {
	controller := http.NewResponseController(p.w)
	for err == nil && n < len(b) {
		part := b[n:min(len(b), n+piece)]
		p.sent += int64(len(part))
		due := slowestTime + time.Duration(p.sent)*time.Second/slowestRate
		_ = controller.SetWriteDeadline(p.begun.Add(due))
		var m int
		m, err = p.w.Write(part)
		n += m
	}
	return n, err
}
