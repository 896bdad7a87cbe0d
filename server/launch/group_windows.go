package launch

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a job object. It holds a child and all processes that the child starts, and
// kills them when it is closed, also because this process has ended.
type group struct {
	job     windows.Handle
	pid     uint32
	cleanup []string // of the Command
}

func newGroup() (*group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("job object: %w", err)
	}
	g := &group{job: job}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		g.close()
		return nil, fmt.Errorf("job object: %w", err)
	}
	return g, nil
}

// prepare sets the attributes with which a child starts: suspended, so that it starts
// nothing before it is in its job, and in a console group of its own, so that Ctrl-C for
// this process does not reach it.
func (g *group) prepare(cmd *exec.Cmd, cleanup []string) {
	g.cleanup = cleanup
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP,
	}
}

// admit adds a suspended child to the job and resumes it.
func (g *group) admit(p *os.Process) error {
	g.pid = uint32(p.Pid)
	err := g.hold()
	if err == nil {
		err = g.wake()
	}
	if err != nil {
		return fmt.Errorf("job object: %w", err)
	}
	return nil
}

func (g *group) hold() error {
	child, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false,
		g.pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(child)
	return windows.AssignProcessToJobObject(g.job, child)
}

// wake resumes the child's only thread.
func (g *group) wake() error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(all)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(all, &entry); err == nil; err = windows.Thread32Next(all, &entry) {
		if entry.OwnerProcessID != g.pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(thread)
		_, err = windows.ResumeThread(thread)
		return err
	}
	return errors.New("the new process has no thread")
}

// terminate sends Ctrl-Break, which reaches children that share this console.
func (g *group) terminate() {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, g.pid)
}

func (g *group) kill() { _ = windows.TerminateJobObject(g.job, 1) }

// exit returns how the child ended, and no processor time. A job's kill is no signal: any failure
// may be one.
func (g *group) exit(s *os.ProcessState) (Exit, time.Duration) {
	e := exitOf(s)
	if e.Crashed() {
		cleanUp(g.cleanup)
	}
	return e, 0
}

func (g *group) close() { _ = windows.CloseHandle(g.job) }

func signalOf(*os.ProcessState) string { return "" }
