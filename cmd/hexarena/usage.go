package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording"
)

// usage marks an error as one in what the user gave: flags, arguments or settings; nil stays nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return games.UsageError{Err: err}
}

// isUsage reports whether an error is one in what the user gave.
func isUsage(err error) bool { return errors.As(err, new(games.UsageError)) }

// usageErrorf returns a usage error with that text.
func usageErrorf(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

// listenCode returns the exit code for an error of a server that cannot listen. A port
// that is in use may be free later; a host name or a certificate that is wrong, or a port
// that is not permitted, is an error in the settings.
func listenCode(err error) int {
	var network *net.OpError
	var lookup *net.DNSError
	if errors.As(err, &network) && !errors.Is(err, fs.ErrPermission) &&
		!(errors.As(err, &lookup) && lookup.IsNotFound) {
		return exitFailure
	}
	return exitUsage
}

// flagError adds to an error of parsing flags the flag, its value and what it accepts.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		if fit := fitting[f.Value.Type()]; fit != "" {
			return usageErrorf("--%s: %q is not %s", f.Name, invalid.GetValue(), fit)
		}
	}
	return usage(config.FlagError(cmd.Flags(), err))
}

// fitting describes what a flag accepts, by its type.
var fitting = map[string]string{
	"int":      "a whole number",
	"uint64":   "a whole number from 0 to 18446744073709551615",
	"float64":  "a number",
	"duration": "a time with its unit, such as 500ms or 10s",
	"bool":     "true or false",
}

// exclusion matches the end of cobra's message about flags that exclude each other.
var exclusion = regexp.MustCompile(`; \[(\S+) (\S+).*\] were all set$`)

// excluded returns an error that names flags that exclude each other.
func excluded(err error) error {
	if flags := exclusion.FindStringSubmatch(err.Error()); flags != nil {
		return usageErrorf("--%s and --%s exclude each other; leave one out", flags[1], flags[2])
	}
	return usage(err)
}

// explainArguments adds the usage to a command's errors of wrong arguments, and to its
// subcommands'.
func explainArguments(cmd *cobra.Command) {
	if fits := cmd.Args; fits != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := cmd.ValidateFlagGroups(); err != nil {
				return excluded(err)
			}
			err := fits(cmd, args)
			switch {
			case err == nil:
				return nil
			case len(args) == 0:
				return usageErrorf("missing argument %s; usage: %s", strings.Fields(cmd.Use)[1], cmd.UseLine())
			case !strings.Contains(cmd.Use, " "):
				return usageErrorf("%s takes no arguments (got %q)%s", cmd.Name(), strings.Join(args, " "),
					meant(cmd, args[0]))
			case fits(cmd, append(slices.Clip(args), args[0])) == nil:
				return usageErrorf("too few arguments: %q; usage: %s", strings.Join(args, " "), cmd.UseLine())
			}
			return usageErrorf("too many arguments: %q; usage: %s", strings.Join(args, " "), cmd.UseLine())
		}
	}
	if cmd.HasSubCommands() && !cmd.Runnable() {
		cmd.Args, cmd.RunE = cobra.ArbitraryArgs, helpOrComplain
	}
	for _, c := range cmd.Commands() {
		explainArguments(c)
	}
}

// meant returns what a word may have meant that is no argument: a command below this one, or the
// value of a flag.
func meant(cmd *cobra.Command, word string) string {
	if !cmd.HasAvailableSubCommands() {
		return meantFlag(cmd, word)
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, cmd.CommandPath()+" "+c.Name())
	}
	return "; there is " + strings.Join(names, ", ")
}

// meantFlag returns the flag that has a word among its values, as a question; "" if none or several
// have it.
func meantFlag(cmd *cobra.Command, word string) string {
	var flags []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		words := config.Words(f)
		if f.Name == "seats" {
			words, _ = completeSeats(cmd, nil, "")
		}
		if !f.Hidden && slices.Contains(words, word) {
			flags = append(flags, f.Name)
		}
	})
	if len(flags) != 1 {
		return ""
	}
	return fmt.Sprintf("; did you mean --%s %s?", flags[0], word)
}

// removedCommands returns hidden commands in place of those that were removed: they name the
// replacement.
func removedCommands() (list []*cobra.Command) {
	for name, instead := range config.RemovedCommands {
		text := fmt.Sprintf("%s: this command no longer exists: %s", name, instead)
		list = append(list, &cobra.Command{
			Use: name, Long: text, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error { return usageErrorf("%s", text) },
		})
	}
	return list
}

// typos is the largest edit distance of a suggested command, as in cobra.
const typos = 2

// explainTopic is the RunE of the command help: it shows the help of the command that args name.
func explainTopic(help *cobra.Command, args []string) error {
	topic, rest, err := help.Root().Find(args)
	if err != nil || len(rest) > 0 && topic.HasSubCommands() {
		return helpOrComplain(topic, rest)
	}
	topic.InitDefaultHelpFlag()
	return topic.Help()
}

// helpOrComplain is the RunE of a command that only groups others.
func helpOrComplain(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	what := "there is no " + strconv.Quote(args[0])
	if cmd.HasParent() {
		what = cmd.Name() + ": " + what
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

// helpAll is the name of the flag for the whole help.
const helpAll = "help-all"

// defineSettings gives a command the flags of its settings. The shell completes their values, and
// the help shows them in groups; --help-all shows those that few users need as well.
func defineSettings(cmd *cobra.Command, s config.Scope) {
	f := cmd.Flags()
	s.Flags(f)
	completeSettings(cmd)
	all := false
	if config.HasRare(f) {
		cmd.InitDefaultHelpFlag() // first: its name is the beginning of the other
		f.BoolFunc(helpAll, "help with all settings, including limits and rarely used "+
			"ones", func(string) error {
			all = true
			return f.Set("help", "true")
		})
	}
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		var b strings.Builder
		fmt.Fprintf(&b, "Usage:\n  %s\n", cmd.UseLine())
		if cmd.HasExample() {
			fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
		}
		b.WriteString(config.Help(cmd.Flags(), all))
		_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
		return err
	})
}

// checkRecord returns an error if matches cannot be recorded in the folder of the settings.
func checkRecord(v config.Values) error {
	if err := recording.CheckFolder(v.Text("record")); err != nil {
		return v.Mistake("record", "%w", err)
	}
	return nil
}
