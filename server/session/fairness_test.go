package session

import (
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// endlessConn is a connection whose peer sends without pause.
type endlessConn struct{ net.Conn }

func (endlessConn) Read(b []byte) (int, error) { return len(b), nil }

// On a single processor another goroutine runs each time a heavy sender has filled a
// buffer.
func TestHeavySendersYield(t *testing.T) {
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
	_, _ = discard(endlessConn{}, reads*2*readBuffer) // its buffer has 8 KiB
	over.Store(1)
	<-other
	if n := turns.Load(); n < reads/2 {
		t.Errorf("in %d reads of a heavy sender, another goroutine ran %d times", reads, n)
	}
}

// While a large answer is parsed, other large answers wait and small ones do not.
func TestLargeAnswersAreParsedOneAtATime(t *testing.T) {
	small := []byte(`{"message_type":"TURN_ACK","turn_number":0,"actions":[]}`)
	large := []byte(
		`{"message_type":"TURN_ACK","turn_number":0,"actions":[` + strings.Repeat(" ",
			largeMessage) + `]}`,
	)
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
		t.Error("two large answers are parsed at the same time")
	default:
	}
	parsing.Unlock()
	if err := <-parsed; err != nil {
		t.Error(err)
	}
}
