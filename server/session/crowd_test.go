package session

import (
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// endless is a peer that sends without pause.
type endless struct{ net.Conn }

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// A single processor serves a client that floods and another one, which gets its
// turn each time that the flood has filled a buffer.
func TestFloodLetsOthersRead(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const reads = 1000
	var turns, over atomic.Int64
	other := make(chan struct{})
	go func() {
		defer close(other)
		for over.Load() == 0 {
			turns.Add(1)
			runtime.Gosched()
		}
	}()
	_, _ = discard(endless{}, reads*2*readBuffer) // what reads it has room for 8 KiB
	over.Store(1)
	<-other
	if n := turns.Load(); n < reads/2 {
		t.Errorf("in %d reads of a flood, another client had %d turns", reads, n)
	}
}

// While a large answer is parsed, small ones do not wait, and other large ones do.
func TestLargeAnswersAreParsedOneAtATime(t *testing.T) {
	small := []byte(`{"message_type":"TURN_ACK","turn_number":0,"actions":[]}`)
	large := []byte(`{"message_type":"TURN_ACK","turn_number":0,"actions":[` + strings.Repeat(" ", largeMessage) + `]}`)
	parsing.Lock()
	parsed := make(chan error, 1)
	go func() {
		_, err := parseAnswer(large, 0)
		parsed <- err
	}()
	if _, err := parseAnswer(small, 0); err != nil {
		t.Error(err)
	}
	select {
	case <-parsed:
		t.Error("two large answers are parsed at a time")
	default:
	}
	parsing.Unlock()
	if err := <-parsed; err != nil {
		t.Error(err)
	}
}
