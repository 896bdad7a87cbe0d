package botapi

import (
	"context"
	"net/http"
	"sync"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/panics"
)

// maxChatter is how much a viewer may say, in messages, though it has nothing
// to say.
const maxViewerMessages = 100

// Viewer is somebody who watches a game over a WebSocket.
type Viewer struct {
	conn   wsConn
	gone   chan struct{}
	cancel context.CancelFunc
	reader sync.WaitGroup
}

// Viewer answers a request of somebody who wants to watch.
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

// Gone is closed when the viewer has left.
func (v *Viewer) Gone() <-chan struct{} { return v.gone }

// Send sends a packet.
func (v *Viewer) Send(packet []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	return v.conn.write(ctx, packet)
}

// Refuse is the last word to a viewer who cannot have what it wants.
func (v *Viewer) Refuse(reason string) { _ = v.Send(htttx.Nope{Reason: reason}.Append(nil)) }

// Close says goodbye, and returns when nothing of the connection is left.
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
