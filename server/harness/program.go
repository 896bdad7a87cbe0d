// Package harness holds what the programs that measure and attack a built hexarena
// have in common: their main function, child processes, a hexarena to run,
// connections to it, the orders of a player, and statistics.
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
	// Run writes its result to out, and its progress and help to progress. It returns
	// soon after ctx is done.
	Run func(ctx context.Context, args []string, out, progress io.Writer) error
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

// ErrInterrupted is what Run returns when ctx ended before it was done.
var ErrInterrupted = errors.New("interrupted")

// Interrupted returns ErrInterrupted if ctx is done, whatever err is, and else err.
func Interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	return err
}
