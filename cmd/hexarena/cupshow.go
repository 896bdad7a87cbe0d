package main

import (
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/signals"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// cupsDir is where the folders of cups are, unless another place is named.
const cupsDir = "cups"

func newCupShow() *cobra.Command {
	var asJSON, asCSV bool
	cmd := &cobra.Command{
		Use:   "show [DIR]",
		Short: "Print the standings of a cup, also while it is played",
		Long: `Print the standings of a cup with their intervals, the scores of the bots against
each other, on each map and in each seat, and their errors, those that are alike
together. It changes nothing, so that it may run while the cup is played.

Without DIR it shows the cup in the folder cups that was played last.`,
		Args: cobra.MaximumNArgs(1),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print all of it as JSON; docs/cups.md lists the keys")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print the standings as CSV, a line for each bot")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if asJSON && asCSV {
			return usageErrorf("--json and --csv: take one of them")
		}
		c, err := openCup(args)
		if err != nil {
			return err
		}
		s, rows := c.Resume()
		if err := rows.AddTo(s, func(*results.Row) error { return interrupted(cmd) }); err != nil {
			return err
		}
		table := s.Table(rating.TableResamples)
		out := cmd.OutOrStdout()
		switch {
		case asJSON:
			return table.WriteJSON(out)
		case asCSV:
			return table.WriteCSV(out)
		}
		if err := tui.WriteStandings(out, table); err != nil {
			return err
		}
		return tui.WriteDetails(out, table)
	}
	return cmd
}

// openCup returns the cup in the folder that the arguments of a command name, or the one that was
// played last.
func openCup(args []string) (*archive.Cup, error) {
	if len(args) == 0 {
		dir, err := archive.Find(cupsDir)
		if err != nil {
			return nil, usage(err)
		}
		args = []string{dir}
	}
	c, err := archive.Open(args[0])
	return c, usage(err)
}

// interrupted returns an error once the command is to end.
func interrupted(cmd *cobra.Command) error {
	if cmd.Context().Err() != nil {
		return signals.ErrInterrupted
	}
	return nil
}

// tableOf returns the standings of a cup, and calls see for each of its rows.
func tableOf(cmd *cobra.Command, c *archive.Cup, see func(*results.Row)) (*standings.Table, error) {
	s, err := c.Standings(func(row *results.Row) error {
		see(row)
		return interrupted(cmd)
	})
	if err != nil {
		return nil, err
	}
	return s.Table(rating.TableResamples), nil
}
