package kits_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/servertest"
)

// patience is the time that a vector may take: a machine may be busy with others. A slow one waits
// for half a minute, and the largest takes the engine of hexarena 20 seconds of a processor.
const patience = 5 * time.Minute

// conversation is the server's side of a vector.
type conversation struct {
	t        *testing.T
	listener *net.TCPListener // nil on standard input and output
	printed  bytes.Buffer     // by the bot; read when it has ended

	out io.WriteCloser // to the bot
	in  *bufio.Reader  // from the bot
}

// play plays the conversation of a vector with a bot that is a process.
func play(t *testing.T, v vector, wire string, argv []string) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c := &conversation{t: t}
	cmd := exec.CommandContext(ctx, argv[0], append(argv[1:], v.Args...)...)
	cmd.Env = append(append(environment(), "HEXARENA="+itself(t)), v.Env...)
	cmd.Stderr = &c.printed
	cmd.WaitDelay = patience // on a busy machine, what it printed is read late
	if wire == "tcp" {
		host, port, err := net.SplitHostPort(c.listen(v.Closed))
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, "BOT_HOST="+host, "BOT_PORT="+port)
		cmd.Stdout = &c.printed
	} else {
		c.connectStdio(cmd)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.converse(v, cancel, func() (code int, err error) {
		err = cmd.Wait()
		return cmd.ProcessState.ExitCode(), err
	})
}

// converse plays the conversation of a vector with a bot that has started. wait waits until the bot
// has ended, and returns its exit code; cancel ends it.
func (c *conversation) converse(v vector, cancel func(), wait func() (code int, err error)) {
	ended := false
	c.t.Cleanup(func() {
		if !ended {
			cancel()
			_, _ = wait()
			c.t.Logf("it printed:\n%s", c.printed.Bytes())
		}
		if c.out != nil {
			c.out.Close()
		}
	})
	for i, s := range v.Steps {
		if s.Exit != nil {
			c.exit(s, wait)
			ended = true
		} else if err := c.do(s); err != nil {
			c.t.Fatalf("step %d: %v", i, err)
		}
	}
	if !ended {
		c.t.Fatal("the vector has no exit")
	}
	compareCalls(c.t, c.printed.Bytes(), v.Calls)
	if c.t.Failed() {
		c.t.Logf("it printed:\n%.5000s", c.printed.Bytes())
	}
}

// environment returns this process's environment without what bots are told by it.
func environment() (list []string) {
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "BOT_") {
			list = append(list, entry)
		}
	}
	return list
}

// listen listens at an address, which it returns; closed: it does not, and the address has no
// server.
func (c *conversation) listen(closed bool) (address string) {
	c.listener = servertest.Listen(c.t).(*net.TCPListener)
	_ = c.listener.SetDeadline(time.Now().Add(patience))
	if closed {
		c.listener.Close()
	}
	return c.listener.Addr().String()
}

func (c *conversation) connectStdio(cmd *exec.Cmd) {
	cmd.Env = append(cmd.Env, "BOT_STDIO=1")
	in, err := cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if c.out, err = cmd.StdinPipe(); err != nil {
		c.t.Fatal(err)
	}
	c.in = bufio.NewReader(in)
}

// do performs any step but the last one.
func (c *conversation) do(s step) error {
	switch {
	case s.Accept:
		return c.accept()
	case s.Want != nil:
		return c.expect(s)
	case s.Send != nil:
		content, err := inFull(s.Send)
		if err != nil {
			return err
		}
		return c.send(content, s.Split)
	case s.Content != "":
		return c.send([]byte(s.Content), s.Split)
	case s.Deaf:
		return c.listener.Close()
	case s.Bytes != "":
		raw, err := hex.DecodeString(s.Bytes)
		if err != nil {
			return err
		}
		_, err = c.out.Write(raw)
		return err
	case s.Close != nil:
		if tcp, ok := c.out.(*net.TCPConn); ok && s.Close == "reset" {
			if err := tcp.SetLinger(0); err != nil {
				return err
			}
		}
		return c.out.Close()
	}
	return errors.New("it says nothing that is to be done")
}

func (c *conversation) accept() error {
	if c.listener == nil {
		return nil
	}
	conn, err := c.listener.AcceptTCP()
	if err != nil {
		return err
	}
	if c.out != nil {
		c.out.Close()
	}
	_ = conn.SetDeadline(time.Now().Add(patience))
	c.out, c.in = conn, bufio.NewReader(conn)
	return nil
}

// send sends a message, in pieces of some bytes or, if that is 0, at once.
func (c *conversation) send(content []byte, size int) error {
	content = append(content, '\n')
	if c.listener != nil {
		content = append(binary.LittleEndian.AppendUint32(nil, uint32(len(content))), content...)
	}
	if size == 0 {
		size = len(content)
	}
	for len(content) > 0 {
		n := min(size, len(content))
		if _, err := c.out.Write(content[:n]); err != nil {
			return err
		}
		content = content[n:]
	}
	return nil
}

func (c *conversation) expect(s step) error {
	content, err := c.receive()
	if err != nil {
		return err
	}
	if err := conforms(content); err != nil {
		c.t.Errorf("the message is\n%.2000s\nof which the model says: %v", content, err)
	}
	var got map[string]any
	if err := json.Unmarshal(content, &got); err != nil {
		return err
	}
	if version, _ := got["version"].(string); got["message_type"] == "LOGIN" && version == "" {
		c.t.Errorf("it logs in without a version:\n%s", content)
	}
	want, err := generate(s.Want)
	if err != nil {
		return err
	}
	for _, key := range s.Absent {
		if _, ok := got[key]; ok {
			c.t.Errorf("it has %q, which it should not:\n%.2000s", key, content)
		}
	}
	if where := differs(got, want); where != "" {
		c.t.Errorf("the message is\n%.2000s\nwhich differs at %s", content, where)
	}
	return nil
}

// receive returns the bot's next message, which must end with its only line feed.
func (c *conversation) receive() ([]byte, error) {
	if c.listener == nil {
		return c.in.ReadBytes('\n')
	}
	content, err := netorcai.ReadFrame(c.in, nil, netorcai.Limit)
	if err == nil && bytes.IndexByte(content, '\n') != len(content)-1 {
		err = errors.New("its message does not end with its only line feed")
	}
	return content, err
}

// exit waits for the end of the bot, which must not say more.
func (c *conversation) exit(s step, wait func() (code int, err error)) {
	c.t.Helper()
	if c.in != nil {
		if rest, _ := io.ReadAll(c.in); len(rest) > 0 {
			c.t.Errorf("it sends more:\n%.2000s", rest)
		}
	}
	code, err := wait()
	if fine := s.Exit == float64(code) || s.Exit == "error" && code > 0; !fine {
		c.t.Errorf("it ends with %d (%v), want %v", code, err, s.Exit)
	}
	for _, text := range s.Stderr {
		if !strings.Contains(c.printed.String(), text) {
			c.t.Errorf("it does not print %q", text)
		}
	}
	for _, text := range s.Unprinted {
		if strings.Contains(c.printed.String(), text) {
			c.t.Errorf("it prints %q", text)
		}
	}
}
