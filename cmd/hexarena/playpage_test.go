//go:build unix && !darwin

package main

import (
	"bufio"
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// fakeBrowser replaces the user's browser by a script that fails or writes the page's
// address to a file. It returns the file's name.
func fakeBrowser(t *testing.T, cmd *exec.Cmd, script string) (shown string) {
	t.Helper()
	dir := t.TempDir()
	shown = filepath.Join(dir, "shown")
	if err := syscall.Mkfifo(shown, 0o600); err != nil {
		t.Fatal(err)
	}
	text := "#!/bin/sh\n" + strings.ReplaceAll(script, "FILE", shown) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(text), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, "PATH="+dir+":"+os.Getenv("PATH"))
	return shown
}

// The page is opened before the match starts, shows all of it and stays open after the
// match, until Ctrl-C.
func TestPlayOpen(t *testing.T) {
	cmd := command(t, "play", "--open", "--http", "127.0.0.1:0", "--turns", "20", "--tps", "100",
		"--record", "")
	shown := fakeBrowser(t, cmd, `echo "$1" > FILE`)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	text := readText(t, shown)
	url := strings.TrimSpace(text)
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(url, "http")+"api/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var kinds []string
	for {
		_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		_, data, err := conn.ReadMessage()
		if err != nil {
			t.Fatalf("after %q: %v", kinds, err)
		}
		kind, _, _ := strings.Cut(strings.TrimPrefix(string(data), `{"type":"`), `"`)
		kinds = append(kinds, kind)
		if kind == "end" {
			break
		}
	}
	if all := strings.Join(kinds, " "); !strings.HasPrefix(all, "lobby ") ||
		strings.Count(all, "turn") != 20 {
		t.Errorf("the page was shown %s, want the lobby first and 20 turns", all)
	}
	ranking := bufio.NewScanner(out)
	for ranking.Scan() && ranking.Text() != "Play it again:" {
	}
	if health := received(t, url+"api/health"); !strings.Contains(string(health), `"phase":"over"`) {
		t.Errorf("after the match: %s", health)
	}
	var said string
	for lines := bufio.NewScanner(stderr); !strings.Contains(said, "the match stays at "+url) &&
		lines.Scan(); {
		said += lines.Text() + "\n"
	}
	if !strings.Contains(said, "watch at "+url) {
		t.Errorf("standard error: %q", said)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for ranking.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after Ctrl-C: %v\n%s", err, said)
	}
	if _, _, err := conn.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("the page is told %v, want that the server stops", err)
	}
}

// If the browser cannot be opened, play prints a message and plays the match.
func TestPlayOpenFails(t *testing.T) {
	cmd := command(t, "play", "--open", "--http", "127.0.0.1:0", "--turns", "2", "--record", "")
	fakeBrowser(t, cmd, "exit 3")
	lines := startLines(t, cmd)
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
		if strings.Contains(lines.Text(), "until Ctrl-C") {
			_ = cmd.Process.Signal(os.Interrupt)
		}
	}
	if all := strings.Join(said, "\n"); !strings.Contains(all, "no browser could be opened (xdg-open: exit status 3)") {
		t.Errorf("standard error: %q", all)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// If the default address is in use, play takes another. If an explicit address is in
// use, play fails.
func TestPlayPageAddressTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:8080")
	if err == nil {
		defer taken.Close()
	} else if !errors.Is(err, syscall.EADDRINUSE) {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
		says string
	}{
		{nil, 0, "watch at http://127.0.0.1:"},
		{[]string{"--http", "127.0.0.1:8080"}, 1, "--http: cannot listen on 127.0.0.1:8080"},
	} {
		cmd := command(t, append([]string{"play", "--turns", "3", "--record", ""}, tt.args...)...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != tt.code ||
			!strings.Contains(stderr.String(), tt.says) {
			t.Errorf("play %v: exit code %d, %q, want %d and %q", tt.args, got, stderr.String(), tt.code,
				tt.says)
		}
		if strings.Contains(stderr.String(), "watch at http://127.0.0.1:8080/") {
			t.Errorf("play %v says %q", tt.args, stderr.String())
		}
	}
}

// If the match waits for a bot of the page, the editor is opened.
func TestPlayOpensTheEditor(t *testing.T) {
	cmd := command(t, "play", "page", "painter", "--open", "--http", "127.0.0.1:0", "--port", "0",
		"--record", "")
	shown := fakeBrowser(t, cmd, `echo "$1" > FILE`)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	url, err := os.ReadFile(shown)
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(url)), "/#edit") {
		t.Errorf("the browser shows %q, %v, want the editor", url, err)
	}
}
