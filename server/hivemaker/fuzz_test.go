package hivemaker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
)

// fuzzed starts a server with one built-in bot and without a network.
func fuzzed(
	f *testing.F, o Options, watchers ...match.Watcher,
) (mux *http.ServeMux, pipes *servertest.Pipes) {
	o.Log = zerolog.Nop()
	o.Builtins, o.Builtin = []string{"first"}, first
	rooms := newHost(f)
	o.Start = func(ctx context.Context, s host.Spec) (*host.Room, error) {
		s.Watchers = append(s.Watchers, watchers...)
		return rooms.Start(ctx, s)
	}
	h := New(o)
	mux, pipes = muxOf(h), servertest.NewPipes()
	server := http.Server{Handler: mux}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(pipes)
	}()
	f.Cleanup(func() {
		h.Close()
		_ = server.Close()
		<-done
	})
	return mux, pipes
}

// lineBot places its pieces on a line. It forfeits if a cell of the line is occupied.
type lineBot struct{ player int }

func first(string, uint64) (netorcai.Bot, error) { return &lineBot{}, nil }

func (b *lineBot) Start(m netorcai.GameStarts) error {
	b.player = m.PlayerID
	return nil
}

func (b *lineBot) Turn(m netorcai.Turn) ([]byte, error) {
	var state struct {
		ToMove string `json:"to_move"`
		Board  struct {
			Cells []json.RawMessage `json:"cells"`
		} `json:"board"`
	}
	if err := json.Unmarshal(m.State, &state); err != nil || state.ToMove != sideNames[b.player] {
		return nil, err
	}
	far := len(state.Board.Cells)
	return fmt.Appendf(nil, `[{"pieces":[{"q":%d,"r":0},{"q":%d,"r":0}]}]`, far, far+1), nil
}

func (b *lineBot) End(netorcai.GameEnds) {}

// No request causes an internal error. A created game has a token for each side that
// connects by itself; a refused request has a reason.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		`{}`, `hello`, `{"player_x":{"type":"built-in","name":"first"}}`,
		`{"player_o":{"type":"human","name":"Ann"},"match_config":{"win_distance":1}}`,
		`{"player_x":{"type":"built-in","name":"first"},"player_o":{"type":"built-in","name":"first"},"match_config":{"turn_limit":4,"clock_type":"incremental","clock":0.2,"clock_increment":0.1}}`,
	} {
		f.Add(
			[]byte(
				"POST /game/new HTTP/1.1\r\nHost: h\r\nContent-Type: application/json; " +
					"charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(body) + chunk(""),
			),
		)
	}
	for _, head := range []string{
		"POST /game/new HTTP/1.1\r\nHost: h\r\nStranger: yes", "GET /game/bots HTTP/1.1\r\nHost: h",
		"GET /ws?token=a&token=%zz HTTP/1.1\r\nHost: h",
		"GET /htttx/session?token= HTTP/1.1\r\nHost: h\r\nConnection: Upgrade",
		"GET /spectate/none HTTP/1.1\r\nHost: h\r\nUpgrade: websocket",
		"GET /spectate/%2f..//a HTTP/1.1\r\nHost: h",
	} {
		f.Add([]byte(head + "\r\n\r\n"))
	}
	mux, _ := fuzzed(f, Options{WaitTime: time.Millisecond})
	f.Fuzz(func(t *testing.T, request []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(request)))
		if err != nil || websocket.IsWebSocketUpgrade(r) { // covered by FuzzPackets
			return
		}
		body, err := io.ReadAll(io.LimitReader(r.Body, 2*maxBody))
		if err != nil {
			return
		}
		asked, err := htttx.ParseNewGame(body)
		if err == nil && asked.Cross.URL != "" && asked.Circle.URL != "" {
			return // both bots would be dialled
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != http.StatusServiceUnavailable {
			t.Errorf("%q is answered with %d %s", request, w.Code, w.Body)
		}
		if r.Method != http.MethodPost || r.URL.Path != "/game/new" ||
			w.Code == http.StatusMovedPermanently || w.Code == http.StatusTemporaryRedirect {
			return
		}
		var answer struct {
			htttx.GameCreated
			Detail string `json:"detail"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%q is answered with %d %s: %v", request, w.Code, w.Body, err)
		}
		made := w.Code == http.StatusOK
		if made != (answer.GameID != "") || made == (answer.Detail != "") || made && (answer.TokenCross != "") == asked.Cross.Bot || made && (answer.TokenCircle != "") == asked.Circle.Bot {
			t.Errorf("%q is answered with %d %s", request, w.Code, w.Body)
		}
	})
}

// chunk is a chunk of a body.
func chunk(text string) string {
	const digits = "0123456789abcdef"
	n := len(text)
	return string([]byte{digits[n>>8], digits[n>>4&15], digits[n&15]}) + "\r\n" + text + "\r\n"
}

// Whatever a client with a token sends, packet by packet, it and the spectators receive
// packets and a close frame, and the game ends.
func FuzzPackets(f *testing.F) {
	const caps = `{"meta":{"name":"b"},"basic_websocket":{"versions":{"v1-alpha":{"request_id":true}}}}` + "\n"
	for _, moves := range []string{
		`{"type":"move_response","move":{"pieces":[{"q":0,"r":3}]}}`,
		`{"type":"move_response","move":{"pieces":[{"q":0,"r":3},{"q":0,"r":4}]},"request_id":1}`,
		`{"type":"move_response","move":{"pieces":[{"q":0,"r":1}]}}` + "\n" + `{"type":"move_response","move":{"pieces":[{"q":0,"r":2}],"evaluation":{"heuristic":1e308,"win_in":-2147483648}}}`,
		"", "\x00{}", `{"type":"heartbeat","waiting":false}`, `{"type":"eval_response","heuristic":0.5}`,
		`hello`, strings.Repeat("{\"type\":\"heartbeat\",\"waiting\":true}\n", 40),
	} {
		f.Add(false, moves)
		f.Add(true, caps+moves)
	}
	ended := make(chan struct{}, 1)
	mux, pipes := fuzzed(f, Options{}, &curtain{newBroadcast(), ended})
	dialer := websocket.Dialer{NetDial: pipes.Dial}
	dial := func(t *testing.T, path string) *websocket.Conn {
		c, _, err := dialer.Dial("ws://hive"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetWriteDeadline(time.Now().Add(20 * time.Second))
		return c
	}
	f.Fuzz(func(t *testing.T, asBot bool, text string) {
		packets := strings.Split(text, "\n")
		if len(packets) > 64 {
			return
		}
		r := httptest.NewRequest(
			http.MethodPost, "/game/new",
			strings.NewReader(
				`{"player_o":{"type":"built-in","name":"first"},"match_config":{"win_distance":4}}`),
		)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		var g htttx.GameCreated
		if err := json.Unmarshal(w.Body.Bytes(), &g); err != nil || g.TokenCross == "" {
			t.Fatalf("POST /game/new: %d %s", w.Code, w.Body)
		}
		seat := "/ws?token="
		if asBot {
			seat = "/htttx/session?token="
		}
		c, looker := dial(t, seat+g.TokenCross), dial(t, "/spectate/"+g.GameID)
		heard := make(chan error, 2)
		for _, conn := range []*websocket.Conn{c, looker} {
			go func() { heard <- servertest.HearOut(conn, understood) }()
		}
		for _, p := range packets {
			kind := websocket.TextMessage
			if strings.HasPrefix(p, "\x00") {
				kind = websocket.BinaryMessage
			}
			if c.WriteMessage(kind, []byte(p)) != nil {
				break // the game is over
			}
		}
		_ = c.WriteControl(websocket.CloseMessage,
			websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
		for range 2 {
			if err := <-heard; err != nil {
				t.Errorf("to %q: %v", text, err)
			}
		}
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			t.Errorf("after %q the game is not over", text)
		}
	})
}

func understood(packet []byte) error {
	_, err := htttx.ParseFromServer(packet)
	return err
}

// curtain is a watcher that signals the end of a game.
type curtain struct {
	*broadcast
	ended chan<- struct{}
}

func (c *curtain) Ended(*match.Ending) { c.ended <- struct{}{} }
