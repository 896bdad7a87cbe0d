package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/export"
)

// showBoard prints the board after a turn as text.
func showBoard(cmd *cobra.Command, path string, turn int) error {
	return replayed(cmd, path, func(ctx context.Context, r export.Recording) error {
		text, err := r.Board(ctx, turn)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), tui.PlainLines(text))
		return err
	})
}
