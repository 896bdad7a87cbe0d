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

// interruption is ErrInterrupted by a signal.
type interruption struct{ by os.Signal }

func (interruption) Error() string { return ErrInterrupted.Error() }

func (interruption) Is(target error) bool { return target == ErrInterrupted }

// NotifyContext is like [signal.NotifyContext], and [SignalName] names the signal.
func NotifyContext(
	ctx context.Context, signals ...os.Signal,
) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, signals...)
	go func() {
		select {
		case s := <-heard:
			cancel(interruption{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(nil)
		signal.Stop(heard)
	}
}

// SignalName returns the name of the signal that has ended a context, SIGTERM if none has.
func SignalName(ctx context.Context) string {
	i, _ := errors.AsType[interruption](context.Cause(ctx))
	switch i.by {
	case os.Interrupt:
		return "SIGINT"
	case syscall.SIGHUP:
		return "SIGHUP"
	}
	return "SIGTERM"
}

// Context returns a context that ends with ctx or, unless nohup ignores that, when the terminal is
// closed. Its cause is then ErrInterrupted. The caller must call the function in the end.
func Context(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	stop := func() {}
	if !signal.Ignored(syscall.SIGHUP) {
		ctx, stop = NotifyContext(ctx, syscall.SIGHUP)
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
	unhook := context.AfterFunc(ctx, func() {
		cause := context.Cause(ctx)
		if !errors.Is(cause, ErrInterrupted) {
			cause = ErrInterrupted
		}
		interrupt(cause)
	})
	return plain, func(err error) {
		interrupt(err)
		unhook()
		stop()
	}
}
