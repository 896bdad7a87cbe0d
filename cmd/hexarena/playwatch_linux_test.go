package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// With --watch on a terminal, the ranking replaces the board, and the next match shows
// the board again. Ctrl-C ends play while it waits.
func TestPlayWatchOnTerminal(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	near, far := openTerminal(t, 100, 40)
	cmd := command(t, "play", "./bot", "painter", "--port", "0", "--watch", "--turns", "160", "--tps",
		"40", "--http", "")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = far, far, far
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	bot := &pageRun{Cmd: cmd, t: t}
	bot.writeBot("first")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	var shown strings.Builder
	seen := 0 // length of the output that was checked
	sees := func(text string) {
		t.Helper()
		buf := make([]byte, 64<<10)
		for deadline := time.Now().Add(30 * time.Second); ; {
			if i := strings.Index(shown.String()[seen:], text); i >= 0 {
				seen += i + len(text)
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("the terminal does not show %q, but %q", text, shown.String()[seen:])
			}
			_ = near.SetReadDeadline(time.Now().Add(time.Second))
			n, _ := near.Read(buf)
			shown.Write(buf[:n])
		}
	}
	const board, boardGone = "\x1b[?1049h", "\x1b[?1049l"
	sees(board)
	sees("hexabomb on lagoon") // the match has begun: one that has not leaves no recording
	bot.writeBot("second")
	sees(boardGone)
	sees("bot has changed: playing again")
	sees(board)
	sees("waiting for a bot's file to change")
	if !strings.Contains(shown.String(), "Play it again:") {
		t.Error("no ranking is shown")
	}
	if _, err := near.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after Ctrl-C: %v", err)
	}
	if files, _ := filepath.Glob(filepath.Join(cmd.Dir, "recordings", "*.hexarena")); len(files) != 2 {
		t.Errorf("recordings %q, want 2", files)
	}
}
