package botapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/machine/wsconn"
)

// Acceptor upgrades requests to WebSockets and returns the peers behind them.
// When a method returns an error, the request has been answered.
type Acceptor struct {
	upgrader websocket.Upgrader
	log      zerolog.Logger
}

// firstFrameTimeout bounds how long a peer that connects may take to send its first frame.
const firstFrameTimeout = 10 * time.Second

// NewAcceptor returns an acceptor. It accepts pages of any origin, because a
// connection is authorized by a token, which no browser adds by itself.
func NewAcceptor(log zerolog.Logger) *Acceptor {
	a := NewLobbyAcceptor(log)
	a.upgrader.CheckOrigin = func(*http.Request) bool { return true }
	return a
}

// NewLobbyAcceptor returns an acceptor of connections that may need no token. It refuses pages of
// other sites, which could otherwise take seats from the browsers of their visitors.
func NewLobbyAcceptor(log zerolog.Logger) *Acceptor {
	return &Acceptor{log: log, upgrader: websocket.Upgrader{HandshakeTimeout: firstFrameTimeout}}
}

// IsUpgrade reports whether a request asks for a WebSocket.
func IsUpgrade(r *http.Request) bool { return websocket.IsWebSocketUpgrade(r) }

// AcceptPerson returns a person who plays with a client.
func (a *Acceptor) AcceptPerson(
	w http.ResponseWriter, r *http.Request, name string,
) (*Peer, error) {
	l, err := a.accept(w, r)
	if err != nil {
		return nil, err
	}
	return &Peer{
		Name: name, Address: r.RemoteAddr, person: true, transport: newSocket(l),
		// other clients may not know the packet and the field
		wantsPresence: r.URL.Query().Has("presence"),
	}, nil
}

// AcceptSitter returns a person whose client has to ask for a seat first, and what it asks.
func (a *Acceptor) AcceptSitter(
	w http.ResponseWriter, r *http.Request, name string,
) (p *Peer, ask htttx.Sit, err error) {
	l, err := a.accept(w, r)
	if err != nil {
		return nil, ask, err
	}
	err = first(l, r, "ask for a seat", func(data []byte) error {
		packet, err := htttx.ParseFromBot(data)
		if err != nil {
			return err
		}
		var asks bool
		if ask, asks = packet.(htttx.Sit); !asks {
			return errNotSit
		}
		p = &Peer{
			Name: name, Address: r.RemoteAddr, person: true, transport: newSocket(l), wantsPresence: true,
		}
		return nil
	})
	return p, ask, err
}

var errNotSit = errors.New(`its type is not "sit"`)

// AcceptViewer returns a spectator, to whom [Peer.Idle] listens.
func (a *Acceptor) AcceptViewer(w http.ResponseWriter, r *http.Request) (*Peer, error) {
	l, err := a.accept(w, r)
	if err != nil {
		return nil, err
	}
	return &Peer{transport: newSocket(l)}, nil
}

// AcceptBot returns a bot, which has to send its capabilities first. It has the name that is the
// parameter name of its address, else that of its capabilities, else the given one: all viewers see
// names, and must not see addresses.
func (a *Acceptor) AcceptBot(
	w http.ResponseWriter, r *http.Request, name string,
) (p *Peer, err error) {
	l, err := a.accept(w, r)
	if err != nil {
		return nil, err
	}
	err = first(l, r, "hold the capabilities", func(data []byte) error {
		caps, err := htttx.ParseCapabilities(data)
		if err == nil {
			p = newDialledIn(l, caps,
				cmp.Or(displayName(r.URL.Query().Get("name")), displayName(caps.Meta.Name), name), r.RemoteAddr)
		}
		return err
	})
	return p, err
}

// first reads the first frame of a connection, which take understands. purpose says what the frame
// has to do, for a peer whose frame does not. After an error, and a panic, the connection is
// closed.
func first(l wsConn, r *http.Request, purpose string, take func(data []byte) error) (err error) {
	taken := false
	defer func() {
		if !taken {
			l.closeNow()
		}
	}()
	ctx, cancel := context.WithTimeout(r.Context(), firstFrameTimeout)
	defer cancel()
	data, err := l.read(ctx)
	if err != nil {
		return err
	}
	if err := take(data); err != nil {
		err = fmt.Errorf("the first frame has to %s: %w", purpose, err)
		_ = l.write(ctx, htttx.Nope{Reason: err.Error()}.Append(nil))
		return err
	}
	taken = true
	return nil
}

// newDialledIn returns the peer of a bot that dialled in. A bot whose capabilities
// declare no transport has chosen this one by dialling in.
func newDialledIn(l wsConn, caps htttx.Capabilities, name, remote string) *Peer {
	p := &Peer{Name: name, Address: remote, Caps: caps, transport: newSocket(l)}
	if caps.Socket != nil {
		p.socket = *caps.Socket
	}
	return p
}

// Refuse answers a request with a WebSocket, over which it sends the reason for the refusal.
func (a *Acceptor) Refuse(w http.ResponseWriter, r *http.Request, reason string) {
	if p, err := a.AcceptViewer(w, r); err == nil {
		p.Refuse(reason)
	}
}

func (a *Acceptor) accept(w http.ResponseWriter, r *http.Request) (wsConn, error) {
	conn, err := a.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return nil, err
	}
	return newAccepted(conn), nil
}

// acceptedConn is a WebSocket that a peer has dialled.
type acceptedConn struct {
	conn  *wsconn.Conn
	pongs chan struct{}
	mu    sync.Mutex // held while writing
}

func newAccepted(conn *websocket.Conn) *acceptedConn {
	a := &acceptedConn{pongs: make(chan struct{}, 1)}
	a.conn = wsconn.New(conn, math.MaxInt, func(pong bool) { // the heartbeat may have any interval
		if pong {
			select {
			case a.pongs <- struct{}{}:
			default:
			}
		}
	})
	return a
}

func (a *acceptedConn) read(ctx context.Context) ([]byte, error) {
	defer context.AfterFunc(ctx, a.closeNow)()
	data, err := a.conn.ReadText(nil, MaxMessage, nil)
	var closed *websocket.CloseError
	switch {
	case err == nil:
		return data, nil
	case err == wsconn.ErrBinary:
		return nil, errBinary
	case err == wsconn.ErrTooLong:
		return nil, errTooLong
	case errors.As(err, &closed):
		return nil, fmt.Errorf("%w (%d)", errHungUp, closed.Code)
	}
	return nil, errHungUp
}

func (a *acceptedConn) write(ctx context.Context, data []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	until, _ := ctx.Deadline()
	_ = a.conn.SetWriteDeadline(until)
	return a.conn.WriteMessage(websocket.TextMessage, data)
}

func (a *acceptedConn) ping(ctx context.Context) error {
	if err := a.conn.Ping(writeTimeout); err != nil {
		return err
	}
	select {
	case <-a.pongs:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close sends a close frame; the reader receives the answer.
func (a *acceptedConn) close(reason string) {
	_ = a.conn.Bye(websocket.CloseNormalClosure, reason)
}

func (a *acceptedConn) closeNow() { _ = a.conn.Close() }
