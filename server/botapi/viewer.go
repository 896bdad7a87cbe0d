package botapi

import (
	"context"
	"net/http"
	"sync"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/panics"
)

// maxViewerMessages bounds the messages that a viewer may send. The protocol
// defines none.
const maxViewerMessages = 100

// Viewer is a spectator who watches a game over a WebSocket.
type Viewer struct {
	conn   wsConn
	gone   chan struct{}
	cancel context.CancelFunc
	reader sync.WaitGroup
}

// AcceptViewer returns the viewer behind a request.
func (a *Acceptor) AcceptViewer(w http.ResponseWriter, r *http.Request) (*Viewer, error) {
	l, err := a.accept(w, r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	v := &Viewer{conn: l, gone: make(chan struct{}), cancel: cancel}
	panics.Go(&v.reader, func() {
		defer close(v.gone)
		for range maxViewerMessages {
			if _, err := l.read(ctx); err != nil {
				return
			}
		}
	}, panics.Logged(a.log, "Serving a spectator failed"))
	return v, nil
}

// Gone returns a channel that is closed when the viewer has disconnected.
func (v *Viewer) Gone() <-chan struct{} { return v.gone }

// Send sends a packet.
func (v *Viewer) Send(packet []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	return v.conn.write(ctx, packet)
}

// Refuse sends the reason why the game cannot be watched.
func (v *Viewer) Refuse(reason string) { _ = v.Send(htttx.Nope{Reason: reason}.Append(nil)) }

// Close performs the closing handshake, and returns when all goroutines of the
// connection have ended.
func (v *Viewer) Close() {
	v.conn.close("")
	hard, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	select {
	case <-v.gone:
	case <-hard.Done():
	}
	v.cancel()
	v.conn.closeNow()
	v.reader.Wait()
}
