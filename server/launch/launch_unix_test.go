//go:build unix

package launch

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

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

// A child that stops or kills its supervisor ends like others.
func TestSupervisorIsAttacked(t *testing.T) {
	for _, signal := range []string{"STOP", "KILL"} {
		l := servertest.Listen(t)
		p := start(t, "attacker "+signal, l)
		conn := answer(t, l)
		p.Stop(time.Millisecond)
		if got := p.Exit(); got.Signal == "" {
			t.Errorf("Exit() after kill -%s = %+v, want killed", signal, got)
		}
		expectGone(t, conn)
	}
}

// So does one that kills its supervisor before that reports the start.
func TestSupervisorIsKilledAtOnce(t *testing.T) {
	g, err := newGroup()
	if err != nil {
		t.Fatal(err)
	}
	defer g.close()
	supervisor := exec.Command("/bin/sh", "-c", "kill -KILL $$")
	supervisor.ExtraFiles = g.theirs[:]
	if err := supervisor.Start(); err != nil {
		t.Fatal(err)
	}
	if err := g.admit(supervisor.Process); err != nil {
		t.Errorf("admit returns %v, want that the child was started", err)
	}
	_ = supervisor.Wait()
	if got, used := g.exit(supervisor.ProcessState); got.String() != "killed by SIGKILL" || used != 0 {
		t.Errorf("exit returns %v, %v, want killed by SIGKILL", got, used)
	}
}

// A file that the system cannot run is named in the error.
func TestNoProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(file, []byte("\x7fELF garbage"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Start(Command{Argv: []string{file}})
	if err == nil ||
		!strings.Contains(err.Error(), "cannot start "+file+": fork/exec "+file+": exec format error") {
		t.Errorf("Start of garbage: %v, want why it cannot be run", err)
	}
}

func TestSignalsHaveNames(t *testing.T) {
	for signal, want := range map[string]string{
		"KILL": "killed by SIGKILL", "SEGV": "killed by SIGSEGV",
	} {
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
	p, err := Start(
		Command{Argv: []string{"sh", "-c", "read line; echo heard $line; echo done >&2"}, Stdio: true})
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

func init() {
	send = func(signal string) { _ = unix.Kill(os.Getppid(), unix.SignalNum("SIG"+signal)) }
}
