package cli

import (
	"context"
	"errors"
	"os/signal"
	"syscall"
)

// ErrInterrupted is why a command ends that its user stops.
var ErrInterrupted = errors.New("interrupted")

// Context returns a context that ends with ctx or, unless nohup ignores that, when the terminal is
// closed. Its cause is then ErrInterrupted. The caller must call the function in the end.
func Context(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	stop := func() {}
	if !signal.Ignored(syscall.SIGHUP) {
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGHUP)
	}
	plain, interrupt := context.WithCancelCause(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, func() { interrupt(ErrInterrupted) })
	return plain, func(err error) {
		interrupt(err)
		unhook()
		stop()
	}
}
