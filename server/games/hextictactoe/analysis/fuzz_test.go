package analysis

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
)

// recited is a judge that answers with the lines of a text, one to each request,
// whatever that is, and hangs up after the last.
type recited struct {
	mu    sync.Mutex // guards the text
	lines []string
}

func (b *recited) next() (line string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.lines) == 0 {
		return "", false
	}
	line, b.lines = b.lines[0], b.lines[1:]
	return line, true
}

func (b *recited) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !websocket.IsWebSocketUpgrade(r) { // the capabilities, or a stateless request
		line, _ := b.next()
		_, _ = w.Write([]byte(line))
		return
	}
	up := websocket.Upgrader{}
	c, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer c.Close()
	for {
		_, data, err := c.ReadMessage()
		if err != nil {
			return
		}
		if p, err := htttx.ParseFromServer(data); err == nil {
			if _, silent := p.(htttx.Setup); silent {
				continue
			}
		}
		line, ok := b.next()
		if !ok || c.WriteMessage(websocket.TextMessage, []byte(line)) != nil {
			return
		}
	}
}

// Whatever a judge declares and says, a report comes of it that can be written,
// and that holds the moves of the game, or an error.
func FuzzJudge(f *testing.F) {
	declared := *everything()
	declared.RequestID, declared.MoveTimeLimit, declared.EvaluationTimeLimit = false, false, false
	can := string(htttx.Capabilities{Socket: &declared}.Append(nil))
	for _, text := range []string{
		can + "\n" + `{"type":"move_response","move":{"pieces":[{"q":3,"r":3},{"q":4,"r":3}]}}` + "\n" + `{"type":"eval_response","evaluation":{"heuristic":0.5,"win_in":-2147483648}}` + "\n" +
			`{"type":"move_response","move":{"pieces":[{"q":3,"r":3},{"q":5,"r":3}],"evaluation":{"heuristic":-1e308}}}` + "\n" + `{"type":"eval_response","evaluation":{"win_in":3}}` + "\n" + `{"type":"eval_response","evaluation":{}}`,
		can + "\n" + `{"type":"heartbeat","waiting":true}` + "\n" + `hello`,
		`{"stateless":{"versions":{"v1-alpha":{}}}}` + "\n" + `{"move":{"pieces":[{"q":9,"r":0},{"q":9,"r":0}],"evaluation":{"heuristic":1}}}` + "\n" + `{"move":{"pieces":[{"q":1000,"r":0},{"q":9,"r":0}]}}`,
		`{"basic_websocket":{"api_root":"x","versions":{"v1-alpha":{"dual_sided":true}}}}`, ``, `[]`,
	} {
		f.Add(text, true)
	}
	b := &recited{}
	srv := httptest.NewServer(b)
	f.Cleanup(srv.Close)
	d := botapi.NewDialer(false, zerolog.Nop())
	f.Cleanup(d.Close)
	g := gameOf(f, sample)
	f.Fuzz(func(t *testing.T, text string, threats bool) {
		lines := strings.Split(text, "\n")
		if c, err := htttx.ParseCapabilities([]byte(lines[0])); err == nil && !within(&c) {
			return // it would be asked elsewhere
		}
		b.mu.Lock()
		b.lines = lines
		b.mu.Unlock()
		r, err := Run(t.Context(), g, Options{
			Dialer: d, Address: srv.URL, Time: 20 * time.Millisecond, Moves: []int{6}, Threats: threats,
			Blunder: 1,
		})
		if r == nil || err != nil {
			return
		}
		if text, err := json.Marshal(r); err != nil {
			t.Fatalf("%+v cannot be written as %s: %v", r, text, err)
		}
		if len(r.Moves) != 1 || r.Moves[0].Number != 6 || !slices.Equal(r.Moves[0].Pieces, g.Moves[5]) {
			t.Fatalf("to %q: %+v", text, r.Moves)
		}
		m := r.Moves[0]
		if m.Loss != nil && !(0 <= *m.Loss && *m.Loss <= 2) {
			t.Errorf("to %q: a loss of %v", text, *m.Loss)
		}
		if m.Preferred != nil {
			var move []htttx.Cell
			for _, c := range m.Preferred {
				move = append(move, htttx.Cell(c))
			}
			if _, legal := g.try(g.line(5), g.side(5), move); !legal {
				t.Errorf("to %q: it prefers %v", text, move)
			}
		}
	})
}

// within reports whether a bot's ways to play lie where its capabilities are.
func within(c *htttx.Capabilities) bool {
	var roots []string
	if c.Socket != nil {
		roots = append(roots, c.Socket.APIRoot)
	}
	if c.Stateless != nil {
		roots = append(roots, c.Stateless.APIRoot)
	}
	return !slices.ContainsFunc(roots, func(root string) bool {
		return strings.ContainsAny(root, `:/\%`) && root != htttx.DefaultSocketRoot &&
			root != htttx.DefaultStatelessRoot
	})
}
