//go:build unix && !darwin

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/play"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// pageRun is a run of play with one page that stays open.
type pageRun struct {
	*exec.Cmd
	t      *testing.T
	url    string
	conn   *websocket.Conn
	output chan string // lines of both outputs
	said   []string
}

// playOn starts play with a bot that is a script in its folder, and opens the page.
func playOn(t *testing.T, args ...string) *pageRun {
	t.Helper()
	p := onPage(t, append([]string{"./bot", "painter", "--port", "0"}, args...)...)
	p.writeBot("first")
	p.open()
	return p
}

// onPage returns a run of play that has not been started.
func onPage(t *testing.T, args ...string) *pageRun {
	t.Helper()
	return &pageRun{
		Cmd: command(t, append([]string{"play", "--http", "127.0.0.1:0"}, args...)...), t: t,
	}
}

// open starts play and opens the page.
func (p *pageRun) open() {
	t := p.t
	t.Helper()
	r, w := io.Pipe()
	p.Stdout, p.Stderr = w, w
	p.output = make(chan string, 1000)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	go func() {
		defer close(p.output)
		for lines := bufio.NewScanner(r); lines.Scan(); {
			p.output <- lines.Text()
		}
	}()
	go func() { _ = w.CloseWithError(errors.Join(p.Wait(), io.EOF)) }()
	p.url = strings.TrimPrefix(p.waitLine("watch at "), "watch at ")
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(p.url, "http")+"api/live",
		nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	p.conn = conn
}

// writeBot replaces the bot's script, in two steps as an editor might. The bot appends
// the ids of its processes to the file pids.
func (p *pageRun) writeBot(what string) {
	p.t.Helper()
	text := "#!/bin/sh\n# " + what + "\necho $$ >> pids\nexec '" + p.Path + "' play-test-bot play -1\n"
	f, err := os.OpenFile(filepath.Join(p.Dir, "bot"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o700) //nolint:gosec // it is run
	if err != nil {
		p.t.Fatal(err)
	}
	for _, part := range []string{text[:len(text)/2], text[len(text)/2:]} {
		if _, err := f.WriteString(part); err != nil {
			p.t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		p.t.Fatal(err)
	}
}

// waitLine waits for a line that contains text.
func (p *pageRun) waitLine(text string) string {
	p.t.Helper()
	for deadline := time.After(30 * time.Second); ; {
		select {
		case line, ok := <-p.output:
			if !ok {
				p.t.Fatalf("play ended without %q; its output is\n%s", text, strings.Join(p.said, "\n"))
			}
			if p.said = append(p.said, line); strings.Contains(line, text) {
				return line
			}
		case <-deadline:
			p.t.Fatalf("no output %q in\n%s", text, strings.Join(p.said, "\n"))
		}
	}
}

// waitEvent reads events of the open page up to one of the type kind.
func (p *pageRun) waitEvent(kind string) (event struct{ Type, ID, Error string }) {
	p.t.Helper()
	for {
		_ = p.conn.SetReadDeadline(time.Now().Add(30 * time.Second))
		_, data, err := p.conn.ReadMessage()
		if err != nil {
			p.t.Fatalf("the page waits for %s: %v", kind, err)
		}
		event.Error = ""
		if err := json.Unmarshal(data, &event); err != nil {
			p.t.Fatal(err)
		}
		if event.Type == kind {
			return event
		}
	}
}

func (p *pageRun) playAgain() (status int) {
	p.t.Helper()
	answer, err := http.Post(p.url+"api/match/again", "", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// stop stops play as by Ctrl-C, and checks that no process of the bot is left.
func (p *pageRun) stop() {
	p.t.Helper()
	p.interrupt()
	p.expectNoProcesses()
}

// interrupt stops play as by Ctrl-C.
func (p *pageRun) interrupt() {
	p.t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		p.t.Fatal(err)
	}
	for deadline := time.After(30 * time.Second); p.output != nil; {
		select {
		case line, ok := <-p.output:
			if p.said = append(p.said, line); !ok {
				p.output = nil
			}
		case <-deadline:
			p.t.Fatal("play does not end")
		}
	}
}

// expectNoProcesses checks that no process of the bot is running.
func (p *pageRun) expectNoProcesses() {
	p.t.Helper()
	pids, err := os.ReadFile(filepath.Join(p.Dir, "pids"))
	if err != nil {
		p.t.Fatal(err)
	}
	for text := range strings.FieldsSeq(string(pids)) {
		pid, err := strconv.Atoi(text)
		if err != nil {
			p.t.Fatal(err)
		}
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			p.t.Errorf("the bot's process %d is left: %v", pid, err)
		}
	}
}

func (p *pageRun) rankings() (n int) {
	for _, line := range p.said {
		if strings.HasPrefix(line, "hexabomb/") {
			n++
		}
	}
	return n
}

// recordings returns the number of recordings, and of those that are complete.
func (p *pageRun) recordings() (whole, all int) {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.Dir, "recordings", "*.hexarena"))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, file := range files {
		verify := command(p.t, "replay", "verify", file)
		if out, err := verify.CombinedOutput(); err != nil {
			p.t.Errorf("verify: %v\n%s", err, out)
		}
		show := command(p.t, "replay", "show", file)
		out, err := show.CombinedOutput()
		if err != nil {
			p.t.Errorf("show: %v\n%s", err, out)
		}
		if !strings.Contains(string(out), play.ErrChanged.Error()) {
			whole++
		}
	}
	return whole, len(files)
}

// Play again at the page starts another match of the same seats, with its own ranking,
// recording and seed.
func TestPlayAgainOnOnePage(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	p := playOn(t, "--open", "--turns", "15", "--tps", "0")
	shown := map[string]bool{}
	for range 3 {
		shown[p.waitEvent("start").ID] = true
		p.waitLine("Recorded in ")
		p.waitLine("until Ctrl-C")
		p.waitEvent("end")
		if status := p.playAgain(); status != http.StatusOK {
			t.Fatalf("play again: %d", status)
		}
		p.waitLine("playing again")
	}
	p.waitEvent("end")
	p.waitLine("until Ctrl-C")
	p.stop()
	if whole, all := p.recordings(); len(shown) != 3 || p.rankings() != 4 || whole != 4 || all != 4 {
		t.Errorf("the page showed %d other matches, the terminal %d rankings, and %d of %d recordings "+
			"are whole; want 3, 4, 4 of 4:\n%s",
			len(shown), p.rankings(), whole, all, strings.Join(p.said, "\n"))
	}
	if code := p.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A given seed is kept from match to match, so that a changed bot meets the same
// scenario.
func TestPlayAgainKeepsTheSeed(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	p := playOn(t, "--open", "--watch", "--turns", "5", "--tps", "0", "--seed", "5", "--order",
		"seeded")
	p.waitLine("turns, seed 5: ")
	p.waitLine("until Ctrl-C")
	p.waitEvent("end")
	if status := p.playAgain(); status != http.StatusOK {
		t.Fatalf("play again: %d", status)
	}
	p.waitLine("turns, seed 5: ")
	p.waitLine("waiting for a bot's file to change")
	p.writeBot("second")
	p.waitLine("turns, seed 5: ")
	p.stop()
}

// A bot's file is replaced during a match and after one.
func TestPlayWatch(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	p := playOn(t, "--watch", "--turns", "160", "--tps", "40")
	first := p.waitEvent("start").ID
	p.waitEvent("turn")
	if status := p.playAgain(); status != http.StatusConflict {
		t.Errorf("play again during a match: %d, want 409", status)
	}
	p.writeBot("second")
	if end := p.waitEvent("end"); end.Error != play.ErrChanged.Error() {
		t.Errorf("the first match ends with %q, want %q", end.Error, play.ErrChanged)
	}
	second := p.waitEvent("start").ID
	p.waitLine("bot has changed: playing again")
	if n := p.rankings(); n != 0 {
		t.Errorf("%d rankings of a match that was aborted", n)
	}
	if end := p.waitEvent("end"); end.Error != "" {
		t.Errorf("the second match ends with %q", end.Error)
	}
	p.waitLine("waiting for a bot's file to change")
	p.writeBot("third one")
	third := p.waitEvent("start").ID
	if first == second || second == third {
		t.Errorf("the matches are %s, %s, %s", first, second, third)
	}
	p.waitEvent("turn")
	p.stop()
	if whole, all := p.recordings(); all != 3 || whole != 2 || p.rankings() != 2 {
		t.Errorf("%d of %d recordings are whole, %d rankings; want 2 of 3, 2 (the last was "+
			"interrupted):\n%s",
			whole, all, p.rankings(), strings.Join(p.said, "\n"))
	}
}

func TestPlayWatchNeedsAFile(t *testing.T) {
	cmd := command(t, "play", "painter", "random", "--watch")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "(flag --watch): none of these bots is a file") {
		t.Errorf("%v: %s", err, out)
	}
}
