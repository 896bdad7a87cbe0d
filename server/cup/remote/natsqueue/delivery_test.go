package natsqueue

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hexarena/hexarena/server/cup/remote"
)

// message is a message of the stream.
type message struct {
	jetstream.Msg
	text string
}

func (m message) Data() []byte { return []byte(m.text) }

func (m message) Subject() string { return "results." + remote.Publisher(m.Data()) }

// A stream is silent when nothing arrives although it could, and not while the coordinator takes
// its time for a message.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		s := &Server{take: func([]byte) { <-goOn }}
		silent := func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.delivery.silent(time.Now())
		}
		s.delivery.sent = 1
		s.arrive(message{text: probe + "1"})
		if s.delivery.late() {
			t.Error("a probe that came back is late")
		}
		go s.arrive(message{text: "{}"})
		time.Sleep(3 * probeTimeout)
		if silent() {
			t.Error("the stream is silent while a message is being taken")
		}
		close(goOn)
		synctest.Wait()
		time.Sleep(probeTimeout)
		if silent() {
			t.Error("the stream is silent before the time is over")
		}
		time.Sleep(time.Second)
		if !silent() {
			t.Error("the stream is not silent although nothing arrives")
		}
	})
}
