// Package launch runs programs as child processes. It finds the interpreter for a file,
// starts each child in a process group of its own, keeps what it prints, reports how it
// ended, and leaves nothing of it running, also when this program is killed: on Unix it starts
// itself once more as the child's supervisor. A child gets only what it needs of the environment.
// The package knows no protocol and no match.
//
// A [Process] has two goroutines, one that waits for the child and one that
// reads what it prints; both have ended when Done is closed.
package launch

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Command is what to start.
type Command struct {
	Argv []string // the program, found as in a shell, and its arguments
	Env  []string // additions, as KEY=value, to what a child gets of our environment
	Log  string   // file for all that is printed, overwritten; empty: none
	// Line is handed each line that is printed, cut and without control
	// characters as in Tail, by a goroutine of the process's; may be nil.
	Line func(string)
	// Ended is called once, after the last line, when the child has ended and nothing is left of
	// it; may be nil.
	Ended func(Exit)
	// Whole gives the child our whole environment, not only what children get of it: it is trusted.
	Whole bool
	// Cleanup is run when the child has been killed, also because this program was; empty: nothing is.
	Cleanup []string
	// Cores are the processors that the child may use, of those that [Cores] returns; empty: all.
	Cores []int
	// Stdio has the starter write the child's standard input and read its standard output,
	// by Process.Stdio. Only its standard error is logged then.
	Stdio bool
}

// Process is a child process and all processes that it starts in turn.
type Process struct {
	Stdio *Stdio // nil unless the Command has Stdio

	cmd     *exec.Cmd
	output  *Output
	cleanup []string      // of the Command
	ended   func(Exit)    // of the Command
	done    chan struct{} // closed when nothing is left

	mu      sync.Mutex // guards what follows, but for exit
	stopped bool       // it was told to end
	gone    bool       // nothing is left of it, and another process may have its number
	group   *group

	exit Exit          // written before done is closed
	cpu  time.Duration // guarded by mu: used, once nothing is left
}

// strayTime is the time that output is read once all are dead, from a process of another user that
// could not be killed and kept the pipe.
const strayTime = 500 * time.Millisecond

// Start starts a command. Its standard input is empty, and its standard output and standard error
// go to one log, unless it has Stdio. The error says that there is no such program, that it cannot
// be run, or that the log cannot be written.
func Start(c Command) (*Process, error) {
	out, err := NewOutput(c.Log, c.Line)
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		out.Close()
		return nil, fmt.Errorf("pipe for %s: %w", c.Argv[0], err)
	}
	p := &Process{output: out, cleanup: c.Cleanup, ended: c.Ended, done: make(chan struct{})}
	p.cmd = exec.Command(c.Argv[0], c.Argv[1:]...)
	p.cmd.Env = append(inherited(c.Whole), c.Env...)
	p.cmd.Stdout, p.cmd.Stderr = w, w
	err = onCores(c.Cores, func() error { return p.begin(c.Stdio) })
	_ = w.Close()
	if err != nil {
		_ = r.Close()
		out.Close()
		return nil, fmt.Errorf("cannot start %s: %w", c.Argv[0], err)
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		out.drain(r)
	}()
	go p.wait(r, drained)
	return p, nil
}

// begin starts the child in its group, with pipes for its standard input and output if
// stdio is set.
func (p *Process) begin(stdio bool) error {
	if !stdio {
		return p.beginChild()
	}
	child, err := p.connect()
	if err != nil {
		return err
	}
	defer child.Close()
	if err = p.beginChild(); err != nil {
		p.Stdio.Close()
	}
	return err
}

// beginChild starts the child in its group.
func (p *Process) beginChild() (err error) {
	if p.group, err = newGroup(); err != nil {
		return err
	}
	p.group.prepare(p.cmd, p.cleanup)
	if err = p.cmd.Start(); err != nil {
		p.group.close()
		return err
	}
	if err = p.group.admit(p.cmd.Process); err != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		p.group.close()
	}
	return err
}

// wait waits for the child, and kills all that it leaves behind.
func (p *Process) wait(r *os.File, drained <-chan struct{}) {
	_ = p.cmd.Wait() // the result is in the ProcessState
	p.mu.Lock()
	p.group.kill()
	p.exit, p.cpu = p.group.exit(p.cmd.ProcessState)
	p.exit.Stopped = p.stopped
	p.group.close()
	p.gone = true
	p.mu.Unlock()
	select {
	case <-drained:
	case <-time.After(strayTime):
	}
	_ = r.Close() // ends the drain
	<-drained
	p.output.Close()
	if p.ended != nil {
		p.ended(p.exit)
	}
	close(p.done)
}

// PID returns the id of the child or, on Unix, of its supervisor: on Linux all processes that the
// child starts descend from that, also if their parents end. Once Done is closed, another process
// may have it.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the child has ended and nothing is left of it.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the child ended. It blocks until Done is closed.
func (p *Process) Exit() Exit {
	<-p.done
	return p.exit
}

// CPU returns the processor time that the child and its descendants have used so far, 0 if that
// cannot be told. It can on Unix once the child has ended, and on Linux also while it runs; then
// descendants whose parents have ended do not count.
func (p *Process) CPU() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return p.cpu
	}
	return cpuTime(p.group)
}

// Pin restricts the child and its descendants to some processors from now on, as Command.Cores does
// from the start. Where there is no [Cores] it has no effect.
func (p *Process) Pin(cores []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		pin(p.group, cores)
	}
}

// Tail returns those of the child's last lines that tell most, as [Output.Lines] does.
func (p *Process) Tail() []string { return p.output.Lines() }

// Note adds a line about the child to what it prints.
func (p *Process) Note(line string) { _, _ = p.output.Write([]byte(line + "\n")) }

// Stop asks all processes of the child's group to end, kills those that are left after the
// grace period, and returns when they are gone. It may be called more than once.
func (p *Process) Stop(grace time.Duration) {
	if grace > 0 {
		p.signal((*group).terminate)
		select {
		case <-p.done:
			return
		case <-time.After(grace):
		}
	}
	p.signal((*group).kill)
	<-p.done
}

func (p *Process) signal(send func(*group)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		p.stopped = true
		send(p.group)
	}
}
