// Package panics confines a panic to the match or the client's session that it happened in.
// All others go on.
package panics

import (
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// Error is a panic that was caught. Its handler logs it with [zerolog.Event.EmbedObject] and
// ends the match or session in which it happened.
type Error struct {
	Value any    // argument of panic
	Stack string // of its goroutine
}

func (e *Error) Error() string { return fmt.Sprint("panic: ", e.Value) }

// MarshalZerologObject implements zerolog.LogObjectMarshaler.
func (e *Error) MarshalZerologObject(line *zerolog.Event) {
	line.Str("panic", fmt.Sprint(e.Value)).Str("stack", e.Stack)
}

// Catch calls do and returns its panic, or nil. If do locks a mutex, it must unlock it by
// defer.
func Catch(do func()) (caught *Error) {
	defer func() {
		if v := recover(); v != nil {
			caught = &Error{v, string(debug.Stack())}
		}
	}()
	do()
	return nil
}

// Go calls do in a goroutine that group waits for. failed is called if do panics.
func Go(group *sync.WaitGroup, do func(), failed func(*Error)) {
	group.Go(func() { handle(do, failed) })
}

// AfterFunc is like time.AfterFunc, and calls failed if do panics.
func AfterFunc(d time.Duration, do func(), failed func(*Error)) *time.Timer {
	return time.AfterFunc(d, func() { handle(do, failed) })
}

func handle(do func(), failed func(*Error)) {
	if p := Catch(do); p != nil {
		failed(p)
	}
}

// Logged returns a handler that only logs the panic, with the message what.
func Logged(log zerolog.Logger, what string) func(*Error) {
	return func(p *Error) { log.Error().EmbedObject(p).Msg(what) }
}
