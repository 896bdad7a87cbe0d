package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
)

// usageError is an error in what the user gave: flags, arguments or settings.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usage marks an error as one in what the user gave; nil stays nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// isUsage reports whether an error is one in what the user gave.
func isUsage(err error) bool {
	return errors.As(err, new(usageError)) || errors.As(err, new(games.UsageError))
}

// usageErrorf returns a usageError with that text.
func usageErrorf(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

// listenCode returns the exit code for an error of a server that cannot listen. A port
// that is taken may be free later; a host name or a certificate that is wrong, or a port
// that is not permitted, is an error in the settings.
func listenCode(err error) int {
	var network *net.OpError
	var lookup *net.DNSError
	if errors.As(err, &network) && !errors.Is(err, fs.ErrPermission) && !(errors.As(err, &lookup) && lookup.IsNotFound) {
		return exitFailure
	}
	return exitUsage
}

// flagError adds to an error of parsing flags which flag it is, what was given, and what is
// accepted.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		if fit := fitting(f.Value.Type()); fit != "" {
			return usageErrorf("--%s: %q is not %s", f.Name, invalid.GetValue(), fit)
		}
	}
	return usage(config.FlagError(cmd.Flags(), err))
}

// fitting returns what a flag of that type accepts.
func fitting(kind string) string {
	switch kind {
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number from 0 to 18446744073709551615"
	case "float64":
		return "a number"
	case "duration":
		return "a time with its unit, such as 500ms or 10s"
	case "bool":
		return "true or false"
	}
	return ""
}

// explainArguments makes a command and all below it answer wrong arguments with their usage.
func explainArguments(cmd *cobra.Command) {
	if fits := cmd.Args; fits != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := fits(cmd, args)
			switch {
			case err == nil:
				return nil
			case len(args) == 0:
				return usageErrorf("something is missing; write: %s", cmd.UseLine())
			}
			return usageErrorf("%q does not fit; write: %s", strings.Join(args, " "), cmd.UseLine())
		}
	}
	if cmd.HasSubCommands() && !cmd.Runnable() {
		cmd.Args, cmd.RunE = cobra.ArbitraryArgs, helpOrComplain
	}
	for _, c := range cmd.Commands() {
		explainArguments(c)
	}
}

// typos is the largest edit distance of a suggested command, as in cobra.
const typos = 2

// helpOrComplain is the RunE of a command that only groups others.
func helpOrComplain(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	what := "there is no " + strconv.Quote(args[0])
	if cmd.HasParent() {
		what = cmd.CommandPath() + ": " + what
	}
	cmd.SuggestionsMinimumDistance = typos
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usageErrorf("%s; did you mean %s?", what, strings.Join(near, " or "))
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return usageErrorf("%s; there are %s", what, strings.Join(names, ", "))
}
