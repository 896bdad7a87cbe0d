package hivemaker

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// bot is a bot on its own port. It plays two pieces to the right of all others. If
// hangs is set it never moves; if leaves is set it hangs up after its first move.
type bot struct {
	hangs, leaves bool
	end           chan htttx.End
}

func (b *bot) start(t *testing.T) (hostPort string) {
	b.end = make(chan htttx.End, 16)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/capabilities.json") {
			fmt.Fprint(w, `{"meta":{"name":"righty"},"basic_websocket":{"versions":{"v1-alpha":{}}}}`)
			return
		}
		up := websocket.Upgrader{}
		if c, err := up.Upgrade(w, r, nil); err == nil {
			b.play(c)
		}
	}))
	t.Cleanup(srv.Close)
	return strings.TrimPrefix(srv.URL, "http://")
}

func (b *bot) play(c *websocket.Conn) {
	defer func() { _ = c.Close() }()
	for {
		_, data, err := c.ReadMessage()
		if err != nil {
			return
		}
		p, _ := htttx.ParseFromServer(data)
		switch m := p.(type) {
		case htttx.End:
			b.end <- m
		case htttx.MoveRequest:
			if b.hangs {
				continue
			}
			pieces, _ := htttx.ParseBoard(m.Board)
			q := int32(0)
			for _, p := range pieces {
				q = max(q, p.Q)
			}
			r := htttx.MoveResponse{Move: htttx.MoveOption{Pieces: []htttx.Cell{{Q: q + 2}, {Q: q + 4}}}}
			_ = c.WriteMessage(websocket.TextMessage, r.Append(nil))
			if b.leaves {
				return
			}
		}
	}
}
