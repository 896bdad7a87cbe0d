package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/servertest"
)

// FuzzTurn checks that the answer to any body is a move to free cells or an error.
func FuzzTurn(f *testing.F) {
	for _, body := range []string{
		`{"board":{"to_move":"x","cells":` + five + `},"time_limit":5,"request_id":7}`,
		`{"board":{"to_move":"o","cells":[{"q":536870912,"r":-536870912,"p":"x"}]}}`,
		`{"board":{"to_move":"o","cells":[]}}`, `{"board":{"to_move":"x","cells":null}}`,
		`{"board":{"to_move":"x","cells":[{"q":0,"r":0,"p":"x"},{"q":0,"r":0,"p":"o"}]},"time_limit":1e300}`,
		`{`, ``, `[]`,
	} {
		f.Add([]byte(body))
	}
	stopped, cancel := context.WithCancel(f.Context())
	cancel() // the bot answers at once
	var routes []http.Handler
	for _, d := range bots.Describe() {
		b, _ := bots.New(d.Name)
		routes = append(routes, newServer(Options{Bot: b}).routes())
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, h := range routes {
			r := httptest.NewRequestWithContext(stopped, http.MethodPost, "/stateless/v1-alpha/turn",
				strings.NewReader(string(body)))
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if !json.Valid(w.Body.Bytes()) || w.Code != http.StatusOK && w.Code != http.StatusBadRequest {
				t.Fatalf("POST %q: %d %q", body, w.Code, w.Body)
			}
			if w.Code != http.StatusOK {
				continue
			}
			_, pieces, err := htttx.ParseTurnRequest(body)
			if err != nil {
				t.Fatalf("POST %q: cannot parse the answer %s: %v", body, w.Body, err)
			}
			m, err := htttx.ParseTurnResponse(w.Body.Bytes())
			placed := m.Move.Pieces
			if err != nil || len(placed) == 2 && placed[0] == placed[1] || slices.ContainsFunc(pieces, func(p htttx.Piece) bool { return slices.Contains(placed, p.Cell) }) {
				t.Errorf("POST %q: %s, %v", body, w.Body, err)
			}
		}
	})
}

// FuzzSession checks that a session with any packets ends and that its answers can be parsed.
func FuzzSession(f *testing.F) {
	const setup = `{"type":"setup","board":{"cells":` + five + `}}` + "\n"
	for _, packets := range []string{
		setup + `{"type":"move_request","side":"x","previous":[],"request_id":1}`,
		setup + `{"type":"eval_request","side":"o","evaluation_time_limit":1}`,
		setup + `{"type":"move_request","side":"x","previous":[{"side":"o","pieces":[{"q":9,"r":9},{"q":0,"r":0}]}]}` + "\n" + `{"type":"interrupt"}`,
		`{"type":"config","depth":2147483647}` + "\n" + setup + `{"type":"move_request","side":"x","previous":[],"board":{"cells":[]},"move_time_limit":1e9}`,
		`{"type":"setup","board":{"cells":[]}}` + "\n" + `{"type":"move_request","side":"o","previous":[]}`,
		`{"type":"heartbeat","waiting":true}`, `{"type":"end","winner":null,"reason":"draw"}`,
		`{"type":"nope","reason":"\u0000"}`, `{"type":"interrupt","request_id":9}` + "\n" + setup + setup,
		`hello`, "",
	} {
		f.Add(packets)
	}
	random, _ := bots.New("random")
	pipes := servertest.NewPipes()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Run(ctx, pipes, Options{Bot: random}) }()
	f.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			f.Errorf("Run = %v", err)
		}
	})
	dialer := websocket.Dialer{NetDial: pipes.Dial}
	f.Fuzz(func(t *testing.T, text string) {
		c, _, err := dialer.Dial("ws://bot/bws/v1-alpha/game", nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetWriteDeadline(time.Now().Add(waitLimit))
		heard := make(chan error, 1)
		go func() {
			heard <- servertest.HearOut(c, func(packet []byte) error {
				_, err := htttx.ParseFromBot(packet)
				return err
			})
		}()
		for packet := range strings.SplitSeq(text, "\n") {
			if c.WriteMessage(websocket.TextMessage, []byte(packet)) != nil {
				break // the connection is closed
			}
		}
		_ = c.WriteControl(websocket.CloseMessage,
			websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
		if err := <-heard; err != nil {
			t.Errorf("to %q: %v", text, err)
		}
	})
}
