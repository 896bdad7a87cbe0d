//go:build unix

package launch

import (
	"io"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hexarena/hexarena/server/servertest"
)

func TestStopTerminatesFirst(t *testing.T) {
	l := servertest.Listen(t)
	p := start(t, "cooperative", l)
	conn := answer(t, l)
	p.Stop(time.Minute)
	if got := p.Exit(); got.String() != "exit code 0" || !got.Stopped {
		t.Errorf("Exit() = %+v, want exit code 0 after Stop", got)
	}
	if got, want := p.logged(t), "goodbye\n"; got != want {
		t.Errorf("log = %q, want %q", got, want)
	}
	expectGone(t, conn)
}

// Without a shell, as in an image that holds only this program, a child leads its group.
func TestWithoutAShell(t *testing.T) {
	defer func(path string) { shell = path }(shell)
	shell = filepath.Join(t.TempDir(), "none")
	l := servertest.Listen(t)
	p := start(t, "parent", l)
	family := []net.Conn{answer(t, l), answer(t, l)}
	p.Stop(0)
	if got := p.Exit().String(); got != "killed by SIGKILL" {
		t.Errorf("Exit() = %q, want killed by SIGKILL", got)
	}
	for _, conn := range family {
		expectGone(t, conn)
	}
}

func TestSignalsHaveNames(t *testing.T) {
	for signal, want := range map[string]string{"KILL": "killed by SIGKILL", "SEGV": "killed by SIGSEGV"} {
		p, err := Start(Command{Argv: []string{"/bin/sh", "-c", "kill -" + signal + " $$"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Exit(); got.String() != want || got.Stopped {
			t.Errorf("Exit() after kill -%s = %+v, %q, want %q", signal, got, got, want)
		}
	}
}

// With Stdio, the starter has the child's standard input and output, and its standard error
// goes to the log.
func TestStdio(t *testing.T) {
	p, err := Start(Command{Argv: []string{"sh", "-c", "read line; echo heard $line; echo done >&2"}, Stdio: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stdio.Close()
	if _, err := io.WriteString(p.Stdio.In, "a word\n"); err != nil {
		t.Fatal(err)
	}
	if out, err := io.ReadAll(p.Stdio.Out); err != nil || string(out) != "heard a word\n" {
		t.Errorf("standard output = %q, %v", out, err)
	}
	<-p.Done()
	if tail := p.Tail(); !slices.Equal(tail, []string{"done"}) {
		t.Errorf("the log ends with %q, want standard error only", tail)
	}
}
