package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hexarena/hexarena/server/servertest"
)

func terminalCases() []e2eCase {
	return []e2eCase{
		{"terminal: typing", []string{
			"terminal/prompt", "terminal/logs leave the line alone", "terminal/completes commands", "terminal/completes variables",
			"terminal/history", "terminal/help", "terminal/quit",
		}, playTyping},
		{"terminal: Ctrl-C", []string{"terminal/Ctrl-C"}, func(s *stage) {
			w := s.openOnTerminal()
			w.types("print nb")
			w.shows(">>> print nb")
			w.types("\x03")
			w.shows("Shell exited. Aborting.")
			w.ends(1)
			s.prove("terminal/Ctrl-C")
		}},
		{"terminal: Ctrl-D", []string{"terminal/Ctrl-D"}, func(s *stage) {
			w := s.openOnTerminal()
			w.types("\x04")
			w.shows("Shell exited. Aborting.")
			w.ends(1)
			s.prove("terminal/Ctrl-D")
		}},
		{"terminal: SIGTERM", []string{"terminal/SIGTERM"}, func(s *stage) {
			w := s.openOnTerminal()
			if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				s.Fatal(err)
			}
			w.shows("SIGTERM received. Aborting.")
			w.ends(1)
			s.prove("terminal/SIGTERM")
		}},
		{"terminal: game finished", []string{"terminal/game finished"}, func(s *stage) {
			w := s.openOnTerminal("--nb-turns-max=1", "--fast")
			logic := s.logic()
			w.types("start\r")
			logic.Expect("DO_INIT")
			logic.AckInit("{}")
			turn(logic, 1)
			logic.ExpectKick("Game is finished")
			logic.Close()
			w.shows("Game is finished")
			w.ends(0)
			s.prove("terminal/game finished")
		}},
		{"terminal: simple prompt", []string{"terminal/simple prompt"}, func(s *stage) {
			w := s.openOnTerminal("--simple-prompt")
			w.types("print nb-turns-max\nhelp\nquit\n")
			w.shows("nb-turns-max=100")
			w.shows("Shell exited. Aborting.")
			w.ends(0)
			if strings.Contains(w.all, ">>>") || strings.Contains(w.all, "Tab completes") {
				s.Errorf("the terminal shows %q", w.all)
			}
			s.prove("terminal/simple prompt")
		}},
	}
}

// window is a terminal that netorcai runs on.
type window struct {
	*stage
	cmd       *exec.Cmd
	near, far *os.File
	before    string // the terminal's settings
	all       string // that was shown so far
	from      int    // up to where that was looked at
}

func (s *stage) openOnTerminal(args ...string) *window {
	s.Helper()
	return s.openWindow(func(port string) *exec.Cmd {
		return program(s.T, "netorcai", append([]string{"--port=" + port}, args...)...)
	})
}

// openWindow starts a server on a terminal, and waits until it listens.
func (s *stage) openWindow(server func(port string) *exec.Cmd) *window {
	s.Helper()
	near, far := openTerminal(s.T, 100, 40)
	w := &window{stage: s, near: near, far: far}
	w.before = w.settings()
	port := freePort(s.T)
	w.cmd = server(strconv.Itoa(port))
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = far, far, far
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := w.cmd.Start(); err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = w.cmd.Process.Kill(); _ = w.cmd.Wait() })
	w.shows("Listening incoming connections")
	s.process = &process{Cmd: w.cmd, t: s.T, port: port, addr: fmt.Sprint("127.0.0.1:", port)}
	return w
}

func (w *window) settings() string {
	w.Helper()
	settings, err := unix.IoctlGetTermios(int(w.far.Fd()), unix.TCGETS)
	if err != nil {
		w.Fatal(err)
	}
	return fmt.Sprint(*settings)
}

func (w *window) types(keys string) {
	w.Helper()
	if _, err := io.WriteString(w.near, keys); err != nil {
		w.Fatal(err)
	}
}

// shows waits until a text is shown, beyond that of the last call.
func (w *window) shows(text string) {
	w.Helper()
	buf := make([]byte, 4096)
	deadline := time.Now().Add(30 * time.Second)
	for {
		if i := strings.Index(w.all[w.from:], text); i >= 0 {
			w.from += i + len(text)
			return
		}
		_ = w.near.SetReadDeadline(deadline)
		n, err := w.near.Read(buf)
		w.all += string(buf[:n])
		if err != nil {
			w.Fatalf("no %q after %q in %q: %v", text, w.all[:w.from], w.all[w.from:], err)
		}
	}
}

// ends waits for the end of the process and checks that the terminal is as it
// was.
func (w *window) ends(code int) {
	w.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = w.cmd.Wait()
	}()
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		case <-time.After(30 * time.Second):
			w.Fatalf("the process does not end; it shows %q", w.all)
		}
	}
	_ = w.near.SetReadDeadline(time.Now().Add(50 * time.Millisecond)) // for what is left to see
	var rest bytes.Buffer
	if _, err := io.Copy(&rest, w.near); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		w.Logf("the last words: %v", err)
	}
	w.all += rest.String()
	if got := w.cmd.ProcessState.ExitCode(); got != code {
		w.Errorf("exit code %d, want %d", got, code)
	}
	if w.settings() != w.before {
		w.Error("the terminal was not restored")
	}
}

// Under its own name hexarena answers what is no command.
func TestUnknownCommandsOnATerminal(t *testing.T) {
	t.Parallel()
	s := &stage{T: t, proved: map[string]bool{}}
	w := s.openWindow(func(port string) *exec.Cmd {
		return command(t, "serve", "--bind=127.0.0.1", "--port="+port, "--http=", "--record=")
	})
	for line, want := range map[string]string{
		"sdart":      `Unknown command "sdart"; did you mean start? help lists the commands`,
		"Quit":       `Unknown command "Quit"; did you mean quit? help lists the commands`,
		"kick x":     `Unknown command "kick"; help lists the commands`,
		"?":          `Unknown command "?"; help lists the commands`,
		"starting":   "expected syntax: start",
		"  ":         ">>> ",
		"set visu=3": "Bad VARIABLE=visu. Accepted values: nb-turns-max",
	} {
		w.types(line + "\r")
		w.shows(want)
	}
	w.types("set nb_visus_max=7\rprint nb-visus-max\r")
	w.shows("nb-visus-max=7")
	w.types("start\r")
	w.shows("Cannot start: no player is connected")
	w.types("quit\r")
	w.shows("Stopped by the operator")
	w.ends(0)
}

func playTyping(s *stage) {
	w := s.openOnTerminal()
	w.types("sdart\rkick x\r") // which get no answer
	w.types("pri\tnb-t\t\r")
	w.shows(">>> ")
	w.shows("nb-turns-max=100")
	s.prove("terminal/prompt", "terminal/completes commands", "terminal/completes variables")
	w.types("set nb-v\t7\r\x1b[A\x1b[A\r") // the arrow goes back to print
	w.shows("nb-turns-max=100")
	w.types("print nb-visus-max\r")
	w.shows("nb-visus-max=7")
	s.prove("terminal/history")
	w.types("print nb-tu\t")
	w.shows("print nb-turns-max")
	c := servertest.Dial(s.T, s.addr)
	c.Send("garbage")
	c.Until("KICK")
	w.shows("Kicking client")
	w.shows(">>> print nb-turns-max") // the line is there again
	w.types("\r")
	w.shows("nb-turns-max=100")
	s.prove("terminal/logs leave the line alone")
	w.types("print nb-\t")
	w.shows("nb-turns-max  nb-players-max") // the choice
	w.types("\x15help\r")
	w.shows("Tab completes")
	s.prove("terminal/help")
	w.types("quit\r")
	w.shows("Shell exited. Aborting.")
	w.ends(0)
	if strings.Contains(w.all, "Unknown") {
		s.Errorf("what is no command is answered: %q", w.all)
	}
	s.prove("terminal/quit")
}
