package natsqueue

import (
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hexarena/hexarena/server/cup/remote"
)

// probe is the beginning of a probe, a message that is stored as results are, which are JSON.
const probe = "probe "

// delivery is what is known of the messages that the stream delivers.
type delivery struct {
	sent   int       // the number of the last probe that was stored
	seen   int       // the number of the last probe that came back
	moved  time.Time // when the last message arrived, or had been taken
	taking bool      // a message is being taken, and the next one is not delivered before that is done
}

// silent reports whether no message has arrived for probeTimeout, although one could. A coordinator
// that is slow, since it verifies recordings or its disk is, says nothing about the stream.
func (d *delivery) silent(now time.Time) bool {
	return !d.taking && now.Sub(d.moved) > probeTimeout
}

// late reports whether a probe has not come back yet.
func (d *delivery) late() bool { return d.sent > d.seen }

// arrive takes a message of the stream.
func (s *Server) arrive(m jetstream.Msg) {
	s.mu.Lock()
	d := &s.delivery
	d.moved = time.Now()
	if n, ok := strings.CutPrefix(string(m.Data()[:min(len(m.Data()), 40)]), probe); ok {
		if number, err := strconv.Atoi(n); err == nil {
			d.seen = max(d.seen, number)
		}
		s.mu.Unlock()
		return
	}
	take := s.take
	d.taking = true
	s.mu.Unlock()
	if remote.Publisher(m.Data()) == sender(m.Subject()) { // else it speaks for another worker
		take(m.Data())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d.taking, d.moved = false, time.Now()
}
