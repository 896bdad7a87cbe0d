// Package panics keeps a panic to what it happened in: one match, or the service
// to one client. All others go on.
package panics

import (
	"fmt"
	"runtime/debug"
	"sync"
	"time"

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

// Go does something in a goroutine of its own, which group waits for. failed handles
// the panic that ended it, if one did.
func Go(group *sync.WaitGroup, do func(), failed func(*Error)) {
	group.Go(func() { handle(do, failed) })
}

// AfterFunc is time.AfterFunc for what may panic; failed handles that.
func AfterFunc(d time.Duration, do func(), failed func(*Error)) *time.Timer {
	return time.AfterFunc(d, func() { handle(do, failed) })
}

func handle(do func(), failed func(*Error)) {
	if p := Catch(do); p != nil {
		failed(p)
	}
}

// Logged handles a panic that nothing is to be ended for: the log says what failed.
func Logged(log zerolog.Logger, what string) func(*Error) {
	return func(p *Error) { log.Error().EmbedObject(p).Msg(what) }
}
