// Command hexarena is a place where bots fight on hexagonal boards: a server,
// local matches, bots and maps in one binary.
//
// This package reads flags, wires packages together and turns outcomes into
// exit codes. It has neither rules nor a protocol.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/inconshreveable/mousetrap"
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/machine/memlimit"
	"github.com/hexarena/hexarena/server/machine/processors"
)

// Exit codes other than 0, which means success. docs/operator.md lists them all, and a test
// compares that table with them.
const (
	exitFailure     = 1 // port taken, interrupted, match aborted, anything else
	exitUsage       = 2 // wrong flags, arguments or settings: trying again does not help
	exitNeverJoined = 3 // play --strict: a bot never logged in
	exitUnreliable  = 4 // play --strict: a bot crashed, left early, skipped a turn or logged in twice
	exitNotBetter   = 3 // cup: the new version is not better
	exitExamFailed  = 3 // cup --exam: a bot does not reach its marks
	// cup: it is not decided whether it is, or a submission of an exam could not be examined
	exitUndecided = 4
	exitDenied    = 3 // join: the server does not accept the token
	exitNoSeat    = 4 // join: no seat is free
	exitTruncated = 5 // replay verify: a recording is truncated, and its turns agree
)

// exitError is an error that was reported already; it sets the exit code.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

func main() {
	cobra.MousetrapHelpText = "" // clicked does more than to say that this is a command
	os.Exit(run(clicked(os.Args), os.Stdin, os.Stdout, os.Stderr))
}

// clicked returns the arguments of this program. A double click in the Explorer of Windows gives
// none, and opens the editor in the browser.
func clicked(args []string) []string {
	if len(args) == 1 && mousetrap.StartedByExplorer() {
		return append(args, "play", "page", "--open")
	}
	return args
}

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
	processors.Follow()
	ctx, stop := cli.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	// Otherwise the first line that a closed pipe does not take would kill the program, with its
	// matches and before its bots are stopped. To ignore the signal would do so for bots as well.
	closedPipe := make(chan os.Signal, 1)
	signal.Notify(closedPipe, syscall.SIGPIPE)
	defer signal.Stop(closedPipe)

	ctx, removeCheckouts := cli.WithCheckouts(ctx)
	defer removeCheckouts()

	name := programName(args[0])
	root := newRoot()
	if program := programs[name]; program != nil {
		root = program()
		root.CompletionOptions.DisableDefaultCmd = true // these programs have no such command
	}
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetArgs(args[1:])
	root.SetIn(stdin)
	checked := &checkedOutput{Writer: stdout}
	root.SetOut(checked)
	if tui.IsTerminal(stdout) {
		root.SetOut(stdout)
	}
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if failed := checked.failed.Load(); err == nil && failed != nil && !isClosedPipe(*failed) {
		err = *failed
	}
	var exit exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.code
	case isClosedPipe(err):
		return exitFailure
	}
	if programs[name] != nil {
		fmt.Fprintf(stderr, "%s: %s\n", name, tui.PlainLines(err.Error()))
		return exitFailure
	}
	code := exitFailure
	if isUsage(err) {
		code = exitUsage
	}
	printError(stderr, cmd, args[1:], err, code)
	return code
}

// isClosedPipe reports whether an error is only that standard output is a pipe whose reader has
// ended, such as head, which has read all that it needs.
func isClosedPipe(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		switch failed := err.(type) {
		case *fs.PathError:
			return failed.Path == os.Stdout.Name() && failed.Err == syscall.EPIPE
		case interface{ Unwrap() []error }:
			return !slices.ContainsFunc(failed.Unwrap(), func(e error) bool { return !isClosedPipe(e) })
		}
	}
	return false
}

// programName returns the name under which a program runs.
func programName(path string) string {
	name := filepath.Base(path)
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".exe") {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// newRoot makes the program's command. Its help lists the commands that most people need, and
// hexarena help more the others.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "hexarena",
		Short: "Bots fight on hexagonal boards",
		Long: `hexarena plays matches between bots on hexagonal boards.

  hexarena play                     watch a match of four built-in bots
  hexarena new my_bot.py            write a starter bot
  hexarena play my_bot.py painter   let it play
  hexarena check my_bot.py          find out what it does wrong
  hexarena serve                    host a match for bots that connect
  hexarena join URL my_bot.py       join it from your own machine`,
	}
	root.AddCommand(newServe(), newWorker(), newMaps(), newMCP(), newBot(), newLLM(), newConfig(),
		newEnv(), newHealth(), newHexabomb(), newInstall(), newNetorcai(), newTokens(), newVersion())
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	root.AddCommand(&cobra.Command{
		Use: "more", Short: "List the other commands", Hidden: true,
		Long: "The other commands of hexarena:\n\n" + listOf(root.Commands()),
	})
	root.AddCommand(removedCommands()...)
	usual := []*cobra.Command{
		newNew(), newPlay(), newCheck(), newCup(), newEvent(), newJoin(), newReplay(),
	}
	list := listOf(usual)
	root.AddCommand(usual...)
	ofOthers := root.UsageFunc()
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		if cmd != root {
			return ofOthers(cmd)
		}
		_, err := fmt.Fprintf(cmd.OutOrStderr(), "Commands:\n%s\n"+
			"hexarena help COMMAND explains a command, and hexarena help more lists the others.\n", list)
		return err
	})
	root.SetFlagErrorFunc(flagError)
	explainArguments(root)
	printVersion(root)
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.RunE = explainTopic
	}
	return root
}

// listOf returns a list of commands for the help.
func listOf(commands []*cobra.Command) string {
	var b strings.Builder
	for _, cmd := range commands {
		fmt.Fprintf(&b, "  %-12s %s\n", cmd.Name(), cmd.Short)
	}
	return b.String()
}
