package botapi

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// wsConn is a WebSocket connection, dialled by the server or by the peer. Only one
// goroutine may read; any may write.
type wsConn interface {
	// read reads a text message of at most MaxMessage bytes. When ctx ends
	// first, the connection is closed.
	read(ctx context.Context) ([]byte, error)
	// write writes a message. ctx has a deadline.
	write(ctx context.Context, data []byte) error
	// ping returns when the peer has answered. A concurrent read is required.
	ping(ctx context.Context) error
	// close sends a close frame, and may wait for the peer's.
	close(reason string)
	// closeNow closes the connection without a closing handshake.
	closeNow()
}

// socket is the transport over a WebSocket. One goroutine always reads.
type socket struct {
	conn     wsConn
	ctx      context.Context // of the reader
	cancel   context.CancelFunc
	incoming chan message // unbuffered, so that a flood waits in the network
	reader   sync.WaitGroup
	buf      []byte
}

func newSocket(l wsConn) *socket {
	s := &socket{conn: l, incoming: make(chan message)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.reader.Go(s.readLoop)
	return s
}

// readLoop reads until the connection ends or the peer breaks the rules.
func (s *socket) readLoop() {
	for {
		h := receiveSafely(s.readMessage)
		select {
		case s.incoming <- h:
		case <-s.ctx.Done():
			return
		}
		if h.err != nil {
			return
		}
	}
}

// readMessage reads a packet.
func (s *socket) readMessage(h *message) {
	var data []byte
	data, h.err = s.conn.read(s.ctx)
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
	ctx, cancel := context.WithTimeout(s.ctx, writeTimeout)
	defer cancel()
	s.buf = p.Append(s.buf[:0])
	err := s.conn.write(ctx, s.buf)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errNotReading
	}
	return errHungUp
}

func (s *socket) messages() <-chan message       { return s.incoming }
func (s *socket) ping(ctx context.Context) error { return s.conn.ping(ctx) }

// close performs the closing handshake, within closeTimeout. The connection is
// closed even if the handshake panics.
func (s *socket) close(reason string) {
	hard := time.AfterFunc(closeTimeout, s.closeNow)
	defer hard.Stop()
	defer s.closeNow()
	drained := make(chan struct{})
	var drain sync.WaitGroup
	drain.Go(func() { // discards late messages
		for {
			select {
			case h := <-s.incoming:
				if h.err != nil {
					s.closeNow()
				}
			case <-drained:
				return
			}
		}
	})
	defer drain.Wait()
	defer close(drained)
	defer s.reader.Wait()
	s.conn.close(closeReason(reason))
}

func (s *socket) closeNow() {
	s.cancel()
	s.conn.closeNow()
}

// closeReason shortens reason to what fits into a close frame, without cutting a character.
func closeReason(reason string) string {
	const most = 123
	if len(reason) > most {
		reason = reason[:most]
	}
	return strings.ToValidUTF8(reason, "")
}
