// Package proc runs programs as processes of their own, for those that try and
// measure a built hexarena from outside. Whoever starts a process ends it with Stop,
// or waits for it with Wait.
package proc

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

// Process is a program that was started, and prints what it does line by line.
type Process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	stderr bytes.Buffer
	cancel context.CancelFunc
}

const (
	endTime     = 5 * time.Second // how long a process may take to end when it is told to
	longestLine = 16 << 20        // bounds a line of a process
)

// Start starts a program, which ends with ctx or when it is told to. It inherits no
// settings of hexarena's.
func Start(ctx context.Context, program string, args ...string) (*Process, error) {
	p := &Process{}
	ctx, p.cancel = context.WithCancel(ctx)
	p.cmd = exec.CommandContext(ctx, program, args...)
	p.cmd.Cancel = func() error {
		if p.cmd.Process.Signal(os.Interrupt) == nil { // where that can be asked
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

// ID is the process's id.
func (p *Process) ID() int { return p.cmd.Process.Pid }

// Tell writes a line to the process.
func (p *Process) Tell(line string) error {
	_, err := io.WriteString(p.in, line+"\n")
	return err
}

// Lines are those that the process prints from now on, each valid until the next.
func (p *Process) Lines() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for p.out.Scan() && yield(p.out.Bytes()) {
		}
	}
}

// Line is the next line, valid until the one after it. If there is none, the process
// is ended.
func (p *Process) Line() ([]byte, error) {
	for line := range p.Lines() {
		return line, nil
	}
	p.Stop()
	return nil, fmt.Errorf("%s ended: %s", p.cmd.Path, p.stderr.String())
}

// Wait waits until the process has ended by itself.
func (p *Process) Wait() error {
	defer p.cancel()
	for range p.Lines() { // to the end, as the pipe is closed then
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w: %s", p.cmd.Path, err, p.stderr.String())
	}
	return nil
}

// CPU is the processor time that the process took, known once it has ended.
func (p *Process) CPU() time.Duration {
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// Interrupt tells the process to end, and kills it if that takes too long.
func (p *Process) Interrupt() { p.cancel() }

// Stop ends the process, however that goes.
func (p *Process) Stop() {
	p.Interrupt()
	_ = p.Wait()
}
