package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// openTerminal returns a terminal of that size. Data written to its near end is typed;
// data read from it is shown.
func openTerminal(t *testing.T, columns, rows uint16) (near, far *os.File) {
	t.Helper()
	near, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close() })
	control := func(f func(fd int) error) {
		t.Helper()
		raw, err := near.SyscallConn()
		if err == nil {
			if failed := raw.Control(func(fd uintptr) { err = f(int(fd)) }); failed != nil {
				err = failed
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	number := 0
	control(func(fd int) (err error) { number, err = unix.IoctlGetInt(fd, unix.TIOCGPTN); return err })
	control(func(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0) })
	control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows})
	})
	far, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { far.Close() })
	return near, far
}

// onTerminal runs hexarena on a terminal and types keys once the board is shown. It
// returns the exit code, all output, and whether the terminal settings were restored.
func onTerminal(
	t *testing.T, env []string, keys string, args ...string,
) (code int, shown string, restored bool) {
	t.Helper()
	return onTerminalOf(t, 100, 40, env, "turn", keys, args...)
}

// onTerminalOf does the same on a terminal of some size, and types keys once it shows a text.
func onTerminalOf(
	t *testing.T, columns, rows uint16, env []string, text, keys string, args ...string,
) (code int, shown string, restored bool) {
	t.Helper()
	near, far := openTerminal(t, columns, rows)
	settings := func() string {
		s, err := unix.IoctlGetTermios(int(far.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(*s)
	}
	before := settings()
	cmd := command(t, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = far, far, far
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = cmd.Wait()
	}()
	var screen bytes.Buffer
	buf := make([]byte, 64<<10)
	deadline := time.Now().Add(30 * time.Second)
	for ended := false; ; {
		_ = near.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		n, err := near.Read(buf)
		screen.Write(buf[:n])
		if keys != "" && strings.Contains(screen.String(), text) {
			if _, err := io.WriteString(near, keys); err != nil {
				t.Fatal(err)
			}
			keys = ""
		}
		if err != nil && ended {
			break
		}
		select {
		case <-done:
			ended = true
		default:
		}
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			t.Fatalf("it does not end; it shows %q", screen.String())
		}
	}
	return cmd.ProcessState.ExitCode(), screen.String(), settings() == before
}

const (
	enterScreen = "\x1b[?1049h"
	leaveScreen = "\x1b[?1049l"
)

func TestLiveView(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	colors := []string{"TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR="}
	for _, tt := range []struct {
		name string
		env  []string
		keys string
		args []string
		code int
		want []string
		not  string
	}{
		{
			"full speed", colors, "f",
			[]string{"--turns", "300", "--tps", "50"},
			0,
			[]string{
				enterScreen, "\x1b[48;2;15;19;27m", "hexabomb on lagoon", leaveScreen, "Play it again:",
			},
			"",
		},
		{
			"stop", colors, "q",
			[]string{"--turns", "1000"},
			1,
			[]string{enterScreen, leaveScreen, "of 1000 turns", "not played to its end: interrupted"},
			"",
		},
		{
			"Ctrl-C", colors, "\x03",
			[]string{"--turns", "1000"},
			1,
			[]string{leaveScreen, "not played to its end: interrupted"},
			"",
		},
		{
			"no colours",
			[]string{"TERM=xterm-256color", "NO_COLOR=1"},
			"",
			[]string{"--turns", "3", "--tps", "0"},
			0,
			[]string{enterScreen, leaveScreen, "Play it again:"},
			"8;2;",
		},
		{
			"dumb terminal",
			[]string{"TERM=dumb"},
			"",
			[]string{"--turns", "3"},
			0,
			[]string{"Play it again:"},
			"\x1b[",
		},
		{"JSON", colors, "", []string{"--turns", "3", "--json"}, 0, []string{`"state_digest"`}, "\x1b["},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, shown, restored := onTerminal(t, tt.env, tt.keys,
				append([]string{"play", "--record", ""}, tt.args...)...)
			if code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if !restored {
				t.Error("the terminal was not restored")
			}
			from := 0
			for _, want := range tt.want {
				i := strings.Index(shown[from:], want)
				if i < 0 {
					t.Errorf("no %q after %d bytes of %q", want, from, shown)
					break
				}
				from += i
			}
			if tt.not != "" && strings.Contains(shown, tt.not) {
				t.Errorf("%q was shown: %q", tt.not, shown)
			}
		})
	}
}
