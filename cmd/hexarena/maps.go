package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
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
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the maps that come with hexarena",
		Args:  cobra.NoArgs,
	}
	out := addOutput(cmd)
	cmd.RunE = func(*cobra.Command, []string) error {
		var b strings.Builder
		tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "NAME\tPLAYERS\tCHARACTERS\tSPECIALS\tCELLS\tHOLES\tCORRIDORS\t")
		list := maps.List()
		for _, i := range list {
			fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t%d\t%.0f %%\t%s\n",
				i.Name, i.Players, i.Characters, i.Specials, i.Cells, i.Holes, 100*i.Corridors, i.Description)
		}
		_ = tw.Flush() // a Builder takes all
		return out.print(list, "%s", b.String())
	}
	return cmd
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
	printed := addOutput(cmd)
	cmd.MarkFlagsMutuallyExclusive("svg", "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		m, err := maps.Load(args[0])
		if err != nil {
			return unknownMap(err)
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
		if printed.json() {
			return printed.print(struct {
				maps.Info
				Board json.RawMessage `json:"board"` // as a file of a map has it
			}{info, m.AppendJSON(nil)}, "")
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

// unknownMap marks the error of a name that is no map's as one in the arguments.
func unknownMap(err error) error {
	if errors.Is(err, maps.ErrUnknown) {
		return usage(err)
	}
	return err
}

func newMapsCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Check map files, and list all errors and remarks",
		Long: `Check map files, and list all errors and remarks. The exit code is 1 if a file
cannot be played on; a remark, such as that a map favours a player, does not change it.`,
		Args: cobra.MinimumNArgs(1),
	}
	out := addOutput(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		type checked struct {
			File string `json:"file"`
			maps.Report
		}
		ok := true
		var list []checked
		for _, name := range args {
			data, err := maps.Read(name)
			if err != nil {
				return unknownMap(err)
			}
			r := maps.Check(name, data)
			ok = ok && len(r.Problems) == 0
			printReport(out, name, r)
			list = append(list, checked{name, r})
		}
		if err := out.value(list); err != nil || ok {
			return err
		}
		return exitError{exitFailure}
	}
	return cmd
}

func printReport(out *output, name string, r maps.Report) {
	for _, p := range r.Problems {
		out.text("%s: %s\n", name, p)
	}
	if len(r.Problems) > 0 {
		return
	}
	out.text("%s: can be played on: %d players with %d characters each, %d special positions, "+
		"%d cells; %s\n",
		name, r.Info.Players, r.Info.Characters, r.Info.Specials, r.Info.Cells, r.Fairness.Verdict)
	for _, remark := range r.Remarks {
		out.text("%s: note: %s\n", name, remark)
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
