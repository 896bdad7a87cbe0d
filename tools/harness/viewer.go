package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gorilla/websocket"
)

// Viewer watches a match as a browser does.
type Viewer struct{ ws *websocket.Conn }

// writeBuffers are shared by all viewers, since each sends almost nothing.
var writeBuffers sync.Pool

// handshakeTime is the time limit of a viewer's handshake.
const handshakeTime = 10 * time.Second

// View connects a viewer to a match at a WebSocket address, over a connection that dial
// opens and the caller closes.
func View(
	ctx context.Context, address string, dial func(host string) (net.Conn, error),
) (*Viewer, error) {
	d := websocket.Dialer{
		EnableCompression: true, ReadBufferSize: 1 << 10, WriteBufferSize: 256,
		WriteBufferPool:  &writeBuffers,
		HandshakeTimeout: handshakeTime,
		NetDialContext:   func(_ context.Context, _, host string) (net.Conn, error) { return dial(host) },
	}
	ws, _, err := d.DialContext(ctx, address, nil)
	return &Viewer{ws}, err
}

// Next waits for the next message. It returns an error when the connection is lost.
func (v *Viewer) Next() (io.Reader, error) {
	_, message, err := v.ws.NextReader()
	return message, err
}

// Audience is many viewers of one match.
type Audience struct {
	Bytes atomic.Int64 // read from the network

	hangUps []func()
	all     sync.WaitGroup
}

// Connect connects viewers to a match and calls watch for each, in a goroutine of its own.
// They stay until ctx is done or Disconnect is called, which must be called also after an
// error.
func (a *Audience) Connect(
	ctx context.Context, address string, viewers int, watch func(*Viewer),
) error {
	for i := range viewers {
		v, err := View(ctx, address, func(host string) (net.Conn, error) {
			conn, hangUp, err := Dial(ctx, new(net.Dialer), host)
			if err != nil {
				return nil, err
			}
			a.hangUps = append(a.hangUps, hangUp)
			return &countedConn{conn, &a.Bytes}, nil
		})
		if errors.Is(err, syscall.EMFILE) {
			err = fmt.Errorf("%w: raise the limit of open files above %d (ulimit -n)", err, viewers)
		}
		if err != nil {
			return fmt.Errorf("watch %s, after %d viewers: %w", address, i, err)
		}
		a.all.Go(func() { watch(v) })
	}
	return nil
}

// Disconnect disconnects all viewers and waits for their goroutines.
func (a *Audience) Disconnect() {
	for _, hangUp := range a.hangUps {
		hangUp()
	}
	a.all.Wait()
}

// countedConn counts the bytes that are read.
type countedConn struct {
	net.Conn
	read *atomic.Int64
}

func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.read.Add(int64(n))
	return n, err
}
