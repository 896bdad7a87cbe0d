package botapi

//lint:file-ignore SA1019 The module is kept at this path on purpose; its authors mark it deprecated in favour of github.com/coder/websocket, which is the same library. This file is all that would change.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"nhooyr.io/websocket"
)

// dialledConn is a WebSocket that the server has dialled.
type dialledConn struct{ conn *websocket.Conn }

func dialSocket(ctx context.Context, url string, client *http.Client) (wsConn, error) {
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1) // read has its own limit
	return dialledConn{conn}, nil
}

// read reads a message. When ctx ends first, the connection is closed.
func (d dialledConn) read(ctx context.Context) ([]byte, error) {
	kind, r, err := d.conn.Reader(ctx)
	if err != nil {
		return nil, disconnectError(err)
	}
	if kind != websocket.MessageText {
		return nil, errBinary
	}
	data, err := io.ReadAll(io.LimitReader(r, MaxMessage+1))
	switch {
	case err != nil:
		return nil, disconnectError(err)
	case len(data) > MaxMessage:
		return nil, errTooLong
	}
	return data, nil
}

// disconnectError returns the error that describes the end of a connection.
func disconnectError(err error) error {
	var closed websocket.CloseError
	if errors.As(err, &closed) {
		return fmt.Errorf("%w (%d)", errHungUp, closed.Code)
	}
	return errHungUp
}

func (d dialledConn) write(ctx context.Context, data []byte) error {
	return d.conn.Write(ctx, websocket.MessageText, data)
}

func (d dialledConn) ping(ctx context.Context) error { return d.conn.Ping(ctx) }

func (d dialledConn) close(
	reason string,
) {
	_ = d.conn.Close(websocket.StatusNormalClosure, reason)
}

func (d dialledConn) closeNow() { _ = d.conn.CloseNow() }
