package check

import (
	"io"
	"slices"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/session"
)

// peer is the bot's end of a connection that carries netorcai's messages.
type peer struct {
	conn     session.Conn
	wire     string    // in words
	raw      io.Writer // for bytes as they are; nil over a WebSocket
	lines    bool      // on standard input and output, messages are lines, not frames
	tap      *tap      // of TCP, else nil
	incoming chan message
	done     chan struct{} // closed when no messages are wanted any more
}

// message is a message of a bot, or why there are no more.
type message struct {
	content []byte
	err     error
	used    int64 // bytes on the wire of all messages so far, over TCP
}

func newPeer(conn session.Conn, wire string) *peer {
	return &peer{conn: conn, wire: wire, incoming: make(chan message), done: make(chan struct{})}
}

// read reads messages until the connection ends.
func (p *peer) read() {
	limit, used := netorcai.FirstLimit, int64(0)
	for {
		content, err := p.conn.ReadMessage(nil, limit, func(buf []byte, n int) ([]byte, error) {
			return slices.Grow(buf, n), nil
		})
		limit = netorcai.Limit
		used += int64(4 + len(content))
		select {
		case p.incoming <- message{content: content, err: err, used: used}:
		case <-p.done:
			return
		}
		if err != nil {
			return
		}
	}
}

// send sends a frame. A bot that does not read it within a while has stopped to read.
func (p *peer) send(frame []byte, limit time.Duration) error {
	_ = p.conn.SetWriteDeadline(time.Now().Add(limit))
	_, err := p.conn.Write(frame)
	return err
}

// bytesOf returns a frame as it travels over the wire.
func (p *peer) bytesOf(frame []byte) []byte {
	if p.lines {
		return frame[4:]
	}
	return frame
}

// close closes the connection.
func (p *peer) close() {
	select {
	case <-p.done:
	default:
		close(p.done)
	}
	_ = p.conn.Close()
}
