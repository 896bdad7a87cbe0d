package main

import (
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"

	"github.com/hexarena/hexarena/server/harness"
)

// The targets.
const (
	maxRatio  = 1.05 // of the players' median turn time with viewers to that without
	maxMemory = 64   // KiB per viewer
)

// column returns one figure of each match.
func column(all []figures, what func(*figures) float64) (s harness.Series) {
	for i := range all {
		s = append(s, what(&all[i]))
	}
	return s
}

// printTable prints the medians of the rounds.
func (c *comparison) printTable(out io.Writer, without, with []figures) error {
	fmt.Fprintf(out, "%s/%s, %d cores, %s; %d rounds of %d turns, %d players, %d viewers; medians of the rounds\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), c.rounds, c.turns, players, c.viewers)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\twithout\twith\tfigure\ttarget\t")
	pair := func(name string, what func(*figures) float64) harness.Series {
		a, b := column(without, what), column(with, what)
		ratios := b.Over(a)
		fmt.Fprintf(w, "%s\t%.3f ms\t%.3f ms\t%.3f times (%.3f–%.3f)\t", name, a.Median(), b.Median(), ratios.Median(), ratios.Quantile(0), ratios.Quantile(1))
		return ratios
	}
	ratios := pair("TURN to TURN at a player, median", func(f *figures) float64 { return f.turns.Median() })
	fmt.Fprintf(w, "≤ %.2f\t%s\n", maxRatio, verdict(ratios.Median() <= maxRatio))
	pair("the same, p99", func(f *figures) float64 { return f.turns.Quantile(0.99) })
	fmt.Fprintln(w, "\t")
	pair("TURN to answer in the server, median", func(f *figures) float64 { return f.answers.Median() })
	fmt.Fprintln(w, "\t")
	pair("the same, p99", func(f *figures) float64 { return f.answers.Quantile(0.99) })
	fmt.Fprintln(w, "\t")
	fmt.Fprintf(w, "turn to viewer, p50\t\t%.1f ms\t\t\t\n", column(with, func(f *figures) float64 { return f.viewers.Delay.P50 }).Median())
	fmt.Fprintf(w, "turn to viewer, p99\t\t%.1f ms\t\t\t\n", column(with, func(f *figures) float64 { return f.viewers.Delay.P99 }).Median())
	if with[0].resident > 0 { // known on this system
		cpu := func(f *figures) float64 { return f.cpu }
		a, b := column(without, cpu).Median(), column(with, cpu).Median()
		fmt.Fprintf(w, "processor time per turn\t%.2f ms\t%.2f ms\t%.1f µs a viewer\t\t\n", a, b, 1000*(b-a)/float64(c.viewers))
		resident := func(f *figures) float64 { return float64(f.resident) }
		a, b = column(without, resident).Median(), column(with, resident).Median()
		each := (b - a) / float64(c.viewers) / 1024
		fmt.Fprintf(w, "resident memory\t%.1f MB\t%.1f MB\t%.1f KiB a viewer\t< %d KiB\t%s\n",
			a/1e6, b/1e6, each, maxMemory, verdict(each < maxMemory))
	}
	lost := column(with, func(f *figures) float64 { return float64(f.viewers.Lost) })
	fmt.Fprintf(w, "viewers lost\t\t%.0f\t\t0\t%s\n", lost.Quantile(1), verdict(lost.Quantile(1) == 0))
	return w.Flush()
}

func verdict(ok bool) string {
	if ok {
		return "ok"
	}
	return "MISSED"
}
