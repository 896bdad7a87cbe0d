package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
)

// defineSettings gives a command the flags of its settings, which the shell completes.
func defineSettings(cmd *cobra.Command, s config.Scope) {
	s.Flags(cmd.Flags())
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		words := config.Words(f)
		if words == nil {
			return
		}
		complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return words, cobra.ShellCompDirectiveDefault
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
			panic(err) // there is no such flag, or it is defined twice
		}
	})
}
