package serve

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"github.com/hexarena/hexarena/protocol/htttx"
)

// startPython starts the Python example and returns its address.
func startPython(t *testing.T) (address string) {
	t.Helper()
	return startScript(t, "python3", "../../python/hextictactoe_bot.py", "0")
}

// TestPythonReadsBoard checks that the bot uses the board of a request: Hivemaker's
// server puts only the moves of the other side in previous.
func TestPythonReadsBoard(t *testing.T) {
	p := dial(t, startPython(t))
	p.send(setup, `{"type":"move_request","side":"o","previous":[],"board":{"cells":[{"q":0,"r":0,"p":"x"}]}}`)
	own := p.moved().Move.Pieces
	cells := []htttx.Piece{{Side: htttx.Cross}, {Cell: own[0], Side: htttx.Circle}, {Cell: own[1], Side: htttx.Circle}}
	theirs := []htttx.Cell{{Q: 5, R: 5}, {Q: 6, R: 5}}
	for _, c := range theirs {
		cells = append(cells, htttx.Piece{Cell: c, Side: htttx.Cross})
	}
	p.send(string(htttx.MoveRequest{
		Side: htttx.Circle, Previous: []htttx.Move{{Side: htttx.Cross, Pieces: theirs}}, Board: htttx.AppendBoard(nil, cells),
	}.Append(nil)))
	for _, c := range p.moved().Move.Pieces {
		for _, taken := range cells {
			if c == taken.Cell {
				t.Errorf("it moves to %v, which is occupied", c)
			}
		}
	}
}

// TestPythonExample checks that the Python example beats a weak bot over both protocols.
func TestPythonExample(t *testing.T) {
	address := startPython(t)
	t.Run("basic_websocket", func(t *testing.T) { playMatch(t, address) })
	t.Run("stateless", func(t *testing.T) { playMatch(t, statelessOnly(t, address)) })
	for _, body := range []string{"", "{}", `{"board":{"to_move":"x","cells":7}}`, "[1]"} {
		if status, text := do(t, "POST", "http://"+address+"/stateless/v1-alpha/turn", body); status != http.StatusBadRequest {
			t.Errorf("%q: %d %s", body, status, text)
		}
	}
}

// statelessOnly returns an address at which the bot offers only stateless requests.
func statelessOnly(t *testing.T, address string) string {
	t.Helper()
	bot := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/capabilities.json" {
			fmt.Fprint(w, `{"meta":{"name":"python"},"stateless":{"versions":{"v1-alpha":{}}}}`)
			return
		}
		bot.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return s.Listener.Addr().String()
}
