//go:build unix

package launch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// group is a child and all that it starts, below a supervisor: this program once more, see
// supervise. It reads from a pipe until its end and then kills all of them. This process holds
// the only other end, so that the pipe ends with it, also when it is killed.
type group struct {
	supervisor *os.Process
	pgid       int // the child's process group, 0 if the supervisor has not reported it
	lifeline   *os.File
	reports    *os.File
	lines      *bufio.Reader // of reports
	theirs     [2]*os.File   // the supervisor's ends of both pipes
	cleanup    []string      // of the Command
}

func newGroup() (*group, error) {
	g := &group{}
	var err error
	if g.theirs[0], g.lifeline, err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("supervisor: %w", err)
	}
	if g.reports, g.theirs[1], err = os.Pipe(); err != nil {
		_ = g.theirs[0].Close()
		_ = g.lifeline.Close()
		return nil, fmt.Errorf("supervisor: %w", err)
	}
	g.lines = bufio.NewReader(g.reports)
	return g, nil
}

// prepare makes a command start the supervisor, which starts the command. It is in a group of
// its own, so that Ctrl-C for this process does not reach it.
func (g *group) prepare(cmd *exec.Cmd, cleanup []string) {
	if cmd.Err != nil { // the program was not found, as Start will say
		return
	}
	g.cleanup = cleanup
	head := append([]string{supervisorName, strconv.Itoa(len(cleanup))}, cleanup...)
	cmd.Args = append(append(head, cmd.Path), cmd.Args...)
	cmd.Path = itself()
	cmd.ExtraFiles = g.theirs[:]
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// itself returns the path of this program, which on Linux is valid even if the file was replaced.
func itself() string {
	const link = "/proc/self/exe"
	if _, err := os.Stat(link); err == nil {
		return link
	}
	path, _ := os.Executable() // an error shows when it is started
	return path
}

// admit waits until the supervisor has started the child, and returns why it could not. A child may
// kill the supervisor before that reports it: it was started, and has ended as exit says.
func (g *group) admit(supervisor *os.Process) error {
	g.supervisor = supervisor
	g.closeTheirs()
	line, err := g.firstReport()
	if errors.Is(err, io.EOF) && line == "" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("supervisor: %w", err)
	}
	if g.pgid, err = strconv.Atoi(line); err != nil {
		return errors.New(line)
	}
	return nil
}

// continueTime is the time that the supervisor may take for its first line before it is continued:
// it takes a few milliseconds on a machine that is not busy, and to be continued costs nothing.
const continueTime = 100 * time.Millisecond

// firstReport returns the first line of the supervisor. The child may stop the supervisor before it
// has written that.
func (g *group) firstReport() (string, error) {
	var line strings.Builder
	for {
		_ = g.reports.SetReadDeadline(time.Now().Add(continueTime)) // pipes have deadlines on Unix
		part, err := g.lines.ReadString('\n')
		line.WriteString(part)
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			_ = g.reports.SetReadDeadline(time.Time{})
			return strings.TrimSuffix(line.String(), "\n"), err
		}
		_ = g.supervisor.Signal(unix.SIGCONT)
	}
}

// report returns the next line of the supervisor.
func (g *group) report() (string, error) {
	line, err := g.lines.ReadString('\n')
	return strings.TrimSuffix(line, "\n"), err
}

// terminate asks all processes in the child's group to end.
func (g *group) terminate() { _ = g.supervisor.Signal(unix.SIGTERM) }

// kill kills the child and all its descendants. A supervisor that the child has stopped is
// continued.
func (g *group) kill() {
	_ = g.lifeline.Close()
	_ = g.supervisor.Signal(unix.SIGCONT)
}

// exit returns how the child ended, and the processor time that it and its descendants used. If the
// supervisor was killed and could not report that, the child's group is killed, too, and the time
// is 0.
func (g *group) exit(supervisor *os.ProcessState) (Exit, time.Duration) {
	line, _ := g.report()
	var status uint32
	var cpu time.Duration
	if _, err := fmt.Sscan(line, &status, (*int64)(&cpu)); err != nil {
		if g.pgid > 0 {
			_ = unix.Kill(-g.pgid, unix.SIGKILL)
		}
		cleanUp(g.cleanup)
		return exitOf(supervisor), 0
	}
	ws := syscall.WaitStatus(status)
	if ws.Signaled() {
		return Exit{Code: -1, Signal: unix.SignalName(ws.Signal())}, cpu
	}
	return Exit{Code: ws.ExitStatus()}, cpu
}

// close releases the group of a supervisor that has ended, or was not started.
func (g *group) close() {
	g.closeTheirs()
	_ = g.lifeline.Close()
	_ = g.reports.Close()
}

func (g *group) closeTheirs() {
	for _, f := range g.theirs {
		_ = f.Close()
	}
}

func signalOf(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return unix.SignalName(ws.Signal())
	}
	return ""
}
