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
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/server/memlimit"
)

// Exit codes, beyond 0: it worked. docs/operator.md lists them all.
const (
	exitFailure     = 1 // port taken, interrupted, match aborted, anything else
	exitUsage       = 2 // wrong flags, arguments or settings: trying again is no use
	exitNeverJoined = 3 // play --strict: a bot never logged in
	exitUnreliable  = 4 // play --strict: a bot crashed, left early, skipped a turn or logged in twice
	exitTruncated   = 5 // replay verify: a recording is truncated, and its turns agree
)

// exitError is an error that was reported already; it sets the exit code.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

func main() { os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr)) }

// programs are the programs that this one replaces: when it runs under one of these names,
// as a link or a copy, it behaves as that program. The command install makes the links. Each
// is a command of hexarena as well.
var programs = map[string]func() *cobra.Command{
	"netorcai": newNetorcai,
	"hexabomb": newHexabomb,
}

// run is main with its surroundings as arguments. The context of the commands
// ends with the first SIGINT or SIGTERM; a second one kills as usual.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	memlimit.Apply()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	name := programName(args[0])
	root := newRoot()
	if program := programs[name]; program != nil {
		root = program()
		root.CompletionOptions.DisableDefaultCmd = true // these programs have no such command
	}
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetArgs(args[1:])
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
	fmt.Fprintf(stderr, "%s: %v\n", root.Name(), err)
	if isUsage(err) && programs[name] == nil {
		return exitUsage
	}
	return exitFailure
}

// programName returns the name under which a program runs.
func programName(path string) string {
	name := filepath.Base(path)
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".exe") {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}
