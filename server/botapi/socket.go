package botapi

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// line is a WebSocket, whoever dialled. One goroutine reads, any may write.
type line interface {
	// read reads a text message of at most MaxMessage bytes. When ctx ends
	// first, the connection is closed.
	read(ctx context.Context) ([]byte, error)
	// write writes a message. ctx has a deadline.
	write(ctx context.Context, data []byte) error
	// ping returns when the peer has answered, while somebody reads.
	ping(ctx context.Context) error
	// close says goodbye, and may wait for the peer's.
	close(reason string)
	// abandon closes without a word.
	abandon()
}

// socket is the way to a peer over a WebSocket. There is always a reader.
type socket struct {
	line   line
	ctx    context.Context // of the reader
	cancel context.CancelFunc
	ears   chan heard // unbuffered: a flood waits in the network
	reader sync.WaitGroup
	buf    []byte
}

func newSocket(l line) *socket {
	s := &socket{line: l, ears: make(chan heard)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.reader.Go(s.listen)
	return s
}

// listen reads until the connection is over or the peer breaks the rules.
func (s *socket) listen() {
	for {
		h := hearing(s.hear)
		select {
		case s.ears <- h:
		case <-s.ctx.Done():
			return
		}
		if h.err != nil {
			return
		}
	}
}

// hear reads a packet.
func (s *socket) hear(h *heard) {
	var data []byte
	data, h.err = s.line.read(s.ctx)
	h.at = time.Now()
	if h.err != nil {
		return
	}
	h.packet, h.err = htttx.ParseFromBot(data)
	var fault *htttx.Fault
	if errors.As(h.err, &fault) {
		h.err = &violation{"sent something malformed: " + fault.Error()}
	}
}

func (s *socket) send(p htttx.Packet) error {
	ctx, cancel := context.WithTimeout(s.ctx, writeTime)
	defer cancel()
	s.buf = p.Append(s.buf[:0])
	err := s.line.write(ctx, s.buf)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errDeaf
	}
	return errHungUp
}

func (s *socket) heard() <-chan heard            { return s.ears }
func (s *socket) ping(ctx context.Context) error { return s.line.ping(ctx) }

// close says goodbye and waits for the peer's, but not for long. If saying so
// panics, the connection is closed all the same.
func (s *socket) close(reason string) {
	hard := time.AfterFunc(closeTime, s.abandon)
	defer hard.Stop()
	defer s.abandon()
	drained := make(chan struct{})
	var drain sync.WaitGroup
	drain.Go(func() { // what still comes counts no more
		for {
			select {
			case h := <-s.ears:
				if h.err != nil {
					s.abandon()
				}
			case <-drained:
				return
			}
		}
	})
	defer drain.Wait()
	defer close(drained)
	defer s.reader.Wait()
	s.line.close(clipClose(reason))
}

func (s *socket) abandon() {
	s.cancel()
	s.line.abandon()
}

// clipClose makes a reason fit into a closing frame, which holds whole characters
// only.
func clipClose(reason string) string {
	const most = 123
	if len(reason) > most {
		reason = reason[:most]
	}
	return strings.ToValidUTF8(reason, "")
}
