package botapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// Acceptor makes peers of those who dial in. Its methods answer a request with a
// WebSocket; on an error they have answered, and nothing is left to do.
type Acceptor struct {
	upgrader websocket.Upgrader
	log      zerolog.Logger
}

// firstTime is how long a bot that dials in has for its capabilities.
const capabilitiesTimeout = 10 * time.Second

// NewAcceptor makes an acceptor. Pages of any origin may connect: what lets
// somebody in is a token, which no browser adds by itself.
func NewAcceptor(log zerolog.Logger) *Acceptor {
	return &Acceptor{log: log, upgrader: websocket.Upgrader{
		CheckOrigin:      func(*http.Request) bool { return true },
		HandshakeTimeout: capabilitiesTimeout,
	}}
}

// Dials reports whether a request asks for a WebSocket.
func IsUpgrade(r *http.Request) bool { return websocket.IsWebSocketUpgrade(r) }

// Person is somebody who sits at a client.
func (a *Acceptor) AcceptPerson(w http.ResponseWriter, r *http.Request, name string) (*Peer, error) {
	l, err := a.accept(w, r)
	if err != nil {
		return nil, err
	}
	return &Peer{
		Name: name, Address: r.RemoteAddr, person: true, freeSetup: true, transport: newSocket(l),
		wantsPresence: r.URL.Query().Has("presence"), // other clients may not know the packet
	}, nil
}

// Bot is a bot that sends its capabilities first.
func (a *Acceptor) AcceptBot(w http.ResponseWriter, r *http.Request) (p *Peer, err error) {
	l, err := a.accept(w, r)
	if err != nil {
		return nil, err
	}
	defer func() {
		if p == nil { // also when this panics
			l.closeNow()
		}
	}()
	ctx, cancel := context.WithTimeout(r.Context(), capabilitiesTimeout)
	defer cancel()
	first, err := l.read(ctx)
	if err == nil {
		var caps htttx.Capabilities
		if caps, err = htttx.ParseCapabilities(first); err == nil {
			return newDialledIn(l, caps, r.RemoteAddr), nil
		}
		err = fmt.Errorf("the first frame has to hold the capabilities: %w", err)
		_ = l.write(ctx, htttx.Nope{Reason: err.Error()}.Append(nil))
	}
	return nil, err
}

// dialledIn is a bot whose capabilities are known. One that names no way to play
// has chosen this one by coming.
func newDialledIn(l wsConn, caps htttx.Capabilities, remote string) *Peer {
	p := &Peer{Name: displayName(caps.Meta.Name), Address: remote, Caps: caps, transport: newSocket(l)}
	if p.Name == "" {
		p.Name = remote
	}
	if caps.Socket != nil {
		p.socket = *caps.Socket
	}
	p.freeSetup = p.socket.FreeSetup
	return p
}

// Refuse answers a request with a WebSocket that says why not.
func (a *Acceptor) Refuse(w http.ResponseWriter, r *http.Request, reason string) {
	l, err := a.accept(w, r)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), closeTimeout)
	defer cancel()
	_ = l.write(ctx, htttx.Nope{Reason: reason}.Append(nil))
	l.close(reason)
	_, _ = l.read(ctx) // the peer's goodbye
	l.closeNow()
}

func (a *Acceptor) accept(w http.ResponseWriter, r *http.Request) (wsConn, error) {
	conn, err := a.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return nil, err
	}
	return newAccepted(conn), nil
}

// accepted is a WebSocket of somebody who dialled in.
type acceptedConn struct {
	conn  *websocket.Conn
	pongs chan struct{}
	mu    sync.Mutex // one writes at a time
}

func newAccepted(conn *websocket.Conn) *acceptedConn {
	a := &acceptedConn{conn: conn, pongs: make(chan struct{}, 1)}
	conn.SetPongHandler(func(string) error {
		select {
		case a.pongs <- struct{}{}:
		default:
		}
		return nil
	})
	return a
}

func (a *acceptedConn) read(ctx context.Context) ([]byte, error) {
	defer context.AfterFunc(ctx, a.closeNow)()
	kind, r, err := a.conn.NextReader()
	var data []byte
	if err == nil { // the library's own limit would hang up before we have said why
		data, err = io.ReadAll(io.LimitReader(r, MaxMessage+1))
	}
	var closed *websocket.CloseError
	switch {
	case errors.As(err, &closed):
		return nil, fmt.Errorf("%w (%d)", errHungUp, closed.Code)
	case err != nil:
		return nil, errHungUp
	case kind != websocket.TextMessage:
		return nil, errBinary
	case len(data) > MaxMessage:
		return nil, errTooLong
	}
	return data, nil
}

func (a *acceptedConn) write(ctx context.Context, data []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	until, _ := ctx.Deadline()
	_ = a.conn.SetWriteDeadline(until)
	return a.conn.WriteMessage(websocket.TextMessage, data)
}

func (a *acceptedConn) ping(ctx context.Context) error {
	if err := a.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	select {
	case <-a.pongs:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close says goodbye; the reader hears the answer.
func (a *acceptedConn) close(reason string) {
	text := websocket.FormatCloseMessage(websocket.CloseNormalClosure, reason)
	_ = a.conn.WriteControl(websocket.CloseMessage, text, time.Now().Add(closeTimeout))
}

func (a *acceptedConn) closeNow() { _ = a.conn.Close() }
