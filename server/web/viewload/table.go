package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"text/tabwriter"
)

// What is promised of a crowd of viewers.
const (
	maxRatio  = 1.05 // of the players' median turn with viewers to that without
	maxMemory = 64   // KiB for each viewer
)

// series are figures of one kind.
type series []float64

// at is the quantile q, from 0 to 1.
func (s series) at(q float64) float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[int(q*float64(len(sorted)-1))]
}

func (s series) median() float64 { return s.at(0.5) }

// of is one figure of each match.
func of(all []figures, what func(*figures) float64) (s series) {
	for i := range all {
		s = append(s, what(&all[i]))
	}
	return s
}

// over are the ratios of figures that were taken by turns.
func (s series) over(other series) (ratios series) {
	for i := range s {
		ratios = append(ratios, s[i]/other[i])
	}
	return ratios
}

// report prints what came of the comparison: medians of the rounds.
func (c *comparison) report(out io.Writer, without, with []figures) error {
	fmt.Fprintf(out, "%s/%s, %d cores, %s; %d rounds of %d turns, %d players, %d viewers; medians of the rounds\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), c.rounds, c.turns, players, c.viewers)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\twithout\twith\tfigure\ttarget\t")
	pair := func(name string, what func(*figures) float64) series {
		a, b := of(without, what), of(with, what)
		ratios := b.over(a)
		fmt.Fprintf(w, "%s\t%.3f ms\t%.3f ms\t%.3f times (%.3f–%.3f)\t", name, a.median(), b.median(), ratios.median(), ratios.at(0), ratios.at(1))
		return ratios
	}
	ratios := pair("TURN to TURN at a player, median", func(f *figures) float64 { return f.turns.median() })
	fmt.Fprintf(w, "≤ %.2f\t%s\n", maxRatio, verdict(ratios.median() <= maxRatio))
	pair("the same, p99", func(f *figures) float64 { return f.turns.at(0.99) })
	fmt.Fprintln(w, "\t")
	pair("TURN to answer in the server, median", func(f *figures) float64 { return f.answers.median() })
	fmt.Fprintln(w, "\t")
	pair("the same, p99", func(f *figures) float64 { return f.answers.at(0.99) })
	fmt.Fprintln(w, "\t")
	fmt.Fprintf(w, "turn to viewer, p50\t\t%.1f ms\t\t\t\n", of(with, func(f *figures) float64 { return f.sight.Delay.P50 }).median())
	fmt.Fprintf(w, "turn to viewer, p99\t\t%.1f ms\t\t\t\n", of(with, func(f *figures) float64 { return f.sight.Delay.P99 }).median())
	if with[0].resident > 0 { // the system tells
		busy := func(f *figures) float64 { return f.busy }
		a, b := of(without, busy).median(), of(with, busy).median()
		fmt.Fprintf(w, "processor time for a turn\t%.2f ms\t%.2f ms\t%.1f µs a viewer\t\t\n", a, b, 1000*(b-a)/float64(c.viewers))
		resident := func(f *figures) float64 { return float64(f.resident) }
		a, b = of(without, resident).median(), of(with, resident).median()
		each := (b - a) / float64(c.viewers) / 1024
		fmt.Fprintf(w, "resident memory\t%.1f MB\t%.1f MB\t%.1f KiB a viewer\t< %d KiB\t%s\n",
			a/1e6, b/1e6, each, maxMemory, verdict(each < maxMemory))
	}
	lost := of(with, func(f *figures) float64 { return float64(f.sight.Lost) })
	fmt.Fprintf(w, "viewers lost\t\t%.0f\t\t0\t%s\n", lost.at(1), verdict(lost.at(1) == 0))
	return w.Flush()
}

func verdict(ok bool) string {
	if ok {
		return "ok"
	}
	return "MISSED"
}
