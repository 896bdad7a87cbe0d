package session

import (
	"errors"
	"io"
	"os"
	"runtime"
	"sync"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/processors"
)

// The goroutine of a client that sends without pause always has input and would never
// block: with a hundred of them, each would use the processor for ten milliseconds at a
// time, and clients that send small answers would have to wait. Heavy senders therefore
// yield: a reader calls runtime.Gosched after every full buffer. While all goroutines of a
// processor only yield, the runtime's monitor finds the clients that wait.

// yieldingReader yields after each read that fills the buffer. An ordinary answer is smaller.
type yieldingReader struct{ io.Reader }

func (r yieldingReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if n >= readBuffer {
		processors.WakeMonitor()
		runtime.Gosched()
	}
	return n, err
}

// discard implements [Conn.Discard]. It does not pause, since a peer reads the reason for
// its kick only when it has sent everything.
func discard(r io.Reader, limit int64) (bytes int64, err error) {
	bytes, err = io.CopyN(io.Discard, yieldingReader{r}, limit)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil // the peer hung up, or the connection broke
	}
	return bytes, err
}

// largeMessage is the size, in bytes, from which on parsing takes longer than waking
// another goroutine.
const largeMessage = 64 << 10

// parsing is held while a large message is parsed: one at a time, so that many clients
// that send them leave the other processors to the rest.
var parsing sync.Mutex

// parseAnswer calls netorcai.ParseTurnAck, for large messages one at a time.
func parseAnswer(content []byte, asked int) (netorcai.TurnAck, error) {
	if len(content) > largeMessage {
		processors.WakeMonitor()
		parsing.Lock()
		defer parsing.Unlock()
	}
	return netorcai.ParseTurnAck(content, asked)
}
