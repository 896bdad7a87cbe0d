package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/export"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/picture"
	"github.com/hexarena/hexarena/server/launch"
)

func newMaps() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "maps",
		Short: "List, show, check and generate maps",
	}
	cmd.AddCommand(newMapsList(), newMapsShow(), newMapsCheck(), newMapsNew())
	return cmd
}

func newMapsList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the maps that come with hexarena",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			tw := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(tw, "NAME\tPLAYERS\tCHARACTERS\tSPECIALS\tCELLS\tHOLES\tCORRIDORS\t")
			for _, i := range maps.List() {
				fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t%d\t%.0f %%\t%s\n",
					i.Name, i.Players, i.Characters, i.Specials, i.Cells, i.Holes, 100*i.Corridors, i.Description)
			}
			return tw.Flush()
		},
	}
}

func newMapsShow() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show NAME|FILE",
		Short: "Draw a map in the terminal or as SVG",
		Args:  cobra.ExactArgs(1),

		// and files
		ValidArgsFunction: cobra.FixedCompletions(maps.Names(), cobra.ShellCompDirectiveDefault),
	}
	svg := cmd.Flags().String("svg", "",
		"write an SVG picture to this file instead; - is standard output")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		m, err := maps.Load(args[0])
		if err != nil {
			return err
		}
		info := maps.Describe(args[0], m)
		out := cmd.OutOrStdout()
		if *svg != "" {
			d, err := picture.NewMap(m, info, picture.Options{})
			if err != nil {
				return err
			}
			return export.ToFile(*svg, out, func(w io.Writer) error { return picture.WriteSVG(w, d) })
		}
		state, specials := maps.Opening(m)
		terminal, err := gameList.Find(maps.Game).Terminal(&games.Match{
			Setup: m.AppendJSON(nil), Names: make([]string, specials+len(m.Starts)), Specials: specials,
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %d players with %d characters each, %d special positions, %d cells\n\n",
			info.Name, info.Players, info.Characters, info.Specials, info.Cells)
		return tui.WriteBoard(out, terminal, state)
	}
	return cmd
}

func newMapsCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE…",
		Short: "Check map files, and list all errors and remarks",
		Long: `Check map files, and list all errors and remarks. The exit code is 1 if a file
cannot be played on; a remark, such as that a map favours a player, does not change it.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ok := true
			for _, name := range args {
				data, err := maps.Read(name)
				if err != nil {
					return err
				}
				r := maps.Check(name, data)
				ok = ok && len(r.Problems) == 0
				printReport(cmd.OutOrStdout(), name, r)
			}
			if !ok {
				return exitError{exitFailure}
			}
			return nil
		},
	}
}

func printReport(w io.Writer, name string, r maps.Report) {
	for _, p := range r.Problems {
		fmt.Fprintf(w, "%s: %s\n", name, p)
	}
	if len(r.Problems) > 0 {
		return
	}
	fmt.Fprintf(w, "%s: can be played on: %d players with %d characters each, %d special positions, "+
		"%d cells; %s\n",
		name, r.Info.Players, r.Info.Characters, r.Info.Specials, r.Info.Cells, r.Fairness.Verdict)
	for _, remark := range r.Remarks {
		fmt.Fprintf(w, "%s: note: %s\n", name, remark)
	}
}

func newMapsNew() *cobra.Command {
	var (
		o    maps.Options
		file string
	)
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Generate a fair map from a seed",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for name, value := range map[string]int{"characters": o.Characters, "cells": o.Cells} {
				if cmd.Flags().Changed(name) && value == 0 {
					return usageErrorf("--%s: 0 is too few; leave it out for as many as suit", name)
				}
			}
			m, err := maps.Generate(o)
			if err != nil {
				return usageErrorf("--%w", err) // it begins with the option's name
			}
			err = export.ToFile(file, cmd.OutOrStdout(), func(w io.Writer) error {
				_, err := w.Write(m.AppendJSON(nil))
				return err
			})
			if err == nil && file != "-" {
				fmt.Fprintf(cmd.OutOrStdout(), "Wrote %s. Look at it:\n\n    %s\n", file,
					launch.Quote([]string{"hexarena", "maps", "show", file}))
			}
			return err
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Players, "players", 4, fmt.Sprintf("players, 1 to %d", maps.MaxPlayers))
	f.IntVar(&o.Characters, "characters", 0,
		"characters of each player (default: as many as suit the board)")
	f.IntVar(&o.Specials, "specials", 0,
		"special positions, -1 for none (default: as many as suit the board)")
	f.IntVar(&o.Cells, "cells", 0,
		"approximate number of cells (default: as many as suit the players)")
	f.Uint64Var(&o.Seed, "seed", 1, "seed; the same one gives the same map")
	f.StringVarP(&file, "output", "o", "-", "file to write; - is standard output")
	return cmd
}
