// Package panics keeps a panic to what it happened in: one match, or the service
// to one client. All others go on.
package panics

import (
	"fmt"
	"runtime/debug"

	"github.com/rs/zerolog"
)

// Error is a panic that was caught. Whoever handles it logs it, with
// [zerolog.Event.EmbedObject], and ends what it happened in.
type Error struct {
	Value any    // of the panic
	Stack string // of its goroutine
}

func (e *Error) Error() string { return fmt.Sprint("panic: ", e.Value) }

// MarshalZerologObject implements zerolog.LogObjectMarshaler.
func (e *Error) MarshalZerologObject(line *zerolog.Event) {
	line.Str("panic", fmt.Sprint(e.Value)).Str("stack", e.Stack)
}

// Catch does something, and is the panic that ended it, nil if none did. What do
// has locked is to be unlocked by defer.
func Catch(do func()) (caught *Error) {
	defer func() {
		if v := recover(); v != nil {
			caught = &Error{v, string(debug.Stack())}
		}
	}()
	do()
	return nil
}
