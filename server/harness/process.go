package harness

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Process is a started program whose standard output is read line by line. The caller
// ends it with Stop or waits for it with Wait.
type Process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	stderr bytes.Buffer
	cancel context.CancelFunc
}

const (
	endTime = 5 * time.Second // between the interrupt and the kill of a process
	// longestLine bounds a line in bytes: a player's arrival times of a long match fit.
	longestLine = 16 << 20
)

// Start starts a program. When ctx is done, the program is interrupted and, if it does
// not end, killed. Its environment lacks the variables that are hexarena's settings.
func Start(ctx context.Context, program string, args ...string) (*Process, error) {
	p := &Process{}
	ctx, p.cancel = context.WithCancel(ctx)
	p.cmd = exec.CommandContext(ctx, program, args...)
	p.cmd.Cancel = func() error {
		if p.cmd.Process.Signal(os.Interrupt) == nil { // Windows has no interrupt
			return nil
		}
		return p.cmd.Process.Kill()
	}
	p.cmd.WaitDelay = endTime
	p.cmd.Stderr = &p.stderr
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "HEXARENA_") {
			p.cmd.Env = append(p.cmd.Env, v)
		}
	}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		p.cancel()
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		p.cancel()
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	p.out.Buffer(nil, longestLine)
	return p, nil
}

// ID returns the process ID.
func (p *Process) ID() int { return p.cmd.Process.Pid }

// Tell writes a line to the standard input of the process.
func (p *Process) Tell(line string) error {
	_, err := io.WriteString(p.in, line+"\n")
	return err
}

// Lines returns the lines that the process prints from now on. Each is valid until the next.
func (p *Process) Lines() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for p.out.Scan() && yield(p.out.Bytes()) {
		}
	}
}

// Line returns the next line, which is valid until the one after it. If there is none,
// Line stops the process and returns what it wrote to standard error.
func (p *Process) Line() ([]byte, error) {
	for line := range p.Lines() {
		return line, nil
	}
	p.Stop()
	return nil, fmt.Errorf("%s ended: %s", p.cmd.Path, p.stderr.String())
}

// Wait waits until the process has ended by itself. It returns an error if the exit code
// is not 0.
func (p *Process) Wait() error {
	defer p.cancel()
	for range p.Lines() { // exec.Cmd.Wait closes the pipe, so read it to the end first
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w: %s", p.cmd.Path, err, p.stderr.String())
	}
	return nil
}

// CPU returns the processor time that the process used. It is known after Wait.
func (p *Process) CPU() time.Duration {
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// Interrupt interrupts the process, and kills it if it does not end in time.
func (p *Process) Interrupt() { p.cancel() }

// Stop interrupts the process and waits for its end, ignoring errors.
func (p *Process) Stop() {
	p.Interrupt()
	_ = p.Wait()
}
