// Package harness holds what the programs that measure and attack a built hexarena
// have in common: their main function and flags, child processes, a hexarena to run,
// players and viewers that connect to it, statistics and a table.
package harness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Program is a command that runs until it is done or interrupted. It can start itself
// as one of its own child processes.
type Program struct {
	Name string
	// Setup declares the flags and returns what runs once they are parsed and checked. That
	// function returns soon after its context is done.
	Setup func(*Job) (run func(context.Context) error)
	// Children are selected by the first argument. A child process ends at once when it
	// is interrupted; the system closes its connections.
	Children map[string]func(args []string, in io.Reader, out io.Writer) error
}

// Main runs the program that the command line selects and exits with 1 if it fails.
func (p *Program) Main() {
	err := p.main(os.Args[1:])
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		os.Exit(1)
	}
}

func (p *Program) main(args []string) error {
	if p.IsChild(args) {
		return p.Children[args[0]](args[1:], os.Stdin, os.Stdout)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return p.Run(ctx, args, os.Stdout, os.Stderr)
}

// IsChild reports whether the arguments of a command line select a child.
func (p *Program) IsChild(args []string) bool {
	return len(args) > 0 && p.Children[args[0]] != nil
}

// ErrInterrupted is the error of a run whose context ended before it was done.
var ErrInterrupted = errors.New("interrupted")

// Run runs the program. It writes its result to out, and its progress and help to progress.
func (p *Program) Run(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	j := &Job{Flags: flag.NewFlagSet(p.Name, flag.ContinueOnError), Out: out, progress: progress}
	j.Flags.SetOutput(progress)
	run := p.Setup(j)
	if err := j.parse(args); err != nil {
		return err
	}
	if j.Self, err = os.Executable(); err != nil {
		return err
	}
	remove := func() {}
	if !j.Alone {
		j.Dir, j.Hexarena, remove, err = Workspace(ctx, p.Name, j.Hexarena)
	}
	if err == nil {
		defer remove()
		err = run(ctx)
	}
	if err != nil && ctx.Err() != nil {
		return ErrInterrupted
	}
	return err
}
