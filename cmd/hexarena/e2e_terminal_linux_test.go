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
			"terminal/prompt", "terminal/logs leave the line alone", "terminal/completes commands",
			"terminal/completes variables",
			"terminal/history", "terminal/help", "terminal/quit",
		}, playTyping},
		{"terminal: Ctrl-C", []string{"terminal/Ctrl-C"}, func(s *netorcaiRun) {
			w := s.openOnTerminal()
			w.typeKeys("print nb")
			w.waitShown(">>> print nb")
			w.typeKeys("\x03")
			w.waitShown("Shell exited. Aborting.")
			w.expectExit(1)
			s.markProved("terminal/Ctrl-C")
		}},
		{"terminal: Ctrl-D", []string{"terminal/Ctrl-D"}, func(s *netorcaiRun) {
			w := s.openOnTerminal()
			w.typeKeys("\x04")
			w.waitShown("Shell exited. Aborting.")
			w.expectExit(1)
			s.markProved("terminal/Ctrl-D")
		}},
		{"terminal: SIGTERM", []string{"terminal/SIGTERM"}, func(s *netorcaiRun) {
			w := s.openOnTerminal()
			if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				s.Fatal(err)
			}
			w.waitShown("SIGTERM received. Aborting.")
			w.expectExit(1)
			s.markProved("terminal/SIGTERM")
		}},
		{"terminal: game finished", []string{"terminal/game finished"}, func(s *netorcaiRun) {
			w := s.openOnTerminal("--nb-turns-max=1", "--fast")
			logic := s.logic()
			w.typeKeys("start\r")
			logic.Expect("DO_INIT")
			logic.AckInit("{}")
			turn(logic, 1)
			logic.ExpectKick("Game is finished")
			logic.Close()
			w.waitShown("Game is finished")
			w.expectExit(0)
			s.markProved("terminal/game finished")
		}},
		{"terminal: simple prompt", []string{"terminal/simple prompt"}, func(s *netorcaiRun) {
			w := s.openOnTerminal("--simple-prompt")
			w.typeKeys("print nb-turns-max\nhelp\nquit\n")
			w.waitShown("nb-turns-max=100")
			w.waitShown("Shell exited. Aborting.")
			w.expectExit(0)
			if strings.Contains(w.shown, ">>>") || strings.Contains(w.shown, "Tab completes") {
				s.Errorf("the terminal shows %q", w.shown)
			}
			s.markProved("terminal/simple prompt")
		}},
	}
}

// terminalWindow is a terminal on which netorcai runs.
type terminalWindow struct {
	*netorcaiRun
	cmd       *exec.Cmd
	near, far *os.File
	before    string // the terminal's settings
	shown     string // all output so far
	seen      int    // length of the output that was checked
}

func (s *netorcaiRun) openOnTerminal(args ...string) *terminalWindow {
	s.Helper()
	return s.openWindow(func(port string) *exec.Cmd {
		return program(s.T, "netorcai", append([]string{"--port=" + port}, args...)...)
	})
}

// openWindow starts a server on a terminal, and waits until it listens.
func (s *netorcaiRun) openWindow(server func(port string) *exec.Cmd) *terminalWindow {
	s.Helper()
	near, far := openTerminal(s.T, 100, 40)
	w := &terminalWindow{netorcaiRun: s, near: near, far: far}
	w.before = w.settings()
	port := freePort(s.T)
	w.cmd = server(strconv.Itoa(port))
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = far, far, far
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := w.cmd.Start(); err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = w.cmd.Process.Kill(); _ = w.cmd.Wait() })
	w.waitShown("Listening incoming connections")
	s.process = &process{Cmd: w.cmd, t: s.T, port: port, addr: fmt.Sprint("127.0.0.1:", port)}
	return w
}

func (w *terminalWindow) settings() string {
	w.Helper()
	settings, err := unix.IoctlGetTermios(int(w.far.Fd()), unix.TCGETS)
	if err != nil {
		w.Fatal(err)
	}
	return fmt.Sprint(*settings)
}

func (w *terminalWindow) typeKeys(keys string) {
	w.Helper()
	if _, err := io.WriteString(w.near, keys); err != nil {
		w.Fatal(err)
	}
}

// waitShown waits until a text is shown after that of the last call.
func (w *terminalWindow) waitShown(text string) {
	w.Helper()
	buf := make([]byte, 4096)
	deadline := time.Now().Add(30 * time.Second)
	for {
		if i := strings.Index(w.shown[w.seen:], text); i >= 0 {
			w.seen += i + len(text)
			return
		}
		_ = w.near.SetReadDeadline(deadline)
		n, err := w.near.Read(buf)
		w.shown += string(buf[:n])
		if err != nil {
			w.Fatalf("no %q after %q in %q: %v", text, w.shown[:w.seen], w.shown[w.seen:], err)
		}
	}
}

// expectExit waits for the end of the process and checks that the terminal settings are
// restored.
func (w *terminalWindow) expectExit(code int) {
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
			w.Fatalf("the process does not end; it shows %q", w.shown)
		}
	}
	_ = w.near.SetReadDeadline(time.Now().Add(50 * time.Millisecond)) // for the remaining output
	var rest bytes.Buffer
	if _, err := io.Copy(&rest, w.near); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		w.Logf("the last words: %v", err)
	}
	w.shown += rest.String()
	if got := w.cmd.ProcessState.ExitCode(); got != code {
		w.Errorf("exit code %d, want %d", got, code)
	}
	if w.settings() != w.before {
		w.Error("the terminal was not restored")
	}
}

// Under its own name hexarena replies to unknown commands.
func TestUnknownCommandsOnATerminal(t *testing.T) {
	t.Parallel()
	s := &netorcaiRun{T: t, proved: map[string]bool{}}
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
		w.typeKeys(line + "\r")
		w.waitShown(want)
	}
	w.typeKeys("set nb_visus_max=7\rprint nb-visus-max\r")
	w.waitShown("nb-visus-max=7")
	w.typeKeys("start\r")
	w.waitShown("Cannot start: no player is connected")
	w.typeKeys("quit\r")
	w.waitShown("Stopped by the operator")
	w.expectExit(0)
}

func playTyping(s *netorcaiRun) {
	w := s.openOnTerminal()
	w.typeKeys("sdart\rkick x\r") // without a reply
	w.typeKeys("pri\tnb-t\t\r")
	w.waitShown(">>> ")
	w.waitShown("nb-turns-max=100")
	s.markProved("terminal/prompt", "terminal/completes commands", "terminal/completes variables")
	w.typeKeys("set nb-v\t7\r\x1b[A\x1b[A\r") // the arrows recall print
	w.waitShown("nb-turns-max=100")
	w.typeKeys("print nb-visus-max\r")
	w.waitShown("nb-visus-max=7")
	s.markProved("terminal/history")
	w.typeKeys("print nb-tu\t")
	w.waitShown("print nb-turns-max")
	c := servertest.Dial(s.T, s.addr)
	c.Send("garbage")
	c.Until("KICK")
	w.waitShown("Kicking client")
	w.waitShown(">>> print nb-turns-max") // the line is restored
	w.typeKeys("\r")
	w.waitShown("nb-turns-max=100")
	s.markProved("terminal/logs leave the line alone")
	w.typeKeys("print nb-\t")
	w.waitShown("nb-turns-max  nb-players-max") // the completions
	w.typeKeys("\x15help\r")
	w.waitShown("Tab completes")
	s.markProved("terminal/help")
	w.typeKeys("quit\r")
	w.waitShown("Shell exited. Aborting.")
	w.expectExit(0)
	if strings.Contains(w.shown, "Unknown") {
		s.Errorf("what is no command is answered: %q", w.shown)
	}
	s.markProved("terminal/quit")
}
