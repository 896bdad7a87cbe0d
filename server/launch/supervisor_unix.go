//go:build unix

package launch

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hexarena/hexarena/server/machine/origin"
)

// supervisorName is the name by which this program starts itself as a supervisor.
const supervisorName = "hexarena-supervisor"

// Descriptors that a supervisor has: the end of lifeline means that it is to kill all, and on
// reports it writes the child's id, or why there is no child, and later the child's wait status and
// the processor time of all that it has waited for, in nanoseconds.
const (
	lifelineFD = 3
	reportsFD  = 4
)

// A process cannot become the parent of a child's orphans later than it starts the child, and
// this program must not become the parent of a browser's, so that another process has to. This is
// an init function so that it works in every program with this package, also in tests, before
// anything else is done.
func init() {
	if os.Args[0] != supervisorName || len(os.Args) < 2 {
		return
	}
	if n, err := strconv.Atoi(os.Args[1]); err == nil && n >= 0 && len(os.Args) > 3+n {
		supervise(os.Args[2+n], os.Args[3+n:], os.Args[2:2+n])
		syscall.Exit(0) // at once, unlike os.Exit under the race detector
	}
}

// supervise runs a program until it ends or this process's starter does, and then kills its group
// and, on Linux, all its descendants, whatever they did to get away. If the program was killed it
// runs a command in between, unless that is empty.
func supervise(path string, argv, cleanup []string) {
	unix.CloseOnExec(lifelineFD)
	unix.CloseOnExec(reportsFD)
	lifeline, reports := os.NewFile(lifelineFD, "lifeline"), os.NewFile(reportsFD, "reports")
	adoptOrphans()
	asked := make(chan os.Signal, 1)
	// not ignored, which the child would inherit
	signal.Notify(asked, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM)
	child, err := os.StartProcess(path, argv,
		&os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}, Sys: childAttr()})
	if err != nil {
		fmt.Fprintln(reports, strings.ReplaceAll(err.Error(), "\n", " "))
		return
	}
	fmt.Fprintln(reports, child.Pid)
	closeStandard()
	go func() {
		for s := range asked {
			if s == unix.SIGTERM {
				_ = unix.Kill(-child.Pid, unix.SIGTERM)
				_ = unix.Kill(-child.Pid, unix.SIGCONT) // stopped processes could not handle the other
			}
		}
	}()
	go func() {
		_, _ = io.Copy(io.Discard, lifeline)
		_ = unix.Kill(-child.Pid, unix.SIGKILL)
		_ = unix.Kill(child.Pid, unix.SIGKILL) // in case it has left its group
	}()
	status := await(child.Pid)
	_ = unix.Kill(-child.Pid, unix.SIGKILL)
	if status.Signaled() {
		cleanUp(cleanup)
	}
	killOrphans()
	fmt.Fprintln(reports, uint32(status), childrenTime().Nanoseconds())
}

// closeStandard releases the child's standard input and outputs, which otherwise would not end
// with the child's.
func closeStandard() {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	for fd := range 3 {
		_ = unix.Dup2(int(null.Fd()), fd)
	}
	_ = null.Close()
}

// await waits for a child, and for orphans that end before it.
func await(pid int) (status unix.WaitStatus) {
	for {
		if ended, err := unix.Wait4(-1, &status, 0, nil); ended == pid ||
			err != nil && err != unix.EINTR {
			return status
		}
	}
}

// childrenTime returns the processor time of all children that have ended, with that of those which
// they had waited for themselves.
func childrenTime() time.Duration {
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_CHILDREN, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// orphanTime bounds how long orphans are killed: one may be another user's, and some that fork for
// ever must not keep the starter waiting.
const orphanTime = 2 * time.Second

// killOrphans kills all descendants that are left. The children of those that are killed become
// this process's.
func killOrphans() {
	for end := time.Now().Add(orphanTime); time.Now().Before(end); {
		ended, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		switch {
		case err == unix.ECHILD:
			return
		case ended > 0:
			continue
		}
		for _, pid := range origin.Children(os.Getpid()) {
			// it stays a child, and keeps its number, until it is waited for
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		time.Sleep(time.Millisecond)
	}
}
