package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/recording"
)

func newReplayImport() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make recordings of matches that are written in a game's notation",
		Long: `Make a recording of each match in a file in a game's notation, with an empty line between
two matches, so that they can be watched, exported and judged like any other. The
moves are played again by the rules; a match that was neither won nor a draw is
broken off where its moves end.`,
		Example: "  hexarena replay import games.txt --record recordings",
		Args:    cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&dir, "record", "recordings", "folder for the recordings")
	out := addOutput(cmd)
	addProgress(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		g, noted, err := export.ReadNotation(gameList, args[0])
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], withoutPath(err, args[0]))
		}
		said := tui.NewProgress(cmd.ErrOrStderr(), args[0])
		defer said.Done()
		var packer recording.Packer
		var list struct {
			Recordings []string `json:"recordings"`
		}
		for i, n := range noted {
			o := recording.Options{
				Dir: dir, Program: "hexarena " + versionText(), Seed: uint64(i + 1), Packer: &packer,
			}
			path, err := export.RecordNoted(o, g, n)
			if err != nil {
				return fmt.Errorf("%s, game %d: %w", args[0], i+1, err)
			}
			said.Step(i+1, len(noted))
			list.Recordings = append(list.Recordings, path)
			out.text("Recorded in %s\n", path)
		}
		return out.value(list)
	}
	return cmd
}
