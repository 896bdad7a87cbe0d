package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/cupcli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/web"
)

// cupsDir is where the folders of cups are, unless another place is named.
const cupsDir = "cups"

// shownCupScope holds the settings of cup show.
var shownCupScope = config.Scope{Command: config.ShownCup}

func newCupShow() *cobra.Command {
	var (
		asJSON, asCSV bool
		page          cupcli.Page
	)
	cmd := &cobra.Command{
		Use:   "show [DIR]",
		Short: "Show the standings of a cup, also while it is played",
		Long: `Print the standings of a cup with their intervals, the scores of the bots against
each other, on each map and in each seat, and their errors, those that are alike
together. It changes nothing, so that it may run while the cup is played. Of an event it
prints the order that its pages show.

With --http or --open it then shows them on a page until Ctrl-C: the page follows a cup
that is being played, and leads from a figure of the cross-table to replays.

Without DIR it shows the cup in the folder cups that was played last.`,
		Args: cobra.MaximumNArgs(1),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print all of it as JSON; docs/cups.md lists the keys")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print the standings as CSV, a line for each bot")
	addPage(cmd, &page)
	addProgress(cmd)
	defineSettings(cmd, shownCupScope)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if asJSON && asCSV {
			return usageErrorf("--json and --csv: take one of them")
		}
		if err := config.CheckAddress("http", page.HTTP); err != nil {
			return usage(err)
		}
		v, err := shownCupScope.Load(cmd.Flags(), os.Environ())
		if err != nil {
			return usage(err)
		}
		page.Hosts = v.Text("page-hosts")
		c, err := openCup(args)
		if err != nil {
			return err
		}
		if event.IsEvent(c.Dir) {
			if page.Wanted() {
				return usageErrorf("--http, --open: the page of an event is its /screen; cup export writes " +
					"one that opens without a server")
			}
			return showEvent(cmd.OutOrStdout(), c.Dir, asJSON, asCSV)
		}
		s, rows := c.Resume()
		said := tui.NewProgress(cmd.ErrOrStderr(), tui.Plain(c.Dir)).Of("match")
		err = rows.AddTo(s, func(row *results.Row) error {
			said.Step(row.K+1, c.Plan.Matches())
			return interrupted(cmd)
		})
		said.Done()
		if err != nil {
			return err
		}
		table := s.Table(rating.TableResamples)
		if err := writeStandings(cmd.OutOrStdout(), table, asJSON, asCSV); err != nil {
			return err
		}
		return showCup(cmd, c, page)
	}
	return cmd
}

// addPage adds the flags of a page of a cup.
func addPage(cmd *cobra.Command, p *cupcli.Page) {
	cmd.Flags().StringVar(&p.HTTP, "http", "",
		"address of a page that shows the cup in browsers, such as "+web.DefaultAddress)
	cmd.Flags().BoolVar(&p.Open, "open", false, "open the page in a browser, and keep it until "+
		"Ctrl-C; without --http at "+web.DefaultAddress+", or another port if that is in use")
}

// writeStandings prints the standings of a cup.
func writeStandings(out io.Writer, table *standings.Table, asJSON, asCSV bool) error {
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

// showCup shows a cup on a page until Ctrl-C, if there is to be a page.
func showCup(cmd *cobra.Command, c *archive.Cup, page cupcli.Page) error {
	if !page.Wanted() {
		return nil
	}
	ctx, done := cli.Context(cmd.Context())
	defer done(nil)
	page.Program = programOf(cmd)
	shown, err := page.Show(ctx, c)
	if err != nil {
		return err
	}
	defer shown.Close()
	<-ctx.Done()
	return nil
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
		return cli.ErrInterrupted
	}
	return nil
}

// showEvent prints the order of the teams of an event, which its own pages show.
func showEvent(out io.Writer, dir string, asJSON, asCSV bool) error {
	a, err := event.ReadArchive(dir)
	switch {
	case err != nil:
		return err
	case asJSON:
		return a.Result.WriteJSON(out)
	case asCSV:
		return a.Result.WriteCSV(out)
	}
	return a.Result.WriteText(out)
}
