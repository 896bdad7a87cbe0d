package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/cup/why"
	"github.com/hexarena/hexarena/server/launch"
)

func newCupDigest() *cobra.Command {
	name := ""
	cmd := &cobra.Command{
		Use:   "digest [DIR] --for NAME",
		Short: "Print where a bot of a cup loses: against whom, on which map and seat",
		Long: `Print where a bot of a cup loses: against which bots, on which maps and in which seats, the
worst first, and three typical lost matches with the commands that look at them. A match in which
several bots play counts once for each other bot.

Without DIR it takes the cup in the folder cups that was played last.`,
		Example: "  hexarena cup digest --for my_bot.py",
		Args:    cobra.MaximumNArgs(1),
	}
	cmd.Flags().StringVar(&name, "for", "", "name of the bot, as the standings have it")
	out := addOutput(cmd)
	addProgress(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if name == "" {
			return usageErrorf("--for NAME says for which bot the digest is")
		}
		c, err := openCup(args)
		if err != nil {
			return err
		}
		if err := checkBot(c, name); err != nil {
			return usage(err)
		}
		said := tui.NewProgress(cmd.ErrOrStderr(), tui.Plain(c.Dir)).Of("match")
		d, err := why.NewDigest(cmd.Context(), c, name, said.Step)
		said.Done()
		switch {
		case cmd.Context().Err() != nil:
			return cli.ErrInterrupted
		case err != nil:
			return err
		}
		var b strings.Builder
		b.WriteString(d.Text())
		for _, l := range d.Typical {
			fmt.Fprintf(&b, "match %d on %s, seat %d, %d behind %s\n", l.K, l.Map, l.Seat, l.Margin, l.To)
			look := []string{"hexarena", "cup", "replay", strconv.Itoa(l.K), c.Dir}
			if l.File != "" {
				look = []string{"hexarena", "replay", "digest", l.File, "--for", name}
			}
			fmt.Fprintf(&b, "  %s\n", launch.Quote(look))
		}
		return out.print(d, "%s\n", tui.PlainLines(b.String()))
	}
	return cmd
}
