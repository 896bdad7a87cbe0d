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
)

// onePage is a run of play with one page that stays open.
type onePage struct {
	*exec.Cmd
	t    *testing.T
	url  string
	conn *websocket.Conn
	told chan string // lines of both outputs
	said []string
}

// playOn starts play with a bot that is a script in its folder, and opens the
// page.
func playOn(t *testing.T, args ...string) *onePage {
	t.Helper()
	p := onPage(t, append([]string{"./bot", "painter", "--port", "0"}, args...)...)
	p.writeBot("first")
	p.opens()
	return p
}

// onPage is a run of play that has not begun.
func onPage(t *testing.T, args ...string) *onePage {
	t.Helper()
	return &onePage{Cmd: command(t, append([]string{"play", "--http", "127.0.0.1:0"}, args...)...), t: t}
}

// opens starts it and opens the page.
func (p *onePage) opens() {
	t := p.t
	t.Helper()
	r, w := io.Pipe()
	p.Stdout, p.Stderr = w, w
	p.told = make(chan string, 1000)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	go func() {
		defer close(p.told)
		for lines := bufio.NewScanner(r); lines.Scan(); {
			p.told <- lines.Text()
		}
	}()
	go func() { _ = w.CloseWithError(errors.Join(p.Wait(), io.EOF)) }()
	p.url = strings.TrimPrefix(p.hears("watch at "), "watch at ")
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(p.url, "http")+"api/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	p.conn = conn
}

// writeBot makes the bot another one, in two steps as an editor might. It notes
// its processes in the file pids.
func (p *onePage) writeBot(what string) {
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

// hears waits for a line with a text.
func (p *onePage) hears(text string) string {
	p.t.Helper()
	for deadline := time.After(30 * time.Second); ; {
		select {
		case line, ok := <-p.told:
			if !ok {
				p.t.Fatalf("it ends without %q; it said\n%s", text, strings.Join(p.said, "\n"))
			}
			if p.said = append(p.said, line); strings.Contains(line, text) {
				return line
			}
		case <-deadline:
			p.t.Fatalf("it does not say %q, but\n%s", text, strings.Join(p.said, "\n"))
		}
	}
}

// sees reads events of the open page up to one of a type.
func (p *onePage) sees(kind string) (event struct{ Type, ID, Error string }) {
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

func (p *onePage) again() (status int) {
	p.t.Helper()
	answer, err := http.Post(p.url+"api/match/again", "", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// stops has it end as by Ctrl-C, and looks whether anything is left of it.
func (p *onePage) stops() {
	p.t.Helper()
	p.interrupt()
	p.leavesNothing()
}

// interrupt has it end as by Ctrl-C.
func (p *onePage) interrupt() {
	p.t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		p.t.Fatal(err)
	}
	for deadline := time.After(30 * time.Second); p.told != nil; {
		select {
		case line, ok := <-p.told:
			if p.said = append(p.said, line); !ok {
				p.told = nil
			}
		case <-deadline:
			p.t.Fatal("it does not end")
		}
	}
}

// leavesNothing looks whether any of its bot's processes is there.
func (p *onePage) leavesNothing() {
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

func (p *onePage) rankings() (n int) {
	for _, line := range p.said {
		if strings.HasPrefix(line, "hexabomb/") {
			n++
		}
	}
	return n
}

// recordings are how many files there are, of which so many were played to the
// end.
func (p *onePage) recordings() (whole, all int) {
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
		if !strings.Contains(string(out), errChanged.Error()) {
			whole++
		}
	}
	return whole, len(files)
}

// Play again at the page: other matches of the same seats, each with a ranking,
// a recording and a seed of its own.
func TestPlayAgainOnOnePage(t *testing.T) {
	t.Parallel()
	p := playOn(t, "--open", "--turns", "15", "--tps", "0")
	shown := map[string]bool{}
	for range 3 {
		shown[p.sees("start").ID] = true
		p.hears("Recorded in ")
		p.hears("until Ctrl-C")
		p.sees("end")
		if status := p.again(); status != http.StatusOK {
			t.Fatalf("play again: %d", status)
		}
		p.hears("playing again")
	}
	p.sees("end")
	p.hears("until Ctrl-C")
	p.stops()
	if whole, all := p.recordings(); len(shown) != 3 || p.rankings() != 4 || whole != 4 || all != 4 {
		t.Errorf("the page showed %d other matches, the terminal %d rankings, and %d of %d recordings are whole; want 3, 4, 4 of 4:\n%s",
			len(shown), p.rankings(), whole, all, strings.Join(p.said, "\n"))
	}
	if code := p.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A seed that was given is kept from match to match: an edit is judged on the same
// scenario.
func TestPlayAgainKeepsTheSeed(t *testing.T) {
	t.Parallel()
	p := playOn(t, "--open", "--watch", "--turns", "5", "--tps", "0", "--seed", "5", "--order", "seeded")
	p.hears("turns, seed 5: ")
	p.hears("until Ctrl-C")
	p.sees("end")
	if status := p.again(); status != http.StatusOK {
		t.Fatalf("play again: %d", status)
	}
	p.hears("turns, seed 5: ")
	p.hears("waiting for a bot's file to change")
	p.writeBot("second")
	p.hears("turns, seed 5: ")
	p.stops()
}

// A bot's file is written anew during a match and after one.
func TestPlayWatch(t *testing.T) {
	t.Parallel()
	p := playOn(t, "--watch", "--turns", "60", "--tps", "40")
	first := p.sees("start").ID
	p.sees("turn")
	if status := p.again(); status != http.StatusConflict {
		t.Errorf("play again during a match: %d, want 409", status)
	}
	p.writeBot("second")
	if end := p.sees("end"); end.Error != errChanged.Error() {
		t.Errorf("the first match ends with %q, want %q", end.Error, errChanged)
	}
	second := p.sees("start").ID
	p.hears("bot has changed: playing again")
	if n := p.rankings(); n != 0 {
		t.Errorf("%d rankings of a match that was aborted", n)
	}
	if end := p.sees("end"); end.Error != "" {
		t.Errorf("the second match ends with %q", end.Error)
	}
	p.hears("waiting for a bot's file to change")
	p.writeBot("third one")
	third := p.sees("start").ID
	if first == second || second == third {
		t.Errorf("the matches are %s, %s, %s", first, second, third)
	}
	p.sees("turn")
	p.stops()
	if whole, all := p.recordings(); all != 3 || whole != 2 || p.rankings() != 2 {
		t.Errorf("%d of %d recordings are whole, %d rankings; want 2 of 3, 2 (the last was interrupted):\n%s",
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
