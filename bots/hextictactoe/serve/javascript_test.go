package serve

import (
	"bufio"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
)

// startScript starts a bot that an interpreter runs and that says at which port it listens, and returns its address.
func startScript(t *testing.T, interpreter string, arguments ...string) (address string) {
	t.Helper()
	program, err := exec.LookPath(interpreter)
	if err != nil {
		thorough.Lack(t, err)
	}
	cmd := exec.Command(program, arguments...)
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

// startJavaScript starts the bot of the JavaScript kit and returns the address where it listens.
func startJavaScript(t *testing.T) (address string) {
	t.Helper()
	return startScript(t, "node", "../../kits/javascript/hextictactoe.js", "--listen", "0")
}

// The bot of the JavaScript kit beats a weak bot over the HTTTX Bot API, and survives servers that
// break its rules.
func TestJavaScriptKit(t *testing.T) {
	address := startJavaScript(t)
	if status, text := do(t, "GET", "http://"+address+"/", ""); status != http.StatusNotFound {
		t.Errorf("a page: %d %s", status, text)
	}
	const asked = `{"type":"move_request","side":"x","previous":[]}`
	for _, wrong := range []string{
		"", "text", "[]", `{"type":"setup"}`, `{"type":"setup","board":{"cells":[{"q":0.5,"r":0,"p":"x"}]}}`,
		`{"type":"move_request","side":"x","previous":[null]}`, `{"type":"move_request","side":"","previous":[]}`,
		`{"type":"move_request","side":"x","previous":[{"side":"z","pieces":[{"q":0,"r":0}]}]}`, `{"type":"nope","reason":"over"}`,
	} {
		p := dial(t, address)
		p.send(setup, wrong, asked, asked)
		for range 2 { // it hangs up, or ignores the packet and answers the others
			if _, _, err := p.conn.ReadMessage(); err != nil {
				break
			}
		}
	}
	playMatch(t, address)
}

// The bot of the JavaScript kit keeps the board by setup and previous, prefers the board of a request, answers
// pings, and reads messages of any size in any number of frames.
func TestJavaScriptKitReadsBoards(t *testing.T) {
	p := dial(t, startJavaScript(t))
	ponged := ""
	p.conn.SetPongHandler(func(text string) error { ponged = text; return nil })
	if err := p.conn.WriteControl(websocket.PingMessage, []byte("ping"), time.Now().Add(waitLimit)); err != nil {
		t.Fatal(err)
	}
	p.send(setup, `{"type":"heartbeat","waiting":false}`, `{"type":"move_request","side":"o","previous":[],"request_id":7}`)
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
	p.send(string(htttx.MoveRequest{Side: htttx.Circle, Previous: []htttx.Move{first, theirs}}.Append(nil)))
	second := p.moved().Move.Pieces
	padding := strings.Repeat("é", 40_000) // more than 64 KiB, which the client sends in several frames
	p.send(`{"type":"move_request","padding":"` + padding + `","side":"o","previous":[],"board":{"cells":[{"q":0,"r":0,"p":"x"},{"q":9,"r":9,"p":"o"}]}}`)
	for _, c := range append(second, p.moved().Move.Pieces...) {
		if taken[c] {
			t.Errorf("it moves to %v, which is occupied", c)
		}
	}
}
