package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/config/textutil"
)

// Mistake is one error in the settings. Its text has the form
//
//	port = "70000" (flag --port): want an integer from 1 to 65535
type Mistake struct {
	Key    string // the setting, or the unknown name as it was given
	Value  string // quoted, and cut if it is long; may be empty
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

// Mistakes holds all errors in the settings, as [Scope.Load] returns them: those of the
// file first, then those of the environment, then those of the flags.
type Mistakes []*Mistake

// mostShown bounds the output for a file that is not a settings file.
const mostShown = 50

// Error returns a line for each mistake.
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

// Unwrap returns the mistakes for errors.Is and errors.As.
func (ms Mistakes) Unwrap() []error {
	errs := make([]error, len(ms))
	for i, m := range ms {
		errs[i] = m
	}
	return errs
}

func quote(value string) string { return strconv.Quote(shorten(value)) }

// shorten shortens a text, which may be a whole file used as a value.
func shorten(s string) string { return textutil.Clip(s, 80) }

// onOneLine quotes s if it does not fit on a line or could change the state of a terminal.
func onOneLine(s string) string {
	if quoted := strconv.Quote(s); quoted != `"`+s+`"` {
		return quoted
	}
	return s
}

// similar is the most edits by which a suggested name differs from the misspelt one, and half of
// the misspelt name's length is the other bound: a name that has little in common confuses.
const similar = 3

// Suggest returns lead and the most similar name to a misspelt one, or "" if none is similar.
func Suggest(lead, name string, names []string) string {
	meant, edits := textutil.Nearest(strings.ReplaceAll(name, "_", "-"), names)
	if meant == "" || edits > similar || 2*edits > len(name) {
		return ""
	}
	return lead + meant
}
