package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/export"
)

func newReplay() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "replay",
		Short: "Verify, show and export recordings, and let a bot play one again",
		Long: `Verify, show and export recordings of matches, and let a bot play one again.

Every match that hexarena plays is recorded in a file in the folder recordings.
Truncated recordings are read up to the last complete turn.`,
	}
	cmd.AddCommand(newReplayVerify(), newReplayShow(), newReplayDigest(), newReplayExport(),
		newReplayImport(), newReplayPlay(), newReplayRerun(), newAnalyse())
	return cmd
}

// addPlayer gives a command the flag --player, the id of a player. Its former name, --seat, is
// accepted as well; elsewhere seats count from 1. The settings of the command are defined before.
func addPlayer(f *pflag.FlagSet, to *int, usual int, about string) {
	f.IntVar(to, "player", usual, about)
	others := f.GetNormalizeFunc()
	f.SetNormalizeFunc(func(f *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "seat" {
			return "player"
		}
		return others(f, name)
	})
}

// replayed calls do with the recording in a file, and shows the progress while do replays it.
func replayed(
	cmd *cobra.Command, path string, do func(context.Context, export.Recording) error,
) error {
	said := tui.NewProgress(cmd.ErrOrStderr(), path)
	defer said.Done()
	err := do(cmd.Context(), export.Recording{Path: path, Games: gameList, Progress: said.Step})
	if err != nil && cmd.Context().Err() != nil {
		return cli.ErrInterrupted
	}
	return err
}
