package script

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/grafana/sobek"
)

// hostName is the name of the host's own script, whose lines tell authors nothing.
const hostName = "hexarena:host"

// mostCalls is the number of calls of a traceback that are printed: as many as Node prints.
const mostCalls = 10

var (
	// call matches a line of the engine's tracebacks, which ends with a number of its own.
	call = regexp.MustCompile(`^\s*at (.*?)\(\d+\)(\)?)$`)
	// place matches where a call is in a file.
	place = regexp.MustCompile(`\(?([^()]+):(\d+):(\d+)\)?$`)
	// syntaxPlace matches the engine's message of a mistake of syntax.
	syntaxPlace = regexp.MustCompile(
		`^(?:SyntaxError: )*(.*): Line (\d+):(\d+) (.*?)(?: \(and \d+ more errors\))?$`)
)

// calls returns the lines of a traceback as Node prints them, those of the script only.
func calls(stack string) (list []string) {
	for line := range strings.SplitSeq(stack, "\n") {
		m := call.FindStringSubmatch(strings.TrimRight(line, " "))
		if m == nil || strings.Contains(line, hostName) || len(list) == mostCalls {
			continue
		}
		list = append(list, "    at "+m[1]+m[2])
	}
	return list
}

// report returns the text of a mistake as Node prints it: the innermost place in the author's
// files, its line, the message, and the calls.
func report(message string, calls []string) string {
	var b strings.Builder
	for _, line := range calls {
		m := place.FindStringSubmatch(strings.TrimPrefix(line, "    at "))
		if m == nil || filepath.Base(m[1]) == kitName {
			continue
		}
		at := strings.TrimSpace(m[1][strings.LastIndex(m[1], "(")+1:])
		fmt.Fprintf(&b, "%s:%s\n%s\n\n", at, m[2], sourceLine(at, m[2]))
		break
	}
	b.WriteString(message)
	for _, line := range calls {
		b.WriteString("\n" + line)
	}
	return b.String()
}

// sources holds the files of the script, which cannot be read any more, by their names in
// tracebacks.
var sources = map[string][]byte{}

// sourceLine returns a line of a file, numbered from 1, as far as a terminal shows it.
func sourceLine(file, number string) string {
	n, err := strconv.Atoi(number)
	lines := strings.Split(source(sources[file]), "\n")
	if err != nil || n < 1 || n > len(lines) {
		return ""
	}
	line := []rune(lines[n-1])
	return string(line[:min(len(line), 200)])
}

// traceback returns the error for a value that a script has thrown and not caught.
func (b *bot) traceback(thrown sobek.Value) error {
	text, stack := "Uncaught "+shown(thrown), ""
	if object, ok := thrown.(*sobek.Object); ok {
		if s := object.Get("stack"); s != nil && !sobek.IsUndefined(s) {
			text, stack = shown(thrown), s.String()
		}
	}
	return &failure{report(text, calls(stack))}
}

// shown returns a value as text, whatever a script has made of it.
func shown(v sobek.Value) (text string) {
	defer func() {
		if recover() != nil { // its toString throws
			text = "an error that has no text"
		}
	}()
	return v.String()
}

// explain returns an error of the engine in words for the script's author.
func (b *bot) explain(err error) error {
	var (
		thrown   *sobek.Exception
		overflow *sobek.StackOverflowError
		failed   *failure
		syntax   *sobek.CompilerSyntaxError
	)
	switch {
	case errors.As(err, &failed):
		return err
	case errors.As(err, &thrown):
		if inner := thrown.Unwrap(); inner != nil && !errors.As(inner, &thrown) {
			return b.explain(inner)
		}
		if object, ok := thrown.Value().(*sobek.Object); ok && object.Get("stack") != nil {
			return b.traceback(thrown.Value())
		}
		return &failure{report("Uncaught "+shown(thrown.Value()), calls(thrown.String()))}
	case errors.As(err, &overflow):
		return &failure{report("RangeError: Maximum call stack size exceeded", calls(overflow.String()))}
	case errors.As(err, &syntax):
		return misspelt(err.Error())
	}
	return err
}

// misspelt returns the error for a mistake of syntax.
func misspelt(text string) error {
	m := syntaxPlace.FindStringSubmatch(text)
	if m == nil {
		return &failure{text}
	}
	column, err := strconv.Atoi(m[3])
	if err != nil {
		return &failure{text}
	}
	if m[2] == "1" {
		column = max(1, column-len(before))
	}
	return failf("%s:%s\n%s\n%s^\n\nSyntaxError: %s",
		m[1], m[2], sourceLine(m[1], m[2]), strings.Repeat(" ", max(0, column-1)), m[4])
}

// overdue returns the lines about a part that was interrupted: what it was, and where.
func overdue(what string, stop *sobek.InterruptedError) string {
	return report(fmt.Sprintf("The time of %s was over, which was here:", what), calls(stop.String()))
}

// message returns an error's text without the path of a file that the script did not name.
func messageOf(err error) string {
	if path := (*os.PathError)(nil); errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
