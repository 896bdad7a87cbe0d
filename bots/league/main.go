// Command league measures the built-in bots against each other without a server: it
// passes states to the strategies and actions to the rules. It plays a hundred seeded
// matches of each contest on each shipped map, prints a table, and exits with 1 if a
// figure is missed.
//
// The same program prints the same table on every machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/hexarena/hexarena/maps"
)

// contests lists the contests of the league.
var contests = []contest{painterBeatsRandom, hunterKillsRandom, hunterKillsPainters}

var errMissed = errors.New("a figure is missed")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "league:", err)
		os.Exit(1)
	}
}

// run runs the command: it writes the table to out, and progress and help to progress.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("league", flag.ContinueOnError)
	flags.SetOutput(progress)
	n := flags.Int("matches", allMatches, "matches of each contest on each map, with seeds from 1")
	only := flags.String("map", "", "one shipped map: "+strings.Join(maps.Names(), ", ")+" (default all)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	names := maps.Names()
	if *only != "" {
		names = []string{*only}
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case *n < 1:
		return fmt.Errorf("-matches=%d: the value must be 1 or more", *n)
	case !slices.Contains(maps.Names(), names[0]):
		return fmt.Errorf("-map=%s: the shipped maps are %s", *only, strings.Join(maps.Names(), ", "))
	}

	var rows []row
	for _, c := range contests {
		for _, name := range names {
			r, err := c.run(ctx, name, *n)
			if err != nil {
				return err
			}
			fmt.Fprintf(progress, "%s on %s: %d of %d\n", c.name, name, r.passed, r.matches)
			rows = append(rows, r)
		}
	}
	if err := printTable(out, rows); err != nil {
		return err
	}
	if slices.ContainsFunc(rows, func(r row) bool { return !r.ok() }) {
		return errMissed
	}
	return nil
}

func printTable(out io.Writer, rows []row) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "contest\tmap\tcells\tseats\tpassed\twanted\tmedian\tfailed seeds")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d/%d\t%d%%\t%d %s\t%s\n", r.contest.name, r.board, r.cells, r.seats,
			r.passed, r.matches, r.contest.least, r.median, r.contest.unit, joined(r.failed))
	}
	return w.Flush()
}

func joined(seeds []uint64) string {
	if len(seeds) == 0 {
		return "none"
	}
	return strings.Trim(fmt.Sprint(seeds), "[]")
}
