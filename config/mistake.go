package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/internal/textutil"
)

// Mistake is one thing wrong with the settings. It reads like
//
//	port = "70000" (flag --port): want an integer from 1 to 65535
type Mistake struct {
	Key    string // the setting, or the unknown name as it was given
	Value  string // quoted, and cut if it is long; empty if there is none to show
	Origin string // such as "flag --port"; see [Effective]
	Fault  string // empty when Want says enough
	Want   string // what is accepted instead, or empty
	Err    error  // the cause, or nil
}

func (m *Mistake) Error() string {
	subject, message := shorten(onOneLine(m.Key)), m.Fault
	if m.Value != "" {
		subject += " = " + m.Value
	}
	if m.Want != "" {
		message = strings.TrimPrefix(message+"; want "+m.Want, "; ")
	}
	return fmt.Sprintf("%s (%s): %s", subject, m.Origin, message)
}

func (m *Mistake) Unwrap() error { return m.Err }

// Mistakes is everything wrong with the settings: the error of [Load]. Those of
// the file come first, then those of the environment, then those of the flags.
type Mistakes []*Mistake

// mostShown keeps a file that is no settings file at all from flooding the
// terminal.
const mostShown = 50

// Error gives each mistake a line.
func (ms Mistakes) Error() string {
	var b strings.Builder
	b.WriteString("wrong settings:")
	for i, m := range ms {
		if i == mostShown {
			fmt.Fprintf(&b, "\n  and %d more", len(ms)-i)
			break
		}
		b.WriteString("\n  " + m.Error())
	}
	return b.String()
}

// Unwrap gives errors.Is and errors.As the single mistakes.
func (ms Mistakes) Unwrap() []error {
	errs := make([]error, len(ms))
	for i, m := range ms {
		errs[i] = m
	}
	return errs
}

func quote(value string) string { return strconv.Quote(shorten(value)) }

// shorten clips a text that may be a whole file taken for a value.
func shorten(s string) string { return textutil.Clip(s, 80) }

// onOneLine quotes s if printing it as it is could upset a line or a terminal.
func onOneLine(s string) string {
	if quoted := strconv.Quote(s); quoted != `"`+s+`"` {
		return quoted
	}
	return s
}

// Nearest returns the name that was probably meant by a misspelt one.
func Nearest(name string, names []string) string {
	meant, _ := textutil.Nearest(strings.ReplaceAll(name, "_", "-"), names)
	return meant
}
