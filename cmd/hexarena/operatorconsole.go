package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/rs/zerolog"
	"golang.org/x/term"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/logs"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/prompt"
	"github.com/hexarena/hexarena/server/session"
)

// operatorConsole reads the operator's commands from standard input and writes the log to
// standard output, with line editing where both are a terminal.
type operatorConsole struct {
	in       io.Reader
	out      *logs.Console
	terminal *prompt.Terminal // or nil
}

func openConsole(c config.Config, stdin io.Reader, stdout io.Writer) (*operatorConsole, error) {
	d := &operatorConsole{in: stdin}
	in, out := terminalFile(stdin), terminalFile(stdout)
	if in != nil && out != nil && !c.SimplePrompt {
		terminal, err := prompt.OpenTerminal(in, out)
		if err != nil {
			return nil, fmt.Errorf("the terminal cannot be controlled; use --simple-prompt: %w", err)
		}
		d.terminal = terminal
		stdout = terminal
	}
	d.out = logs.NewConsole(forLog(stdout))
	return d, nil
}

// terminalFile returns f if it is a terminal, else nil.
func terminalFile(f any) *os.File {
	if file, ok := f.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// Close writes the rest of the log and restores the terminal.
func (d *operatorConsole) Close() {
	d.out.Close()
	d.restore()
}

// restore restores the terminal, so that Ctrl-C is a signal again.
func (d *operatorConsole) restore() {
	if d.terminal != nil {
		d.terminal.Close()
	}
}

// Reasons why a server stops early.
var (
	errShell  = errors.New("the operator quit")
	errSignal = errors.New("interrupted")
)

// run plays the matches and executes the operator's commands. It logs the first reason to stop
// before the server stops. ctx ends with a signal.
func (d *operatorConsole) run(ctx context.Context, s *schedule) error {
	log := s.log
	abort := func(why error, level zerolog.Level, text string) func() {
		return func() {
			d.restore()
			if s.stopped.claim(why) {
				log.WithLevel(level).Msg(text)
			}
			s.stop(why) // also ends the wait for clients after the last match
		}
	}
	const shellExited = "Shell exited. Aborting."
	interrupt := func() {
		abort(errSignal, zerolog.WarnLevel, s.signalName(ctx)+" received. Aborting.")()
	}
	hangUp := abort(errSignal, zerolog.WarnLevel, "Interrupted at the terminal. Aborting.")
	quit := abort(errShell, zerolog.InfoLevel, "Stopped by the operator")
	if s.game.plain {
		hangUp = abort(errSignal, zerolog.WarnLevel, shellExited)
		quit = abort(errShell, zerolog.WarnLevel, shellExited)
	}
	drained := make(chan struct{})
	signalled := context.AfterFunc(ctx, func() {
		defer close(drained)
		if p := panics.Catch(func() { d.drainMatches(ctx, s, interrupt) }); p != nil {
			log.Error().EmbedObject(p).Msg("Finishing the match failed")
			interrupt()
		}
	})
	d.listen(&prompt.Prompt{
		Match: s.match, Variables: variables(s.game.most()), Out: d.out, Log: log, Quit: quit,
		Netorcai: s.game.plain,
	}, hangUp)
	err := s.stopped.settle(s.play())
	s.shutdown()
	if !signalled() {
		<-drained
	}
	if err == nil || errors.Is(err, errShell) {
		return nil
	}
	logAborted(log, err)
	return exitError{exitFailure}
}

// logAborted logs why a match was aborted, unless that is in the log.
func logAborted(log zerolog.Logger, err error) {
	if !errors.Is(err, errSignal) && !errors.Is(err, session.ErrLogicFailed) &&
		!errors.Is(err, match.ErrFailed) {
		log.Error().Err(err).Msg("Match aborted")
	}
}

// signalName returns the name of the signal that has ended ctx. netorcai has one line for all.
func (s *schedule) signalName(ctx context.Context) string {
	if s.game.plain {
		return "SIGTERM"
	}
	return cli.SignalName(ctx)
}

// drainMatches waits until matches that have started end by themselves, for at most the drain
// timeout, before it interrupts them.
func (d *operatorConsole) drainMatches(ctx context.Context, s *schedule, interrupt func()) {
	if !s.game.plain {
		s.host.Interrupt()
	}
	if limit := s.config.DrainTimeout; limit > 0 {
		most, cancel := context.WithTimeout(s.ctx, limit)
		defer cancel()
		var running []<-chan struct{} // each closed when a match is over
		started := s.host.Drain()
		for _, r := range started {
			running = append(running, r.Done())
		}
		if s.hivemaker != nil {
			running = append(running, s.hivemaker.Drain()...)
		}
		if !allClosed(running) {
			s.log.Warn().Stringer("drain_timeout", limit).
				Msg(s.signalName(ctx) + " received. Finishing the match.")
		}
		for _, over := range running {
			select {
			case <-over:
			case <-most.Done():
			}
		}
		if slices.Contains(started, s.room.Load()) && allClosed(running) {
			return
		}
	}
	interrupt()
}

func allClosed(list []<-chan struct{}) bool {
	return !slices.ContainsFunc(list, func(c <-chan struct{}) bool {
		select {
		case <-c:
			return false
		default:
			return true
		}
	})
}

// listen executes commands in a goroutine that ends with its input, which may last as long
// as the process. It calls hangUp when the input of a terminal ends.
func (d *operatorConsole) listen(p *prompt.Prompt, hangUp func()) {
	read := func() { p.Read(d.in) }
	if d.terminal != nil {
		read = func() { d.terminal.Read(p, hangUp) }
	}
	go func() {
		if caught := panics.Catch(read); caught != nil {
			p.Log.Error().EmbedObject(caught).Msg("No more commands are read")
		}
	}()
}

// stopReason is the first reason for which a server stops. It alone is in the log, and decides the
// exit code.
type stopReason struct {
	mu    sync.Mutex // guards the fields below
	given bool
	err   error
}

// claim makes err the reason, and reports whether there was none before. nil means that the last
// match is over.
func (r *stopReason) claim(err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.given {
		return false
	}
	r.given, r.err = true, err
	return true
}

// settle makes err the reason if there was none before, and returns the reason.
func (r *stopReason) settle(err error) error {
	r.claim(err)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}
