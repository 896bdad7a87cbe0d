package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// process is a program that was started, and prints what it does line by line.
type process struct {
	cmd    *exec.Cmd
	out    *bufio.Reader
	stderr bytes.Buffer
	cancel context.CancelFunc
}

// endTime is how long a process may take to end when it is told to.
const endTime = 2 * time.Second

// start starts a program, which ends with ctx or when stop is called. It reads
// nothing and inherits no settings of hexarena's.
func start(ctx context.Context, program string, args ...string) (*process, error) {
	p := &process{}
	ctx, p.cancel = context.WithCancel(ctx)
	p.cmd = exec.CommandContext(ctx, program, args...)
	p.cmd.Cancel = func() error { return interrupt(p.cmd.Process) }
	p.cmd.WaitDelay = endTime
	p.cmd.Stderr = &p.stderr
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "HEXARENA_") {
			p.cmd.Env = append(p.cmd.Env, v)
		}
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.cancel()
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		p.cancel()
		return nil, err
	}
	return p, nil
}

// interrupt asks a process to end, where that can be asked.
func interrupt(p *os.Process) error {
	if p.Signal(os.Interrupt) == nil {
		return nil
	}
	return p.Kill()
}

// line is the next line that the process prints.
func (p *process) line() (string, error) {
	text, err := p.out.ReadString('\n')
	if err != nil {
		_, _ = io.Copy(io.Discard, p.out)
		p.stop()
		return "", fmt.Errorf("%s ended before it was ready: %s%s", p.cmd.Path, text, p.stderr.String())
	}
	return strings.TrimSpace(text), nil
}

// wait waits until the process has ended by itself.
func (p *process) wait() error {
	defer p.cancel()
	_, _ = io.Copy(io.Discard, p.out) // to its end, as Wait closes it
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w: %s", p.cmd.Path, err, p.stderr.String())
	}
	return nil
}

// cpu is the processor time that the process took, known once it has ended.
func (p *process) cpu() time.Duration {
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// stop ends the process, however that goes.
func (p *process) stop() {
	p.cancel()
	_, _ = io.Copy(io.Discard, p.out)
	_ = p.cmd.Wait()
}
