package launch

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the parent of its descendants' orphans. An error, on very old
// systems, leaves it at the child's group.
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// childAttr returns the attributes of the child: it leads a group, and is killed if the supervisor
// is. The latter is about the thread that starts it, which in an init function is the main one.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
}
