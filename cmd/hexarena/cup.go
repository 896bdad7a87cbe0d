package main

import "github.com/spf13/cobra"

func newCup() *cobra.Command {
	cmd := &cobra.Command{
		Use:    "cup",
		Short:  "Compare bots over many matches",
		Hidden: true,
	}
	cmd.AddCommand(newCupShow(), newCupMerge(), newCupExport())
	return cmd
}
