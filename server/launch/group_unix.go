//go:build unix

package launch

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// group is a child's process group, whose number is the child's.
type group struct{ pgid int }

func groupAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func newGroup(p *os.Process) (group, error) { return group{p.Pid}, nil }

// terminate asks everybody in the group to end. The stopped are woken, since
// they could not heed it.
func (g group) terminate() {
	_ = unix.Kill(-g.pgid, unix.SIGTERM)
	_ = unix.Kill(-g.pgid, unix.SIGCONT)
}

// kill ends everybody in the group. It is also called right after the child was
// waited for: as long as one is left in the group, the system gives its number
// to nobody else, and else not within microseconds.
func (g group) kill() { _ = unix.Kill(-g.pgid, unix.SIGKILL) }

func (g group) close() {}

func signalOf(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return unix.SignalName(ws.Signal())
	}
	return ""
}
