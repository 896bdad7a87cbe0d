// Command hexarena is a place where bots fight on hexagonal boards: a server,
// local matches, bots and maps in one binary.
//
// This package reads flags, wires packages together and turns outcomes into
// exit codes. It has no rules and no protocol of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit codes, beyond 0: it worked.
const (
	exitFailure     = 1 // usage error, port taken, interrupted, match aborted
	exitNeverJoined = 3 // play --strict: a bot never logged in
	exitUnreliable  = 4 // play --strict: a bot crashed or skipped turns
)

// exitError is an error that was already told, and the exit code it stands for.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is main with its surroundings as arguments. The context of the commands
// ends with the first SIGINT or SIGTERM; a second one kills as usual.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var exit exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.code
	}
	fmt.Fprintln(stderr, "hexarena:", err)
	return exitFailure
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "hexarena",
		Short: "Bots fight on hexagonal boards",
		Long: `hexarena plays matches between bots on hexagonal boards.

  hexarena play                     watch a match of four built-in bots
  hexarena new my_bot.py            write a starter bot
  hexarena play my_bot.py painter   let it play
  hexarena serve                    host a match for bots that connect`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(newPlay(), newServe(), newBot(), newMaps(), newNew(), newConfig(), newVersion())
	return root
}
