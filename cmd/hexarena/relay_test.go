package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// liveText reads the events that a page's viewers get, up to the first that contains a text. Numbers of viewers do not count.
func liveText(t *testing.T, conn *websocket.Conn, wanted string) (all string) {
	t.Helper()
	for {
		_ = conn.SetReadDeadline(time.Now().Add(hangs))
		_, text, err := conn.ReadMessage()
		if err != nil {
			t.Fatalf("before %s: %v", wanted, err)
		}
		if found := strings.Contains(string(text), wanted); found || !strings.HasPrefix(string(text), `{"type":"viewers"`) {
			all += string(text) + "\n"
			if found {
				return all
			}
		}
	}
}

func watchLive(t *testing.T, page, query string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(page, "http")+"api/live"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// startRelay starts hexarena relay and returns the address of its page.
func startRelay(t *testing.T, url string, args ...string) (p *process, page string) {
	t.Helper()
	p = start(t, command(t, append([]string{"relay", url, "--http", "127.0.0.1:0", "--json-logs"}, args...)...))
	var line struct{ Msg, Page string }
	if err := json.Unmarshal([]byte(p.nextLine()), &line); err != nil || line.Msg != "Relaying" {
		t.Fatalf("the first line is %+v, %v", line, err)
	}
	return p, line.Page
}

// A relay, and a relay of it, show what their server shows, byte for byte. When the server is killed viewers are told, and when it has been
// started again they see its next match.
func TestRelay(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	port, page := strconv.Itoa(freePort(t)), fmt.Sprintf("http://127.0.0.1:%d/", freePort(t))
	serve := func() *process {
		return start(t, command(t, "serve", "--bind", "127.0.0.1", "--port", port, "--http", strings.Trim(strings.TrimPrefix(page, "http://"), "/"),
			"--seats", "painter painter painter painter", "--visualizations", "0", "--autostart", "--tps", "20", "--turns", "70", "--matches", "endless"))
	}
	server := serve()
	server.waitLine("Listening incoming connections")
	near, nearPage := startRelay(t, page)
	_, farPage := startRelay(t, nearPage)
	near.waitLine("Subscribed")
	early := watchLive(t, farPage, "")
	id := strings.Split(liveText(t, early, `"type":"start"`), `"id":"`)[1][:12]
	seen := liveText(t, early, `"type":"end"`)
	want := liveText(t, watchLive(t, page, "?match="+id), `"type":"end"`)
	for _, page := range []string{nearPage, farPage} {
		if got := liveText(t, watchLive(t, page, "?match="+id), `"type":"end"`); got != want {
			t.Errorf("a late viewer of a relay gets %d bytes, want %d, the same", len(got), len(want))
		}
	}
	for _, line := range strings.SplitAfter(seen, "\n") {
		// On a machine that does much else, a viewer may have skipped to a whole state.
		if !strings.Contains(want, line) && !strings.Contains(line, `,"state":{`) {
			t.Errorf("an early viewer gets %.300s, which late ones do not get; they end with %.300s", line, want[strings.LastIndex(want, `{"type":`):])
		}
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	liveText(t, early, `"away":true`)
	serve().waitLine("Listening incoming connections")
	if next := liveText(t, early, `"type":"start"`); strings.Contains(next, id) {
		t.Errorf("after the server was started again, viewers get the match of before: %.300s", next)
	}
	if err := near.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	near.expectExit(0)
}

// A relay of a server with tokens needs one, and says so.
func TestRelayNeedsToken(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir := t.TempDir()
	tokens := dir + "/tokens.txt"
	if err := os.WriteFile(tokens, []byte("visualization aaaaaaaaaaaaaaaaaaaaaaaaaa\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	page := fmt.Sprintf("http://127.0.0.1:%d/", freePort(t))
	start(t, command(t, "serve", "--bind", "127.0.0.1", "--port", strconv.Itoa(freePort(t)), "--tokens", tokens, "--http", strings.Trim(strings.TrimPrefix(page, "http://"), "/"))).
		waitLine("Listening incoming connections")
	p, _ := startRelay(t, page)
	p.waitLine("needs the token of a visualization")
	p, own := startRelay(t, page+"#token=aaaaaaaaaaaaaaaaaaaaaaaaaa")
	p.waitLine("Subscribed")
	answer, err := http.Post(own+"api/match/start", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("starting the match through the relay: %s", answer.Status)
	}
}

func TestRelayUsage(t *testing.T) {
	for _, args := range [][]string{
		{"relay"},
		{"relay", "ftp://example.org"},
		{"relay", "http://example.org", "--max-page-connections", "0"},
		{"relay", "http://example.org", "--match-memory", "-1"},
		{"relay", "http://example.org", "--tls-cert", "x"},
		{"relay", "http://example.org", "--http", "nowhere"},
	} {
		if code := run(append([]string{"hexarena"}, args...), strings.NewReader(""), new(strings.Builder), new(strings.Builder)); code != exitUsage {
			t.Errorf("%v: exit code %d, want %d", args, code, exitUsage)
		}
	}
}
