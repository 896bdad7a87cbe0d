package harness

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Process is a started program whose standard output is read line by line. The caller
// ends it with Stop or waits for it with Wait.
type Process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	watched chan struct{} // closed at the end of the output; nil before Watch
	stderr  bytes.Buffer
	cancel  context.CancelFunc
}

const (
	endTime = 5 * time.Second // between the interrupt and the kill of a process
	// longestLine bounds a line in bytes: the arrival times of a long match fit.
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
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		p.in, err = p.cmd.StdinPipe()
	}
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

// Ask sends an empty line and decodes the line that the process answers, as JSON.
func (p *Process) Ask(answer any) error {
	if err := p.Tell(""); err != nil {
		return err
	}
	text, err := p.Line()
	if err != nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

// Line returns the next line that the process prints, which is valid until the one after
// it. At the end of the output, Line stops the process and returns what it wrote to
// standard error.
func (p *Process) Line() ([]byte, error) {
	if p.out.Scan() {
		return p.out.Bytes(), nil
	}
	p.Stop()
	return nil, fmt.Errorf("%s ended: %s", p.cmd.Path, p.stderr.String())
}

// Watch calls note with each line that the process prints from now on, from another
// goroutine. The line is valid during the call. Wait and Stop wait for the goroutine.
func (p *Process) Watch(note func(line []byte)) {
	p.watched = make(chan struct{})
	go func() {
		defer close(p.watched)
		for p.out.Scan() {
			note(p.out.Bytes())
		}
	}()
}

// Down returns a channel that is closed at the end of the output that Watch reads, as it
// is when the process ends.
func (p *Process) Down() <-chan struct{} { return p.watched }

// Wait waits until the process has ended by itself. It returns an error if the exit code
// is not 0.
func (p *Process) Wait() error {
	defer p.cancel()
	if p.watched == nil {
		p.Watch(func([]byte) {})
	}
	<-p.watched // exec.Cmd.Wait closes the pipe, so it is read to the end first
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

// Stop interrupts the process and waits for its end, ignoring errors. Further calls have
// no effect.
func (p *Process) Stop() {
	p.Interrupt()
	_ = p.Wait()
}

// Memory returns the resident memory of a process in bytes, 0 if /proc does not tell.
func Memory(pid int) int { return status(pid, "VmRSS:") }

// Peak returns the most resident memory that a process ever had, in bytes, 0 if /proc
// does not tell.
func Peak(pid int) int { return status(pid, "VmHWM:") }

func status(pid int, key string) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if _, rest, ok := strings.Cut(string(text), key); ok {
		kilobytes, _ := strconv.Atoi(strings.Fields(rest)[0])
		return kilobytes << 10
	}
	return 0
}

// clockTicks is the number of units per second in which Linux counts processor time.
const clockTicks = 100

// CPUTime returns the processor time that a running process has used, 0 if /proc does
// not tell.
func CPUTime(pid int) (total time.Duration) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // the name before it may hold anything
	if fields := strings.Fields(rest); len(fields) > 12 {
		for _, text := range fields[11:13] { // user and system time
			n, _ := strconv.Atoi(text)
			total += time.Duration(n) * time.Second / clockTicks
		}
	}
	return total
}
