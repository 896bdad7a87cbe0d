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

// group is the process group of a child and of all that the child starts. A watchdog
// leads it: a shell that reads from a pipe until its end, and then kills the group. This
// process holds the only other end, so that the pipe ends with it, also when it is killed.
// Until the watchdog has been waited for, no other group gets this one's number.
type group struct {
	pgid     int
	watchdog *exec.Cmd // nil: there is no shell here, and the child leads
	lifeline io.Closer // this process's end of the pipe
}

var shell = "/bin/sh" // a test has none

const watch = "trap '' HUP INT QUIT TERM; read x; kill -s KILL 0"

func newGroup() (*group, error) {
	watchdog := exec.Command(shell, "-c", watch, "hexarena's watchdog")
	watchdog.Env = []string{} // so that nothing in this process's environment changes what it does
	watchdog.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	lifeline, err := watchdog.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("process group: %w", err)
	}
	if watchdog.Start() != nil {
		return &group{}, nil
	}
	return &group{pgid: watchdog.Process.Pid, watchdog: watchdog, lifeline: lifeline}, nil
}

// attr returns the attributes with which a child starts in the group.
func (g *group) attr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pgid: g.pgid}
}

// admit notes a child that has started.
func (g *group) admit(p *os.Process) error {
	if g.watchdog == nil {
		g.pgid = p.Pid
	}
	return nil
}

// terminate asks all processes in the group to end. Stopped ones are continued, since they
// could not handle the signal.
func (g *group) terminate() {
	_ = unix.Kill(-g.pgid, unix.SIGTERM)
	_ = unix.Kill(-g.pgid, unix.SIGCONT)
}

// kill kills all processes in the group. Without a watchdog it is also called right after
// the child was waited for, whose number the system does not reuse within microseconds.
func (g *group) kill() { _ = unix.Kill(-g.pgid, unix.SIGKILL) }

// close releases a group that was killed, or that no child is in.
func (g *group) close() {
	if g.watchdog != nil {
		_ = g.lifeline.Close()
		_ = g.watchdog.Wait()
	}
}

func signalOf(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return unix.SignalName(ws.Signal())
	}
	return ""
}
