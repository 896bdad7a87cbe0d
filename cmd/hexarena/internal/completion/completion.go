// Package completion says what the shell completes in the command line.
package completion

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
)

// Settings completes the values of all settings that a command has flags for: their words, and
// files for those that may name one. For --config it completes settings files, for --seats the
// first SEAT.
func Settings(cmd *cobra.Command, list games.List) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch kind := f.Value.Type(); {
		case f.Name == "seats" && kind != "int": // that of cup is a number
			register(cmd, f.Name, Seats(list))
		case kind == config.FileType:
			Files(cmd, f.Name, "yaml", "yml")
		case kind != "string":
			Words(cmd, f.Name, config.Words(f))
		case len(config.Words(f)) > 0:
			register(cmd, f.Name, cobra.FixedCompletions(config.Words(f), cobra.ShellCompDirectiveDefault))
		}
	})
}

// Words completes the words that a flag accepts, and no files.
func Words(cmd *cobra.Command, flag string, words []string) {
	register(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// Files completes files with one of these extensions for a flag.
func Files(cmd *cobra.Command, flag string, extensions ...string) {
	register(cmd, flag, cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt))
}

// Seats completes SEATs of the game that the flag --game names: kinds of seats, built-in bots and
// files.
func Seats(list games.List) cobra.CompletionFunc {
	return bots(list, seat.PageArgument, seat.OpenArgument, seat.WaitArgument)
}

// Entrants completes SEATs of a cup, which starts its bots itself: built-in bots and files.
func Entrants(list games.List) cobra.CompletionFunc { return bots(list) }

// bots completes the given words, and built-in bots of the game that the flag --game names.
func bots(list games.List, words ...string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		all := slices.Clone(words)
		if g := list.Find(cmd.Flag("game").Value.String()); g != nil {
			all = append(all, g.BuiltinNames()...)
		}
		return all, cobra.ShellCompDirectiveDefault
	}
}

// Recordings completes the names of recordings.
var Recordings = cobra.FixedCompletions([]string{recording.Extension[1:]},
	cobra.ShellCompDirectiveFilterFileExt)

// register sets what the shell completes for a flag.
func register(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag is not defined, or registered twice
	}
}
