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
	// keptLines are as many lines as a JVM prints of all its threads, and more than any stack that is
	// no recursion.
	keptLines = 256
	lineLimit = 512 // bytes of a line that are kept in memory
)

// logLimit bounds the log of a bot's output, in bytes. The rest is read and discarded,
// since a bot that prints must never block.
var logLimit int64 = 64 << 20 // a test makes it smaller

// Output keeps what a bot prints: all of it, up to a limit, and the last lines in a file, and the
// last lines in memory.
type Output struct {
	tell func(string) // is handed whole lines; may be nil

	saving sync.Mutex // guards what follows, and orders writes
	file   *os.File   // nil: none, or it is broken
	left   int64      // bytes that still fit into it
	full   bool       // some did not fit

	mu   sync.Mutex // guards the lines; it is never held while the disk is awaited
	tail [][]byte   // whole lines; of keptLines, the oldest is the next one to be replaced
	n    int        // whole lines so far
	line []byte     // the incomplete line
}

// NewOutput returns an output with a file, which is overwritten; an empty path stands for none.
// tell is handed each line, cut and without control characters as in Lines; it may be nil.
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
	o.saving.Lock()
	defer o.saving.Unlock()
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
	if o.file == nil || o.full {
		return
	}
	fits := p[:min(int64(len(p)), o.left)]
	o.left -= int64(len(fits))
	_, err := o.file.Write(fits)
	if err == nil && len(fits) < len(p) {
		o.full = true
		_, err = o.file.WriteString("\n[this log is full; of what follows, the last lines are kept]\n")
	}
	if err != nil { // such as a full disk, which must not harm the bot
		o.closeFile()
	}
}

// Close closes the file, after the last lines if it is full; what is written after it is kept in
// memory only. It may be called again.
func (o *Output) Close() {
	o.saving.Lock()
	defer o.saving.Unlock()
	if o.file != nil && o.full {
		for _, line := range o.last() {
			_, _ = fmt.Fprintln(o.file, line)
		}
	}
	o.closeFile()
}

func (o *Output) closeFile() {
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
			o.endLine()
		}
		p = rest
	}
}

// endLine adds the line to the whole ones. The caller holds mu.
func (o *Output) endLine() {
	if o.tell != nil {
		o.tell(Printable(o.line))
	}
	if len(o.tail) < keptLines {
		o.tail = append(o.tail, o.line)
		o.line = nil
	} else {
		oldest := &o.tail[o.n%keptLines]
		o.line, *oldest = (*oldest)[:0], o.line // reuses its memory
	}
	o.n++
}

// Lines returns the lines among the last ones that tell most of how the bot ended, as [Telling]
// does, the incomplete one included, each cut at 512 bytes, without control characters.
func (o *Output) Lines() []string { return Telling(o.last()) }

// count returns how many lines were printed so far.
func (o *Output) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.n
}

// since returns the lines that tell most of those that followed the first n.
func (o *Output) since(n int) []string {
	lines := o.last()
	o.mu.Lock()
	defer o.mu.Unlock()
	printed := o.n - n
	if len(o.line) > 0 {
		printed++
	}
	return Telling(lines[max(0, len(lines)-printed):])
}

// last returns the last lines, the incomplete one included.
func (o *Output) last() (lines []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := max(0, o.n-keptLines); i < o.n; i++ {
		lines = append(lines, Printable(o.tail[i%keptLines]))
	}
	if len(o.line) > 0 {
		lines = append(lines, Printable(o.line))
	}
	return lines
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
