package session

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// program returns the wire of a program, and its ends of the pipes.
func program(t *testing.T) (c Conn, output, input *os.File) {
	t.Helper()
	fromProgram, output, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	input, toProgram, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c = OverStdio(fromProgram, toProgram, "bot")
	t.Cleanup(func() {
		_ = c.Close()
		_ = output.Close()
		_ = input.Close()
	})
	return c, output, input
}

func freely(buf []byte, n int) ([]byte, error) { return slices.Grow(buf, n), nil }

// A message is a line, also one that is longer than all buffers; what is longer than the
// limit is refused as soon as that shows, without its line feed.
func TestStdioReads(t *testing.T) {
	c, output, _ := program(t)
	long := strings.Repeat("x", 5*readBuffer)
	go func() { _, _ = io.WriteString(output, "{}\n\r\n"+long+"\n"+long+long) }()
	var buf []byte
	for _, want := range []string{"{}\n", "\r\n", long + "\n"} {
		var err error
		if buf, err = c.ReadMessage(buf, 6*readBuffer, freely); err != nil || string(buf) != want {
			t.Fatalf("ReadMessage = %d bytes, %v, want a line of %d bytes", len(buf), err, len(want))
		}
	}
	tooLong := (*netorcai.SizeError)(nil)
	if _, err := c.ReadMessage(buf, 6*readBuffer, freely); !errors.As(err, &tooLong) {
		t.Errorf("a line that is too long: %v, want a size error", err)
	}
}

func TestStdioEnds(t *testing.T) {
	c, output, _ := program(t)
	if err := c.SetReadDeadline(time.Now()); err == nil { // this system has deadlines for pipes
		if _, err := c.ReadMessage(nil, 100, freely); !errors.Is(err, os.ErrDeadlineExceeded) ||
			strings.Contains(err.Error(), "|") {
			t.Errorf("at the deadline: %v", err)
		}
		_ = c.SetReadDeadline(time.Time{})
	}
	if _, err := output.WriteString("{}\n{"); err != nil {
		t.Fatal(err)
	}
	_ = output.Close()
	for _, want := range []error{nil, io.ErrUnexpectedEOF, io.EOF} {
		if _, err := c.ReadMessage(nil, 100, freely); !errors.Is(err, want) {
			t.Errorf("ReadMessage: %v, want %v", err, want)
		}
	}
}

// Bytes that do not fit into the pipe are written later, once, and each message is one line,
// however a game writes its states.
func TestStdioWrites(t *testing.T) {
	c, _, input := program(t)
	frame := func(content string) []byte {
		dst, err := netorcai.EndFrame(append(netorcai.BeginFrame(nil), content...), 0)
		if err != nil {
			t.Fatal(err)
		}
		return dst
	}
	large := strings.Repeat("y", 1<<20)
	go func() {
		for _, content := range []string{"{}", "{\n\"a\":\n1}", large, "{}"} {
			msg := frame(content)
			if msg = msg[c.TryWrite(msg):]; len(msg) > 0 {
				_, _ = c.Write(msg)
			}
		}
		_ = c.CloseWrite()
	}()
	got, err := io.ReadAll(input)
	if want := "{}\n{ \"a\": 1}\n" + large + "\n{}\n"; err != nil || !bytes.Equal(got, []byte(want)) {
		t.Errorf("the program read %d bytes, %v, want %d", len(got), err, len(want))
	}
}

// A program that does not read makes a write fail at its deadline, and no other call wait.
func TestStdioIsNotRead(t *testing.T) {
	c, _, _ := program(t)
	if c.SetWriteDeadline(time.Now().Add(20*time.Millisecond)) != nil {
		return // this system has no deadlines for pipes
	}
	msg := append(make([]byte, frameHead+1<<20), '\n')
	if n, err := c.Write(msg[c.TryWrite(msg):]); !errors.Is(err, os.ErrDeadlineExceeded) ||
		n == len(msg) {
		t.Errorf("Write = %d, %v, want the deadline to end it", n, err)
	}
	if n := c.TryWrite(msg); n != 0 {
		t.Errorf("TryWrite = %d while the pipe is full, want 0", n)
	}
}
