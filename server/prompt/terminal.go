package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/hexarena/hexarena/config/textutil"
)

// Terminal is the command line on a terminal, with line editing, history and completion.
// Output appears above the line that is being typed.
type Terminal struct {
	in, out *os.File
	line    *term.Terminal
	before  *term.State
	undo    func()      // restores the output
	closed  atomic.Bool // the terminal was restored
	typing  atomic.Bool // the prompt is shown
}

// eraseGrace is the time that Close waits for a terminal that does not accept output.
const eraseGrace = 50 * time.Millisecond

// OpenTerminal takes control of a terminal, including the keys that send signals, until
// Close.
func OpenTerminal(in, out *os.File) (*Terminal, error) {
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, err
	}
	t := &Terminal{in: in, out: out, before: before, undo: enableEscapes(out)}
	t.line = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, out}, ">>> ")
	return t, nil
}

// Write shows lines above the one being typed.
func (t *Terminal) Write(p []byte) (int, error) {
	if t.closed.Load() {
		return t.out.Write(p)
	}
	return t.line.Write(p)
}

// Close restores the terminal. Any goroutine may call it, repeatedly. It waits only for the
// terminal to accept output, and not long.
func (t *Terminal) Close() {
	if t.closed.Swap(true) {
		return
	}
	_ = term.Restore(int(t.in.Fd()), t.before)
	t.undo()
	if !t.typing.Load() {
		return
	}
	erased := make(chan struct{})
	go func() {
		defer close(erased)
		_, _ = io.WriteString(t.out, "\r\x1b[J") // erases the prompt
	}()
	select {
	case <-erased:
	case <-time.After(eraseGrace):
	}
}

// Read executes the typed lines until quit. Ctrl-C, Ctrl-D and the loss of the terminal call
// interrupt.
func (t *Terminal) Read(p *Prompt, interrupt func()) {
	defer t.Close() // also after a panic
	c := completer{names: p.names(), show: func(s string) { p.say("%s", s) }}
	t.line.AutoCompleteCallback = c.key
	for {
		t.fit()
		t.typing.Store(true)
		line, err := t.line.ReadLine()
		if err != nil && !errors.Is(err, term.ErrPasteIndicator) {
			t.Close()
			interrupt()
			return
		}
		t.typing.Store(false)
		switch {
		case strings.TrimSpace(line) == "help":
			p.say("%s", help)
		case p.Do(line):
			return
		}
	}
}

// commands are the words that a line may begin with.
var commands = []string{"start", "quit", "print", "set", "help"}

// likely is the largest edit distance at which a command is suggested.
const likely = 2

// unknownCommand returns the answer to a line that begins with an unknown command.
func unknownCommand(word string) string {
	nearest, distance := textutil.Nearest(word, commands)
	if distance > likely || distance >= len(word) {
		return fmt.Sprintf("Unknown command %.80q; help lists the commands", word)
	}
	return fmt.Sprintf("Unknown command %.80q; did you mean %s? help lists the commands", word, nearest)
}

// fit sets the terminal's width, which may have changed since the last line.
func (t *Terminal) fit() {
	if width, height, err := term.GetSize(int(t.out.Fd())); err == nil && width > 0 {
		_ = t.line.SetSize(width, height)
	}
}

const help = `start                 start the match with the connected clients
quit                  stop the server: clients are told, exit code 0
print VARIABLE        show a setting, or all
set VARIABLE=VALUE    change a setting
Tab completes, the arrow keys recall lines. Ctrl-C and Ctrl-D interrupt: exit code 1.`
