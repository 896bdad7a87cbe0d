package site

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/limits"
)

const (
	// uploadTime is the time that a version may take to arrive: 8 MiB over a Wi-Fi that forty others
	// use.
	uploadTime = time.Minute
	// uploadRate is the least rate in bytes a second at which it arrives, that of downloads, and
	// uploadGrace the time after which the rate has to be kept.
	uploadRate  = 16 << 10
	uploadGrace = 5 * time.Second
	// maxUploads bounds the versions that are received at once, of which each team has one: they
	// are on the disk twice meanwhile. An address has half of them, or more while no other one
	// sends. When there are more, the one that has been arriving for longest gives way.
	maxUploads = 16
)

var errManyUploads = errors.New(
	"many versions are being sent, or another one of the team: try again in a moment")

// uploads are the versions that are being received.
type uploads struct {
	mu    sync.Mutex
	teams map[int]bool
	slots *limits.Port
}

// upload is the body of a request that sends a version.
type upload struct {
	body    io.Reader
	control *http.ResponseController
	slot    *limits.Slot
	begun   time.Time
	end     func() // must be called

	mu       sync.Mutex
	received int64
	evicted  bool
}

// begin returns the body of a request if its team may send a version now, else nil.
func (u *uploads) begin(team int, w http.ResponseWriter, r *http.Request) *upload {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.teams[team] {
		return nil
	}
	if u.teams == nil {
		u.teams = map[int]bool{}
		connections := limits.NewConnections(0, zerolog.Nop())
		u.slots = connections.Port(limits.PortLimits{
			Connections: maxUploads, PerAddress: maxUploads / 2,
		})
	}
	slot, refusal := u.slots.Admit(r.RemoteAddr)
	if refusal != "" {
		return nil
	}
	u.teams[team] = true
	one := &upload{body: r.Body, control: http.NewResponseController(w), slot: slot, begun: time.Now()}
	one.end = func() {
		slot.Release()
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.teams, team)
	}
	_ = one.control.SetWriteDeadline(one.begun.Add(uploadTime + checkTime)) // else the server's holds
	slot.OnEvict(one.evict, one.evict)
	return one
}

// evict ends an upload that gives way to another one.
func (o *upload) evict() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.evicted = true
	_ = o.control.SetReadDeadline(time.Now())
}

// Read implements io.Reader. It fails when the body arrives too slowly. Once all has arrived, the
// upload does not give way any more.
func (o *upload) Read(b []byte) (n int, err error) {
	o.mu.Lock()
	if !o.evicted {
		due := uploadGrace + time.Duration(o.received)*time.Second/uploadRate
		_ = o.control.SetReadDeadline(o.begun.Add(min(due, uploadTime)))
	}
	o.mu.Unlock()
	n, err = o.body.Read(b)
	o.received += int64(n)
	if err == io.EOF {
		o.slot.Keep()
	}
	return n, err
}

// explain returns the status and the text of the answer for an error about the upload.
func (o *upload) explain(err error) (status int, shown error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.evicted:
		return http.StatusServiceUnavailable, errManyUploads
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout, fmt.Errorf(
			"the version arrives too slowly: want %d KiB a second, and all of it within %v",
			uploadRate>>10, uploadTime)
	}
	return http.StatusUnprocessableEntity, err
}
