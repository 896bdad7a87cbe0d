package wsconn

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/internal/deflate"
)

// dialTime limits the time until a connection to a server is open.
const dialTime = 10 * time.Second

// Dial opens a connection to a server, compressed if the server can, by way of the proxy that the
// environment names, if any. The server may send any number of control frames; heard is as for [New].
func Dial(ctx context.Context, url string, heard func(pong bool)) (*Conn, error) {
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: dialTime, Subprotocols: []string{deflate.Protocol}}
	ws, answer, err := dialer.DialContext(ctx, url, nil)
	if errors.Is(err, websocket.ErrBadHandshake) {
		return nil, fmt.Errorf("the server answers %s", answer.Status)
	}
	if err != nil {
		return nil, err
	}
	return New(ws, maxFromServer, heard), nil
}

// maxFromServer is the limit of control frames from a server. A server is trusted, so it is unbounded.
const maxFromServer = int(^uint(0) >> 1)
