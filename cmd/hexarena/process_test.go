package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/tools/harness"
)

// hangs is after how long a process that says or does nothing counts as one that hangs. A match of
// thousands of turns may take a minute between two lines on a machine that does much else, and go
// test gives up after ten.
const hangs = 3 * time.Minute

// process is a running server.
type process struct {
	*exec.Cmd
	t     *testing.T
	port  int
	addr  string
	stdin io.WriteCloser
	lines chan string // of standard output; closed at its end
}

// command returns a command that runs hexarena with these arguments.
func command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	return program(t, "hexarena", args...)
}

// commandIn returns a command that runs in a folder.
func commandIn(t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := command(t, args...)
	cmd.Dir = dir
	return cmd
}

// program returns a command that runs this program through a link of that name.
func program(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	thorough.Long(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), name)
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(link, args...)
	// files that it writes are removed with the test
	cmd.Dir = filepath.Dir(link)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // otherwise it ends a second later
	return cmd
}

// startLines starts the command, which is killed at the end of the test, and returns the lines of
// its standard error.
func startLines(t *testing.T, cmd *exec.Cmd) *bufio.Scanner {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return bufio.NewScanner(stderr)
}

// startServe starts hexarena serve on a free port and waits until it listens.
func startServe(t *testing.T, args ...string) *process {
	t.Helper()
	return startServer(t, func(port string) *exec.Cmd {
		return command(t, append([]string{"serve", "--bind", "127.0.0.1", "--port", port, "--http", "", "--linger", "50ms"}, args...)...)
	})
}

// startServer starts a server on a free port and waits until it listens. If
// another program has taken the port by then, it takes another.
func startServer(t *testing.T, server func(port string) *exec.Cmd) *process {
	t.Helper()
	for range 10 {
		port := freePort(t)
		p := start(t, server(strconv.Itoa(port)))
		p.port, p.addr = port, net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		switch line := p.nextLine(); {
		case strings.Contains(line, "Listening incoming connections"):
			return p
		case !strings.Contains(line, "Cannot listen incoming connections"):
			t.Fatalf("the first line is %q", line)
		}
	}
	t.Fatal("no port is free")
	panic("unreachable")
}

// start starts a process that is killed at the end of the test, if it is still running.
func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{Cmd: cmd, t: t, lines: make(chan string, 10000)}
	if p.Stderr == nil {
		p.Stderr = os.Stderr
	}
	stdout, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.stdin, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(p.lines)
		s := bufio.NewScanner(stdout)
		s.Buffer(nil, 1<<20) // the prompt repeats lines of 64 KiB
		for s.Scan() {
			p.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		_ = p.Process.Kill()
		for range p.lines { // drain the remaining output
		}
		<-read
		_ = p.Wait()
	})
	return p
}

// freePort returns a port that no other test gets, in this process or another.
func freePort(t *testing.T) int {
	t.Helper()
	port, err := harness.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func (p *process) nextLine() string {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.t.Fatal("standard output ended")
		}
		return line
	case <-time.After(hangs):
		p.t.Fatal("no line of output")
	}
	panic("unreachable")
}

// waitLine reads lines until one contains text, and returns it.
func (p *process) waitLine(text string) string {
	p.t.Helper()
	for {
		if line := p.nextLine(); strings.Contains(line, text) {
			return line
		}
	}
}

// readRest returns the remaining output until the process ends.
func (p *process) readRest() (lines []string) {
	p.t.Helper()
	late := time.After(hangs)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				return lines
			}
			lines = append(lines, line)
		case <-late:
			p.t.Fatal("the process does not end")
		}
	}
}

// typeLines writes lines to standard input.
func (p *process) typeLines(lines ...string) {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, strings.Join(lines, "\n")+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// quit types quit, at which the process ends without an error.
func (p *process) quit() {
	p.t.Helper()
	p.typeLines("quit")
	p.expectExit(0)
}

// expectReply writes a line to standard input and checks the output.
func (p *process) expectReply(line string, want ...string) {
	p.t.Helper()
	p.typeLines(line)
	for _, w := range want {
		if got := p.nextLine(); got != w {
			p.t.Errorf("%q: %q, want %q", line, got, w)
		}
	}
}

// expectExit waits for the end of the process and checks its exit code.
func (p *process) expectExit(want int) {
	p.t.Helper()
	done := make(chan error, 1)
	go func() {
		for range p.lines { // Wait closes the pipe: read it first
		}
		done <- p.Wait()
	}()
	select {
	case err := <-done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			p.t.Fatal(err)
		}
		if got := p.ProcessState.ExitCode(); got != want {
			p.t.Errorf("exit code %d, want %d", got, want)
		}
	case <-time.After(hangs):
		p.t.Fatal("the process does not end")
	}
}

// received returns what an address has.
func received(t *testing.T, url string) []byte {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v, %s", url, r.StatusCode, err, body)
	}
	return body
}

// fetch decodes the JSON at an address.
func fetch(t *testing.T, url string, to any) {
	t.Helper()
	if err := json.Unmarshal(received(t, url), to); err != nil {
		t.Fatalf("%s: %v", url, err)
	}
}
