package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// process is a program that was started, and prints what it does line by line.
type process struct {
	cmd    *exec.Cmd
	lines  *bufio.Scanner
	stderr bytes.Buffer
	cancel context.CancelFunc
}

// endTime is how long a process may take to end when it is told to.
const endTime = 2 * time.Second

// longestLine bounds a line of a process.
const longestLine = 16 << 20

// start starts a program, which ends with ctx or when stop is called. It reads
// nothing and inherits no settings of hexarena's.
func start(ctx context.Context, program string, args ...string) (*process, error) {
	p := &process{}
	ctx, p.cancel = context.WithCancel(ctx)
	p.cmd = exec.CommandContext(ctx, program, args...)
	p.cmd.Cancel = func() error {
		if p.cmd.Process.Signal(os.Interrupt) == nil {
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
		err = p.cmd.Start()
	}
	if err != nil {
		p.cancel()
		return nil, err
	}
	p.lines = bufio.NewScanner(out)
	p.lines.Buffer(nil, longestLine)
	return p, nil
}

// line is the next line that the process prints, valid until the one after it.
func (p *process) line() ([]byte, error) {
	if p.lines.Scan() {
		return p.lines.Bytes(), nil
	}
	p.stop()
	return nil, fmt.Errorf("%s ended: %s", p.cmd.Path, p.stderr.String())
}

// stop ends the process, however that goes.
func (p *process) stop() {
	p.cancel()
	for p.lines.Scan() { // to the end, as Wait closes it
	}
	_ = p.cmd.Wait()
}

// host is a hexarena serve that waits for its players.
type host struct {
	*process
	addr string
	page string // its URL
}

// serve starts a server with recordings and the page on free ports of the loopback
// interface. After the match it waits for another, and can be asked about the first.
func (c *comparison) serve(ctx context.Context) (*host, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	interval := strconv.FormatInt(tick.Milliseconds(), 10)
	p, err := start(ctx, c.binary,
		"serve", "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--http", "127.0.0.1:0", "--record", c.dir,
		"--autostart", "--matches", "endless", "--json-logs", "--map", board, "--nb-players-max", strconv.Itoa(players), "--nb-visus-max", "0",
		"--nb-turns-max", strconv.Itoa(c.turns), "--delay-first-turn", interval, "--delay-turns", interval)
	if err != nil {
		return nil, err
	}
	text, err := p.line()
	if err != nil {
		return nil, err
	}
	var line struct{ Msg, Page string }
	if err := json.Unmarshal(text, &line); err != nil || line.Page == "" {
		defer p.stop()
		return nil, fmt.Errorf("hexarena serve says %s", text)
	}
	return &host{p, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), line.Page}, nil
}

// freePort is a port of the loopback interface that was free a moment ago.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// memory is the resident memory of a process in bytes, 0 if it is not known.
func memory(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kilobytes << 10
		}
	}
	return 0
}

// clockTicks are how many of the units a second has in which Linux tells
// processor time.
const clockTicks = 100

// busyTime is the processor time that a process has had, 0 if it is not known.
func busyTime(pid int) (total time.Duration) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // after the name, which may be anything
	if fields := strings.Fields(rest); len(fields) > 12 {
		for _, text := range fields[11:13] { // its own and the system's for it
			n, _ := strconv.Atoi(text)
			total += time.Duration(n) * time.Second / clockTicks
		}
	}
	return total
}
