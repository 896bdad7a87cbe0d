package wsconn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/server/machine/deflate"
)

// dialTime limits the time until a connection to a server is open.
const dialTime = 10 * time.Second

// ErrAnswers is why a server that was reached opens no connection; its answer follows.
var ErrAnswers = errors.New("the server answers")

// Dial opens a connection to a server, compressed if the server can, by way of the proxy that the
// environment names, if any. The server may send any number of control frames; heard is as for
// [New].
func Dial(ctx context.Context, url string, heard func(pong bool)) (*Conn, error) {
	d := websocket.Dialer{
		Proxy: http.ProxyFromEnvironment, HandshakeTimeout: dialTime,
		Subprotocols: []string{deflate.Protocol},
	}
	ws, answer, err := d.DialContext(ctx, url, nil)
	if errors.Is(err, websocket.ErrBadHandshake) {
		return nil, fmt.Errorf("%w %s%s", ErrAnswers, answer.Status, reasonIn(answer.Body))
	}
	if err != nil {
		return nil, err
	}
	return New(ws, maxFromServer, heard), nil
}

// reasonIn returns the reason in the body of an answer that refuses a connection, after a colon;
// empty if it has none.
func reasonIn(body io.Reader) string {
	var refusal struct{ Error string }
	if json.NewDecoder(body).Decode(&refusal) != nil || refusal.Error == "" {
		return ""
	}
	return ": " + strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return -1
		}
		return c
	}, refusal.Error)
}

// maxFromServer is the limit of control frames from a server. A server is trusted, so it is
// unbounded.
const maxFromServer = int(^uint(0) >> 1)
