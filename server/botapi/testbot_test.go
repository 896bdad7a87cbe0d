package botapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// testBot is a bot for tests: the capabilities that it declares, and how it handles
// a connection or a stateless request. It records every packet that it receives.
type testBot struct {
	caps      string
	redirect  string                                       // redirect target of capabilities.json
	serveCaps http.HandlerFunc                             // replaces caps
	play      func(b *testBot, c *websocket.Conn)          // nil: legal moves
	turn      func(w http.ResponseWriter, r *http.Request) // nil: legal moves

	mu     sync.Mutex
	notes  []string
	closed chan struct{} // closed when a connection has ended
	once   sync.Once
}

const baseCaps = `{"meta":{"name":"base"},"basic_websocket":{"versions":{"v1-alpha":{}}}}`

// start starts the bot's server and returns its address.
func (b *testBot) start(t *testing.T) string {
	b.closed = make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(b.serve))
	t.Cleanup(srv.Close)
	return srv.URL
}

func (b *testBot) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/game"):
		b.game(w, r)
	case strings.HasSuffix(r.URL.Path, "/turn"):
		b.note("path " + r.URL.Path)
		if b.turn != nil {
			b.turn(w, r)
			return
		}
		b.answerTurn(w, r)
	case b.redirect != "" && !strings.HasPrefix(r.URL.Path, b.redirect):
		http.Redirect(w, r, b.redirect, http.StatusFound)
	case b.serveCaps != nil:
		b.serveCaps(w, r)
	default:
		fmt.Fprint(w, b.caps)
	}
}

func (b *testBot) game(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{}
	c, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer b.once.Do(func() { close(b.closed) })
	defer func() { _ = c.Close() }()
	b.note("path " + r.URL.Path)
	if b.play != nil {
		b.play(b, c)
		return
	}
	b.playWell(c)
}

func (b *testBot) note(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes = append(b.notes, line)
}

// noted returns the recorded lines that begin with prefix.
func (b *testBot) noted(prefix string) (lines []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, line := range b.notes {
		if strings.HasPrefix(line, prefix) {
			lines = append(lines, line)
		}
	}
	return lines
}

// nextRequest returns the next request for a move; ok is false when the connection
// has ended.
func (b *testBot) nextRequest(c *websocket.Conn) (m htttx.MoveRequest, ok bool) {
	for {
		_, data, err := c.ReadMessage()
		if err != nil {
			return m, false
		}
		b.note(string(data))
		p, err := htttx.ParseFromServer(data)
		if err != nil {
			b.note("malformed: " + err.Error())
			return m, false
		}
		if m, ok = p.(htttx.MoveRequest); ok {
			return m, true
		}
	}
}

// playWell plays legal moves to the end.
func (b *testBot) playWell(c *websocket.Conn) {
	for m, ok := b.nextRequest(c); ok; m, ok = b.nextRequest(c) {
		sendText(c, goodMove(m.Board, m.RequestID).Append(nil))
	}
}

func sendText(c *websocket.Conn, data []byte) { _ = c.WriteMessage(websocket.TextMessage, data) }

func (b *testBot) answerTurn(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(r.Body)
	if err != nil {
		return
	}
	b.note(string(body))
	m, pieces, err := htttx.ParseTurnRequest(body)
	if err != nil {
		b.note("malformed: " + err.Error())
		return
	}
	_, _ = w.Write(htttx.AppendTurnResponse(nil, goodMove(htttx.AppendBoard(nil, pieces), m.RequestID)))
}

// goodMove returns a legal move that does not soon win: the first two free cells in
// a scattered order.
func goodMove(board []byte, id *int64) htttx.MoveResponse {
	pieces, err := htttx.ParseBoard(board)
	if err != nil {
		panic(err)
	}
	var cells []htttx.Cell
	for i := int32(1); len(cells) < 2; i++ {
		c := htttx.Cell{Q: i % 7 * 2, R: i / 7 * 2}
		if !slices.ContainsFunc(pieces, func(p htttx.Piece) bool { return p.Cell == c }) {
			cells = append(cells, c)
		}
	}
	return htttx.MoveResponse{
		Move:      htttx.MoveOption{Pieces: cells, Evaluation: &htttx.Evaluation{Heuristic: new(0.25)}},
		RequestID: id,
	}
}

// waitClosed waits until the bot's connection has ended.
func (b *testBot) waitClosed(t *testing.T) {
	t.Helper()
	select {
	case <-b.closed:
	case <-time.After(20 * time.Second):
		t.Error("the bot's connection is still open")
	}
}
