package session

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"sync"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// A client that sends without pause always has something to be read, so that its
// goroutine would never wait: a hundred of them would take turns of ten milliseconds
// at the processor, and those whose answers are small would stand in line.

// polite is a connection that lets others read after each part of something large.
type polite struct{ net.Conn }

func (p *polite) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	letOthersRead(n)
	return n, err
}

// letOthersRead is called when so many bytes were read at once. A usual answer has
// fewer than fill the buffer.
func letOthersRead(n int) {
	if n >= readBuffer {
		runtime.Gosched()
	}
}

// discard is what [Conn.Discard] does. It does not pause: a peer that is still sending
// reads why it has to go only when it is done.
func discard(conn net.Conn, most int64) (bytes int64, err error) {
	bytes, err = io.CopyN(io.Discard, &polite{conn}, most)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil // the peer hung up, or the connection broke
	}
	return bytes, err
}

// largeMessage is how many bytes take long to parse: longer than it takes to wake
// somebody else.
const largeMessage = 64 << 10

// parsing is held while a large message is parsed: one at a time, so that a crowd
// that sends them leaves the other processors to the rest.
var parsing sync.Mutex

// parseAnswer is netorcai.ParseTurnAck.
func parseAnswer(content []byte, asked int) (netorcai.TurnAck, error) {
	if len(content) > largeMessage {
		parsing.Lock()
		defer parsing.Unlock()
	}
	return netorcai.ParseTurnAck(content, asked)
}
