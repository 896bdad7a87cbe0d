package serve

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
)

// eachKit calls a test with the address of each kit's bot, which listens.
func eachKit(t *testing.T, test func(t *testing.T, address string)) {
	t.Helper()
	thorough.Long(t)
	for _, k := range kits.With("hextictactoe") {
		t.Run(k.Folder, func(t *testing.T) { test(t, startKit(t, k)) })
	}
}

// startKit starts a kit's bot of hexagonal tic-tac-toe and returns the address where it listens.
func startKit(t *testing.T, k *kits.Kit) (address string) {
	t.Helper()
	tool := k.Tool()
	if tool == "" {
		thorough.Lack(t, k.Advice)
	}
	cmd := exec.Command(tool, filepath.Join("../../kits", k.Folder, k.Starters["hextictactoe"]),
		"--listen", "0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var port int
	if _, err := fmt.Sscanf(line, "waiting on port %d", &port); err != nil {
		t.Fatalf("the output is %q", line)
	}
	return fmt.Sprintf("127.0.0.1:%d", port)
}

// The kits' bots beat a weak bot over both protocols.
func TestKitsPlay(t *testing.T) {
	t.Parallel()
	eachKit(t, func(t *testing.T, address string) {
		t.Run("basic_websocket", func(t *testing.T) { playMatch(t, address) })
		t.Run("stateless", func(t *testing.T) { playMatch(t, statelessOnly(t, address)) })
	})
}

// statelessOnly returns an address at which the bot offers only stateless requests.
func statelessOnly(t *testing.T, address string) string {
	t.Helper()
	bot := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/capabilities.json" {
			fmt.Fprint(w,
				`{"meta":{"name":"kit"},"stateless":{"versions":{"v1-alpha":{"move_time_limit":true}}}}`)
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

// offer sends packets to a bot that may hang up before it has them all.
func (p *peer) offer(packets ...string) {
	for _, text := range packets {
		if p.conn.WriteMessage(websocket.TextMessage, []byte(text)) != nil {
			return
		}
	}
}

// A wrong request is answered or ends its connection, and the bots play on.
func TestKitsRefuse(t *testing.T) {
	eachKit(t, func(t *testing.T, address string) {
		if status, text := do(t, "GET", "http://"+address+"/", ""); status != http.StatusNotFound {
			t.Errorf("a page: %d %s", status, text)
		}
		for _, body := range []string{
			"", "{}", "[1]", strings.Repeat("[", 100_000), `{"board":{"to_move":"x","cells":7}}`,
			`{"board":{"to_move":"x","cells":[{"q":0.5,"r":0,"p":"x"}]}}`,
			`{"board":{"to_move":"z","cells":[{"q":0,"r":0,"p":"x"}]}}`,
		} {
			if status, text := do(t, "POST", "http://"+address+"/stateless/v1-alpha/turn", body); status != http.StatusBadRequest {
				t.Errorf("%.80q: %d %s", body, status, text)
			}
		}
		const asked = `{"type":"move_request","side":"x","previous":[]}`
		for _, wrong := range []string{
			"", "text", "[]", `{"type":"setup"}`,
			`{"type":"setup","board":{"cells":[{"q":0.5,"r":0,"p":"x"}]}}`,
			`{"type":"setup","board":{"cells":[{"q":[],"r":0,"p":"x"}]}}`,
			`{"type":"move_request","side":"x","previous":7}`,
			`{"type":"move_request","side":"x","previous":[null]}`,
			`{"type":"move_request","side":"","previous":[]}`,
			`{"type":"move_request","side":"x","previous":[{"side":"z","pieces":[{"q":0,"r":0}]}]}`,
			`{"type":"nope","reason":"over"}`,
		} {
			p := dial(t, address)
			p.offer(setup, wrong, asked, asked)
			for range 2 { // it hangs up, or ignores the packet and answers the others
				if _, _, err := p.conn.ReadMessage(); err != nil {
					break
				}
			}
		}
		dial(t, address).offer(`{"type":"setup","padding":"` + strings.Repeat("x", 1<<20) + `"}`)
		p := dial(t, address)
		p.send(setup, `{"type":"move_request","side":"o","previous":[]}`)
		p.moved()
	})
}

// The kits' bots keep the board by setup and previous, prefer the board of a request, answer pings,
// and read messages of any size in any number of frames.
func TestKitsReadBoards(t *testing.T) {
	eachKit(t, func(t *testing.T, address string) {
		p := dial(t, address)
		ponged := ""
		p.conn.SetPongHandler(func(text string) error { ponged = text; return nil })
		if err := p.conn.WriteControl(websocket.PingMessage, []byte("ping"), time.Now().Add(waitLimit)); err != nil {
			t.Fatal(err)
		}
		p.send(setup, `{"type":"heartbeat","waiting":false}`,
			`{"type":"move_request","side":"o","previous":[],"request_id":7}`)
		own := p.moved()
		if own.RequestID == nil || *own.RequestID != 7 {
			t.Errorf("the answer has the request_id %v, want 7", own.RequestID)
		}
		if ponged != "ping" {
			t.Errorf("the answer to a ping is %q", ponged)
		}
		first := htttx.Move{Side: htttx.Circle, Pieces: own.Move.Pieces}
		theirs := htttx.Move{Side: htttx.Cross, Pieces: []htttx.Cell{{Q: 5, R: 5}, {Q: 6, R: 5}}}
		taken := map[htttx.Cell]bool{{}: true}
		for _, m := range []htttx.Move{first, theirs} {
			for _, c := range m.Pieces {
				taken[c] = true
			}
		}
		p.send(
			string(htttx.MoveRequest{Side: htttx.Circle, Previous: []htttx.Move{first, theirs}}.Append(nil)))
		second := p.moved().Move.Pieces
		// Hivemaker's server puts only the moves of the other side in previous, and the whole board
		// beside it. The text is more than 64 KiB, which the client sends in several frames.
		board := []htttx.Piece{
			{Side: htttx.Cross},
			{Cell: htttx.Cell{Q: -4}, Side: htttx.Cross},
			{Cell: htttx.Cell{Q: -5}, Side: htttx.Cross},
		}
		for _, m := range []htttx.Move{first, theirs, {Side: htttx.Circle, Pieces: second}} {
			for _, c := range m.Pieces {
				board = append(board, htttx.Piece{Cell: c, Side: m.Side})
			}
		}
		padding := strings.Repeat("é", 40_000)
		request := string(
			htttx.MoveRequest{Side: htttx.Circle, Board: htttx.AppendBoard(nil, board)}.Append(nil))
		p.send(`{"padding":"` + padding + `",` + strings.TrimPrefix(request, "{"))
		third := p.moved().Move.Pieces
		for _, c := range second {
			if taken[c] {
				t.Errorf("it moves to %v, which is occupied", c)
			}
		}
		for _, c := range third {
			if slices.ContainsFunc(board, func(p htttx.Piece) bool { return p.Cell == c }) {
				t.Errorf("with the board, it moves to %v, which is occupied", c)
			}
		}
	})
}

// A server that says that it waits although it has asked for nothing is left.
func TestKitsLeave(t *testing.T) {
	thorough.Full(t)
	eachKit(t, func(t *testing.T, address string) {
		p := dial(t, address)
		p.send(setup)
		left := make(chan struct{})
		go func() {
			defer close(left)
			_, _, _ = p.conn.ReadMessage() // the end of the connection
		}()
		// a packet that is read soon after the setup may be older
		for again := time.NewTicker(100 * time.Millisecond); ; {
			select {
			case <-left:
				again.Stop()
				return
			case <-again.C:
				_ = p.conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"heartbeat","waiting":true}`))
			}
		}
	})
}
