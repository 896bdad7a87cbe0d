package cli

import (
	"context"
	"errors"
	"os"
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
	return interruptible(ctx, stop)
}

// ServerContext is Context for a server. SIGHUP does not end one with a certificate: a program that
// has renewed the certificate sends it, and the server reads the new one anyway. If the terminal is
// closed, the server's input ends.
func ServerContext(
	ctx context.Context, certificate string,
) (context.Context, context.CancelCauseFunc) {
	if certificate == "" {
		return Context(ctx)
	}
	renewed := make(chan os.Signal, 1)
	signal.Notify(renewed, syscall.SIGHUP) // not ignored, which bots would inherit
	return interruptible(ctx, func() { signal.Stop(renewed) })
}

// interruptible returns a context that ends with ctx, by ErrInterrupted. stop is called in the end.
func interruptible(
	ctx context.Context, stop func(),
) (context.Context, context.CancelCauseFunc) {
	plain, interrupt := context.WithCancelCause(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, func() { interrupt(ErrInterrupted) })
	return plain, func(err error) {
		interrupt(err)
		unhook()
		stop()
	}
}
