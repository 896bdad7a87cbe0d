package main

import (
	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/launch"
)

func newCupMerge() *cobra.Command {
	var out string
	var printed *output
	cmd := &cobra.Command{
		Use:   "merge DIR… --out DIR",
		Short: "Make one cup of those that machines played as shards",
		Long: `Make one cup of the folders that were played with --shard 1/n to n/n. The result has
the bytes that one run would have written. Folders of different plans, a shard that is
missing, and one that was not played to its end are refused.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usageErrorf("--out: name the folder to write")
			}
			said := tui.NewProgress(cmd.ErrOrStderr(), tui.Plain(out)).Of("match")
			n, err := cup.Merge(cmd.Context(), args, out, said.Step)
			said.Done()
			if cmd.Context().Err() != nil {
				return cli.ErrInterrupted
			}
			if err != nil {
				return err
			}
			return printed.print(struct {
				Matches int    `json:"matches"`
				Folder  string `json:"folder"`
			}{n, out}, "Merged %s into %s. To see them:\n  %s\n",
				textutil.Counted(n, "match", "matches"), tui.Plain(out),
				launch.Quote([]string{"hexarena", "cup", "show", out}))
		},
	}
	printed = addOutput(cmd)
	addProgress(cmd)
	cmd.Flags().StringVar(&out, "out", "", "the folder to write, which must not exist")
	return cmd
}
