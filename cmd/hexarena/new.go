package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/completion"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/games"
)

func newNew() *cobra.Command {
	var game string
	cmd := &cobra.Command{
		Use:   "new FILE.py",
		Short: "Write a starter bot to begin with",
		Long:  "Write a starter bot in Python, which needs no packages. docs/player.md walks through it.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			if filepath.Ext(name) != ".py" {
				return fmt.Errorf("%q: the starter is a Python program; give it a name that ends in .py", name)
			}
			g, err := withStarter(game)
			if err != nil {
				return err
			}
			err = writeNew(name, g.Starter, 0o777)
			switch {
			case errors.Is(err, fs.ErrExist):
				return fmt.Errorf("%s exists already and is left as it is; choose another name", name)
			case err != nil:
				return err
			}
			chosen := ""
			if g != gameList[0] {
				chosen = "--game " + g.Name + " "
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Wrote %s. Let it play:\n\n    hexarena play %s%s %s\n", name, chosen, name, g.StarterSeats)
			return nil
		},
	}
	names := starterGames()
	cmd.Flags().StringVar(&game, "game", names[0], "what the bot plays: "+strings.Join(names, " or "))
	completion.Words(cmd, "game", names)
	return cmd
}

// starterGames returns the names of the games that have a starter.
func starterGames() (names []string) {
	for _, g := range gameList.That(func(g *games.Game) bool { return g.Starter != nil }) {
		names = append(names, g.Name)
	}
	return names
}

// withStarter returns the game of that name if it has a starter.
func withStarter(name string) (*games.Game, error) {
	if g := gameList.Find(name); g != nil && g.Starter != nil {
		return g, nil
	}
	names := starterGames()
	return nil, usage(fmt.Errorf("--game %s: there is no starter for it; choose %s%s", name, strings.Join(names, " or "), config.Suggest("; the nearest is ", name, names)))
}

// writeNew writes a file, which must not exist. It removes a file that it cannot write whole.
func writeNew(name string, content []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}
