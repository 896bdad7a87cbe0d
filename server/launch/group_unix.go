//go:build unix

package launch

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// group is the process group of a child and of all that the child starts. A warden
// leads it, a shell that waits for the end of a pipe: only we hold that, so that it
// ends with us, also when we are killed. Then the warden kills the group. Until we
// have waited for it, nobody else gets the group's number.
type group struct {
	pgid   int
	warden *exec.Cmd // nil: there is no shell here, and the child leads
	leash  io.Closer // our end of the pipe
}

var shell = "/bin/sh" // a test has none

const watch = "trap '' HUP INT QUIT TERM; read x; kill -s KILL 0"

func newGroup() (*group, error) {
	warden := exec.Command(shell, "-c", watch, "hexarena's warden")
	warden.Env = []string{} // whatever is in ours must not steer it
	warden.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	leash, err := warden.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("process group: %w", err)
	}
	if warden.Start() != nil {
		return &group{}, nil
	}
	return &group{pgid: warden.Process.Pid, warden: warden, leash: leash}, nil
}

// attr has a child begin in the group.
func (g *group) attr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pgid: g.pgid}
}

// admit takes note of a child that has begun.
func (g *group) admit(p *os.Process) error {
	if g.warden == nil {
		g.pgid = p.Pid
	}
	return nil
}

// terminate asks everybody in the group to end. The stopped are woken, since
// they could not heed it.
func (g *group) terminate() {
	_ = unix.Kill(-g.pgid, unix.SIGTERM)
	_ = unix.Kill(-g.pgid, unix.SIGCONT)
}

// kill ends everybody in the group. Without a warden it is also called right after
// the child was waited for: nobody else gets its number within microseconds.
func (g *group) kill() { _ = unix.Kill(-g.pgid, unix.SIGKILL) }

// close lets go of a group that was killed or that no child is in.
func (g *group) close() {
	if g.warden != nil {
		_ = g.leash.Close()
		_ = g.warden.Wait()
	}
}

func signalOf(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return unix.SignalName(ws.Signal())
	}
	return ""
}
