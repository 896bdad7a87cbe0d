package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/agnivade/levenshtein"
	"golang.org/x/term"
)

// Terminal is the command line on a terminal, with line editing, a history and
// completion. What is written to it appears above the line that is being typed.
type Terminal struct {
	in, out *os.File
	line    *term.Terminal
	before  *term.State
	undo    func()      // what was done to the output
	closed  atomic.Bool // the terminal is as it was
	typing  atomic.Bool // a prompt is shown
}

// eraseGrace is how long Close waits for a terminal that shows nothing.
const eraseGrace = 50 * time.Millisecond

// OpenTerminal takes a terminal over, until Close. Keys that make signals are
// taken over too.
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

// Write shows lines above the one that is being typed.
func (t *Terminal) Write(p []byte) (int, error) {
	if t.closed.Load() {
		return t.out.Write(p)
	}
	return t.line.Write(p)
}

// Close gives the terminal back as it was. It may be called by anybody, more
// than once, and waits for nothing but the operator's screen, and not long.
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
		_, _ = io.WriteString(t.out, "\r\x1b[J") // the prompt
	}()
	select {
	case <-erased:
	case <-time.After(eraseGrace):
	}
}

// Read carries out the lines that are typed until quit. Ctrl-C, Ctrl-D and the
// loss of the terminal interrupt.
func (t *Terminal) Read(p *Prompt, interrupt func()) {
	defer t.Close() // whatever happens to this goroutine
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
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case strings.TrimSpace(line) == "help":
			p.say("%s", help)
		case !p.Netorcai && word != "" && !isCommand(word):
			p.say("%s", unknownCommand(word))
		case p.Do(line):
			return
		}
	}
}

// commands are what a line may begin with.
var commands = []string{"start", "quit", "print", "set", "help"}

// isCommand reports whether a line that begins with word is answered by [Prompt.Do]: it
// tells the syntax of a command to lines that only begin like it.
func isCommand(word string) bool {
	return slices.ContainsFunc(commands[:4], func(c string) bool { return strings.HasPrefix(word, c) })
}

// likely is up to how many edits away a command is taken for the one that was meant.
const likely = 2

// unknownCommand is the answer to a line that begins with word, which is no command.
func unknownCommand(word string) string {
	distance := func(c string) int { return levenshtein.ComputeDistance(strings.ToLower(word), c) }
	nearest := slices.MinFunc(commands, func(a, b string) int { return distance(a) - distance(b) })
	if distance(nearest) > likely || distance(nearest) >= len(word) {
		return fmt.Sprintf("Unknown command %q; help lists the commands", word)
	}
	return fmt.Sprintf("Unknown command %q; did you mean %s? help lists the commands", word, nearest)
}

// fit learns the terminal's width, which may have changed since the last line.
func (t *Terminal) fit() {
	if width, height, err := term.GetSize(int(t.out.Fd())); err == nil && width > 0 {
		_ = t.line.SetSize(width, height)
	}
}

const help = `start                 start the match with those who are there
quit                  stop: everybody is told, exit code 0
print VARIABLE        show a setting, or all
set VARIABLE=VALUE    change a setting
Tab completes, the arrow keys recall. Ctrl-C and Ctrl-D interrupt: exit code 1.`
