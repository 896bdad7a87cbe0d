package launch

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode"
)

const (
	tailLines = 10
	lineLimit = 512 // bytes of a line that are kept in memory
)

// logLimit bounds the log of a bot's output, in bytes. The rest is read and discarded,
// since a bot that prints must never block.
var logLimit int64 = 64 << 20 // a test makes it smaller

// Output keeps what a bot prints: all of it, up to a limit, in a file, and the last lines in memory. One goroutine may
// write and close it; Lines may be called at any time.
type Output struct {
	file *os.File     // nil: none, or it is full or broken
	left int64        // bytes that still fit into it
	tell func(string) // is handed whole lines; may be nil

	mu   sync.Mutex // guards the lines
	tail [][]byte   // whole lines, oldest first
	line []byte     // the incomplete line
}

// NewOutput returns an output with a file, which is overwritten; an empty path stands for none. tell is handed each line, cut and
// without control characters as in Lines; it may be nil.
func NewOutput(path string, tell func(line string)) (*Output, error) {
	o := &Output{left: logLimit, tell: tell}
	if path == "" {
		return o, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	o.file = f
	return o, nil
}

// Write implements io.Writer. It keeps what fits, and never fails.
func (o *Output) Write(p []byte) (int, error) {
	o.save(p)
	o.remember(p)
	return len(p), nil
}

// drain reads r to its end.
func (o *Output) drain(r io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		_, _ = o.Write(buf[:n])
		if err != nil {
			o.end()
			return
		}
	}
}

// end handles a last line without a line feed.
func (o *Output) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.line) > 0 && o.tell != nil {
		o.tell(Printable(o.line))
	}
}

func (o *Output) save(p []byte) {
	if o.file == nil {
		return
	}
	fits := p[:min(int64(len(p)), o.left)]
	o.left -= int64(len(fits))
	_, err := o.file.Write(fits)
	if err == nil && len(fits) < len(p) {
		_, err = o.file.WriteString("\n[this log is full; what follows was not kept]\n")
		o.Close()
	}
	if err != nil { // such as a full disk, which must not harm the bot
		o.Close()
	}
}

// Close closes the file; what is written after it is kept in memory only. It may be called again.
func (o *Output) Close() {
	if o.file != nil {
		_ = o.file.Close()
		o.file = nil
	}
}

func (o *Output) remember(p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(p) > 0 {
		line, rest, whole := bytes.Cut(p, []byte{'\n'})
		o.line = append(o.line, line[:min(len(line), lineLimit-len(o.line))]...)
		if whole {
			if o.tell != nil {
				o.tell(Printable(o.line))
			}
			o.tail = append(o.tail, o.line)
			o.line = nil
			if len(o.tail) > tailLines {
				o.line = o.tail[0][:0] // reuses its memory
				o.tail = append(o.tail[:0], o.tail[1:]...)
			}
		}
		p = rest
	}
}

// Lines returns the last lines, the incomplete one included: at most ten, each cut at 512 bytes, without control characters.
func (o *Output) Lines() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var lines []string
	for _, line := range o.tail {
		lines = append(lines, Printable(line))
	}
	if len(o.line) > 0 {
		lines = append(lines, Printable(o.line))
	}
	return lines[max(0, len(lines)-tailLines):]
}

// Printable returns a line without bytes that are not UTF-8 and control characters, which
// could change the state of a terminal.
func Printable(line []byte) string {
	text := strings.ToValidUTF8(strings.TrimRight(string(line), "\r"), "\uFFFD")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return '\uFFFD'
	}, text)
}
