package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// house is a hexarena serve. Standard input takes the operator's commands.
type house struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer
	addr   string
	page   string // its URL

	log  sync.WaitGroup // reads it to its end
	mu   sync.Mutex
	said map[string]int // errors in the log, and how often
}

// endTime is how long the server may take to end when it is told to.
const endTime = 5 * time.Second

// open starts a server that shows and records its matches. It ends with ctx, or
// when close is called.
func (o *options) open(ctx context.Context, flags ...string) (*house, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	h := &house{addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), said: map[string]int{}}
	h.cmd = exec.CommandContext(ctx, o.binary, append([]string{
		"serve", "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--http", "127.0.0.1:0", "--json-logs",
		"--record", o.records(), "--nb-turns-max", strconv.Itoa(o.turns), "--fast",
	}, flags...)...)
	h.cmd.Cancel = func() error {
		if h.cmd.Process.Signal(os.Interrupt) == nil {
			return nil
		}
		return h.cmd.Process.Kill()
	}
	h.cmd.WaitDelay = endTime
	h.cmd.Stderr = &h.stderr
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "HEXARENA_") {
			h.cmd.Env = append(h.cmd.Env, v)
		}
	}
	if h.stdin, err = h.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := h.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := h.cmd.Start(); err != nil {
		return nil, err
	}
	in := bufio.NewReader(stdout)
	text, _ := in.ReadString('\n')
	var first struct{ Msg, Page string }
	_ = json.Unmarshal([]byte(text), &first)
	h.page = first.Page
	h.log.Go(func() { h.listen(in) })
	if h.page == "" {
		_ = h.cmd.Process.Kill()
		h.log.Wait()
		return nil, errors.Join(fmt.Errorf("hexarena serve says %q", text), h.cmd.Wait())
	}
	return h, nil
}

// listen reads the log to its end, and remembers what is an error.
func (h *house) listen(in *bufio.Reader) {
	for {
		text, err := in.ReadBytes('\n')
		var line struct{ Level, Msg, Error string }
		if json.Unmarshal(text, &line) == nil && line.Level == "error" {
			h.mu.Lock()
			h.said[line.Msg+": "+line.Error]++
			h.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// command is a line of the operator.
func (h *house) command(line string) error {
	_, err := io.WriteString(h.stdin, line+"\n")
	return err
}

// close has the server quit, and is what went wrong with it from its start to
// its end.
func (h *house) close() error {
	_ = h.command("quit")
	hard := time.AfterFunc(endTime, func() { _ = h.cmd.Process.Kill() })
	defer hard.Stop()
	h.log.Wait() // to its end, as Wait closes it
	err := h.cmd.Wait()
	if err != nil {
		err = fmt.Errorf("hexarena serve: %w: %s", err, h.stderr.String())
	}
	for text, times := range h.said {
		err = errors.Join(err, fmt.Errorf("hexarena serve logged %d times: %s", times, text))
	}
	return err
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
