package session

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// PipeReader is our end of the pipe that is a program's standard output: a file or, in tests,
// something else.
type PipeReader interface {
	io.ReadCloser
	SetReadDeadline(time.Time) error
}

// PipeWriter is our end of the pipe that is a program's standard input: a file or, in tests,
// something else, which may have a method TryWrite as connections have.
type PipeWriter interface {
	io.WriteCloser
	SetWriteDeadline(time.Time) error
}

// stdio is the wire of a program that was started here: a message is a line of its
// standard output or input.
type stdio struct {
	PipeReader // its standard output
	in         *bufio.Reader
	out        PipeWriter // its standard input
	name       pipeAddr
	direct     tryWriter
	begun      bool // TryWrite has written a part of the message
}

// pipeAddr is the address of a program whose standard input and output we have.
type pipeAddr string

// Network implements net.Addr.
func (pipeAddr) Network() string { return "stdio" }

func (a pipeAddr) String() string { return string(a) }

// OverStdio returns the wire of a program that speaks on its standard output, which we
// read, and its standard input, which we write. It owns both pipes. name is the remote
// address. Where the system has no deadlines for pipes, as on Windows, the connection
// waits until the program ends.
func OverStdio(output PipeReader, input PipeWriter, name string) Conn {
	return &stdio{
		PipeReader: output, in: bufio.NewReaderSize(yieldingReader{output}, readBuffer),
		out: input, name: pipeAddr(name), direct: directTo(input),
	}
}

// ReadMessage implements Conn. Of a line that is too long it reads only as much as shows
// that.
func (c *stdio) ReadMessage(buf []byte, limit int, grow Grow) ([]byte, error) {
	for buf = buf[:0]; ; {
		part, err := c.in.ReadSlice('\n')
		size := len(buf) + len(part)
		if size > limit {
			return nil, &netorcai.SizeError{Size: uint32(size), Limit: limit}
		}
		if size > cap(buf) {
			var full error
			if buf, full = grow(buf, max(len(part), len(buf))); full != nil {
				return nil, full
			}
		}
		buf = append(buf, part...)
		switch {
		case err == nil:
			return buf, nil
		case err == io.EOF && size > 0:
			return nil, &netorcai.ReadError{Err: io.ErrUnexpectedEOF} // inside a line
		case err != bufio.ErrBufferFull:
			return nil, &netorcai.ReadError{Err: withoutPath(err)}
		}
	}
}

// withoutPath returns an error of a pipe without the pipe's name, which tells users
// nothing.
func withoutPath(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// TryWrite implements Conn.
func (c *stdio) TryWrite(frame []byte) int {
	line := frame[frameHead:]
	if bytes.IndexByte(line, '\n') != len(line)-1 {
		return 0 // Write replaces line feeds
	}
	n := c.direct.TryWrite(line)
	if n == 0 {
		return 0
	}
	c.begun = n < len(line)
	return frameHead + n
}

// Write implements Conn.
func (c *stdio) Write(frame []byte) (int, error) {
	if c.begun {
		c.begun = false
		return c.out.Write(frame)
	}
	n, err := c.out.Write(oneLine(frame[frameHead:]))
	return frameHead + n, err
}

// oneLine returns a message without line feeds but the last byte. Between the tokens of
// JSON, the only place where it may have them, a space means the same.
func oneLine(content []byte) []byte {
	last := len(content) - 1
	if bytes.IndexByte(content, '\n') == last {
		return content
	}
	line := bytes.ReplaceAll(content, []byte{'\n'}, []byte{' '})
	line[last] = '\n'
	return line
}

// SetWriteDeadline implements Conn.
func (c *stdio) SetWriteDeadline(t time.Time) error { return c.out.SetWriteDeadline(t) }

// CloseWrite implements Conn. The program reads what was written, and then the end.
func (c *stdio) CloseWrite() error { return c.out.Close() }

// Discard implements Conn.
func (c *stdio) Discard(limit int64) (int64, error) { return discard(c.PipeReader, limit) }

// NetConn implements Conn.
func (c *stdio) NetConn() net.Conn { return nil }

// RemoteAddr implements Conn.
func (c *stdio) RemoteAddr() net.Addr { return c.name }

// Close implements Conn.
func (c *stdio) Close() error {
	_ = c.out.Close()
	return c.PipeReader.Close()
}
