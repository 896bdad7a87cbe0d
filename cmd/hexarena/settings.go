package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
)

// defineSettings gives a command the flags of its settings. The shell completes their values, and
// the help shows them in groups; --help-all shows those that few users need as well.
func defineSettings(cmd *cobra.Command, s config.Scope) {
	f := cmd.Flags()
	s.Flags(f)
	f.VisitAll(func(flag *pflag.Flag) { completeWords(cmd, flag.Name, config.Words(flag)) })
	all := false
	if config.HasRare(f) {
		cmd.InitDefaultHelpFlag() // first: its name is the beginning of the other
		f.BoolFunc("help-all", "help with all settings: limits, and what few users need", func(string) error {
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

// completeWords has the shell complete the values of a flag.
func completeWords(cmd *cobra.Command, flag string, words []string) {
	if words == nil {
		return
	}
	complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveDefault
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // there is no such flag, or it is defined twice
	}
}
