package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/recording"
)

// maxNotation is the largest size of a file in a notation, in bytes: thousands of matches.
const maxNotation = 1 << 20

func newReplayImport() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make recordings of matches that are written down in their game's notation",
		Long: `Make a recording of each match in a file in a game's notation, with an empty line between
two matches, so that they can be watched, exported and judged like any other. The
moves are played again by the rules; a match that was neither won nor a draw is
broken off where its moves end.`,
		Example: "  hexarena replay import games.txt --record recordings",
		Args:    cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&dir, "record", "recordings", "folder for the recordings")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		g, noted, err := readNotation(args[0])
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		said := tui.NewProgress(cmd.ErrOrStderr(), args[0], len(noted))
		defer said.Done()
		for i, n := range noted {
			path, err := recordNoted(dir, g, n, uint64(i+1))
			if err != nil {
				return fmt.Errorf("%s, game %d: %w", args[0], i+1, err)
			}
			said.Turn(i + 1)
			fmt.Fprintln(cmd.OutOrStdout(), "Recorded in", path)
		}
		return nil
	}
	return cmd
}

// readNotation returns the matches of a file, at least one, and the game in whose notation
// they are. If no game can read the file, it returns the error of the first.
func readNotation(path string) (*games.Game, []*games.Noted, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > maxNotation {
		return nil, nil, errors.New("it has more than 1 MiB")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var first error
	for _, g := range gameList {
		if g.Notation == nil {
			continue
		}
		list, err := g.Notation.Parse(string(text))
		if err == nil {
			return g, list, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, nil, first
}

// recordNoted plays the moves of a match by its rules and returns the path of the recording.
func recordNoted(dir string, g *games.Game, n *games.Noted, seed uint64) (path string, err error) {
	game, err := g.Replay(g.Rules[0], n.Setup)
	if err != nil {
		return "", err
	}
	return recording.Write(recording.Options{
		Dir: dir, Durable: recording.AtEnd, Program: "hexarena " + versionText(),
		Game: game, Map: n.Setup, MapName: g.Name, Seed: seed, Extra: n.Tags,
	}, n.Moves)
}
