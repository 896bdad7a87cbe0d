package main

import "github.com/spf13/cobra"

func newCup() *cobra.Command {
	return &cobra.Command{
		Use:    "cup",
		Short:  "Compare bots over many matches",
		Hidden: true,
	}
}
