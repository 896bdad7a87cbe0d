//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hexarena/hexarena/server/servertest"
)

// piped starts a command whose standard output and standard error are one pipe, which is killed at
// the end of the test, and returns the end of the pipe that reads once the first line is there.
func piped(t *testing.T, cmd *exec.Cmd) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = r.Close()
	})
	if line, err := bufio.NewReaderSize(r, 16).ReadString('\n'); err != nil {
		t.Fatalf("it prints %q: %v", line, err)
	}
	return r
}

// The reader of the output may end, such as head, tee or a journal that is restarted. Each command
// goes on, and SIGTERM, after which each prints a line, ends it as usual.
func TestClosedPipe(t *testing.T) {
	t.Parallel()
	server := startServer(t, func(port string) *exec.Cmd { // its match waits for another player
		return command(t, "serve", "--bind=127.0.0.1", "--port="+port, "--http=127.0.0.1:0", "--record=",
			"--players=2", "--autostart")
	})
	nowhere := servertest.FreeAddress(t)
	bot := command(t).Path + " bot painter --port {port}"
	for _, tt := range []struct {
		args []string
		code int
	}{
		{[]string{
			"serve", "--bind", "127.0.0.1", "--port", "PORT", "--http", "", "--record", "",
		}, exitFailure},
		{[]string{"event", "day", "--bind", "127.0.0.1", "--port", "PORT"}, 0},
		{[]string{"cup", "painter", "random", "--count", "1000000"}, exitFailure},
		{[]string{
			"worker", "nats://" + nowhere + "#" + base64.RawURLEncoding.EncodeToString(make([]byte, 32)),
		}, exitFailure},
		{[]string{"join", server.addr, bot}, exitFailure},
		{[]string{"play", "open", "painter", "--http", "", "--record", ""}, exitFailure},
	} {
		t.Run(tt.args[0], func(t *testing.T) {
			t.Parallel()
			port := strconv.Itoa(freePort(t))
			cmd := command(t,
				strings.Split(strings.ReplaceAll(strings.Join(tt.args, "\n"), "PORT", port), "\n")...)
			_ = piped(t, cmd).Close()
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if state := cmd.ProcessState; state.ExitCode() != tt.code {
				t.Errorf("it ends with %v, want exit code %d", state, tt.code)
			}
		})
	}
}

// A cup that is interrupted with the reader of its table prints how it goes on where that can be
// read, and keeps its rows.
func TestClosedPipeOfACup(t *testing.T) {
	t.Parallel()
	// A cup of three bots has no test that could end it before the interrupt.
	cmd := command(t, "cup", "painter", "hunter", "random", "--count", "1000000", "--out", "c")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	defer w.Close()
	cmd.Stdout = w
	lines := startLines(t, cmd)
	log := filepath.Join(cmd.Dir, "c", "log.ndjson")
	var said strings.Builder
	for lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "matches a second") {
			_ = cmd.Process.Signal(os.Interrupt)
		}
	}
	_ = cmd.Wait()
	if state := cmd.ProcessState; state.ExitCode() != exitFailure ||
		!strings.Contains(said.String(), "to continue:\n  hexarena cup ") {
		t.Errorf("it ends with %v, and prints\n%s", state, &said)
	}
	if rows, err := os.ReadFile(log); bytes.Count(rows, []byte("\n")) < 2 {
		t.Errorf("the log has no rows: %v", err)
	}
}

// A short command whose output is not read to its end prints no error about that.
func TestClosedPipeOfAList(t *testing.T) {
	t.Parallel()
	cmd := command(t, "maps", "show", "lagoon")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	defer w.Close()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &said
	_ = cmd.Run()
	if state := cmd.ProcessState; state.ExitCode() != exitFailure || said.Len() > 0 {
		t.Errorf("it ends with %v, and prints %q", state, &said)
	}
}
