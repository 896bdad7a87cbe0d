package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/launch"
)

func newReplayDigest() *cobra.Command {
	name := ""
	cmd := &cobra.Command{
		Use:   "digest FILE --for NAME",
		Short: "Print in at most 2 000 words what a bot's author needs to know of a match",
		Long: `Print in at most 2 000 words what the author of a bot needs to know of a recorded match: the
result, how far the bot was ahead in 20 numbers, the turn at which the lead changed for good, the
turns that decided with the board before and after, the bot's refused actions by reason, the time
that it used, and the end of its output.`,
		Example: "  hexarena replay digest m.hexarena --for my_bot.py",
		Args:    cobra.ExactArgs(1),

		ValidArgsFunction: completeRecordings,
	}
	addProgress(cmd)
	cmd.Flags().StringVar(&name, "for", "", "name of the player, as the ranking has it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if name == "" {
			return usageErrorf("--for NAME says for which player the digest is")
		}
		return replayed(cmd, args[0], func(ctx context.Context, r export.Recording) error {
			d, err := r.Digest(ctx, name)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), tui.PlainLines(d.Text(launch.Quote(args))))
			return err
		})
	}
	return cmd
}
