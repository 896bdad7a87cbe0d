package tui

import (
	"bytes"
	"io"
	"sync"

	"github.com/hexarena/hexarena/config/textutil"
)

// Messages prints lines of text as JSON, for programs that read the progress of a command: each
// line becomes an object with the key message. Other objects can be printed between them. It may be
// used by several goroutines.
type Messages struct {
	mu   sync.Mutex
	out  io.Writer
	rest []byte // of a line that has not ended
}

// NewMessages returns messages that are printed to out.
func NewMessages(out io.Writer) *Messages { return &Messages{out: out} }

// Write prints the lines that end in text.
func (m *Messages) Write(text []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rest = append(m.rest, text...)
	for {
		line, rest, ended := bytes.Cut(m.rest, []byte("\n"))
		if !ended {
			return len(text), nil
		}
		m.rest = rest
		err := textutil.WriteJSONLine(m.out, struct {
			Message string `json:"message"`
		}{string(line)})
		if err != nil {
			return 0, err
		}
	}
}

// Object prints an object on a line. An error of writing loses it.
func (m *Messages) Object(v any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_ = textutil.WriteJSONLine(m.out, v)
}

// progressed is how far an operation is, as an object.
type progressed struct {
	Of    string `json:"of,omitempty"` // the file or bot
	Unit  string `json:"unit"`
	Done  int    `json:"done"`
	Total int    `json:"total"` // 0 if it is not known
	Note  string `json:"note,omitempty"`
}
