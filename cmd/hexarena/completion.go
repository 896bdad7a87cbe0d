package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
)

// completeSettings completes the values of all settings that a command has flags for: their words,
// and files for those that may name one. For --config it completes settings files, for --seats the
// first SEAT.
func completeSettings(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch kind, words := f.Value.Type(), config.Words(f); {
		case f.Name == "seats" && kind != "int": // that of cup is a number
			completeFlag(cmd, f.Name, completeSeats)
		case kind == config.FileType:
			completeFiles(cmd, f.Name, "yaml", "yml")
		case kind != "string":
			completeWords(cmd, f.Name, words)
		case len(words) > 0:
			completeFlag(cmd, f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveDefault))
		}
	})
}

// completeWords completes the words that a flag accepts, and no files.
func completeWords(cmd *cobra.Command, flag string, words []string) {
	completeFlag(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completeFiles completes files with one of these extensions for a flag.
func completeFiles(cmd *cobra.Command, flag string, extensions ...string) {
	completeFlag(cmd, flag, cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt))
}

// completeSeats completes SEATs of the game that the flag --game names: kinds of seats, built-in
// bots and files.
var completeSeats = completeBots(seat.PageArgument, seat.OpenArgument, seat.WaitArgument)

// completeEntrants completes SEATs of a cup, which starts its bots itself: built-in bots and files.
var completeEntrants = completeBots()

// completeBots completes the given words, and built-in bots of the game that the flag --game names.
func completeBots(words ...string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		all := slices.Clone(words)
		if g := gameList.Find(cmd.Flag("game").Value.String()); g != nil {
			all = append(all, g.BuiltinNames()...)
		}
		return all, cobra.ShellCompDirectiveDefault
	}
}

// completeRecordings completes the names of recordings.
var completeRecordings = cobra.FixedCompletions([]string{recording.Extension[1:]},
	cobra.ShellCompDirectiveFilterFileExt)

// completeFlag sets what the shell completes for a flag.
func completeFlag(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // the flag is not defined, or registered twice
	}
}
