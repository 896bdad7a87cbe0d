package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/hexarena/hexarena/server/harness"
)

// comparison plays matches alternately without viewers and with them. Each match has a
// server of its own, so that none affects the next.
type comparison struct {
	*harness.Job
	viewers int
	rounds  int
	turns   int // of a match
}

func (c *comparison) run(ctx context.Context) error {
	var without, with []figures
	for round := range c.rounds {
		for _, viewers := range []int{0, c.viewers} {
			what := fmt.Sprintf("round %d of %d, %d viewers", round+1, c.rounds, viewers)
			f, err := c.match(ctx, viewers, what)
			if err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			c.Report("%s: turns of %.2f ms, answers in %.2f ms, p99 delay to viewers %.1f ms, resident %.1f MB",
				what, f.turns.Median(), f.answers.Median(), f.viewers.Delay.P99, f.resident/1e6)
			if viewers == 0 {
				without = append(without, f)
			} else {
				with = append(with, f)
			}
		}
	}
	return c.printTable(without, with)
}

// The targets.
const (
	maxRatio  = 1.05 // of the players' median turn time with viewers to that without
	maxMemory = 64   // KiB per viewer
)

// printTable prints the medians of the rounds.
func (c *comparison) printTable(without, with []figures) error {
	var t harness.Table
	column := func(all []figures, figure func(*figures) float64) (s harness.Series) {
		for i := range all {
			s = append(s, figure(&all[i]))
		}
		return s
	}
	times := func(what string, figure func(*figures) float64) (*harness.Row, harness.Series) {
		return t.Ratio(what, "%.3f ms", column(without, figure), column(with, figure))
	}
	row, ratios := times("TURN to TURN at a player, median", func(f *figures) float64 { return f.turns.Median() })
	row.Target, row.Met = fmt.Sprintf("≤ %.2f", maxRatio), ratios.Median() <= maxRatio
	times("the same, p99", func(f *figures) float64 { return f.turns.Quantile(0.99) })
	times("TURN to answer in the server, median", func(f *figures) float64 { return f.answers.Median() })
	times("the same, p99", func(f *figures) float64 { return f.answers.Quantile(0.99) })
	seen := func(what, format string, figure func(*figures) float64) (*harness.Row, harness.Series) {
		s := column(with, figure)
		return t.Add(harness.Row{What: what, Second: fmt.Sprintf(format, s.Median())}), s
	}
	seen("turn to viewer, p50", "%.1f ms", func(f *figures) float64 { return f.viewers.Delay.P50 })
	seen("turn to viewer, p99", "%.1f ms", func(f *figures) float64 { return f.viewers.Delay.P99 })
	if with[0].resident > 0 { // known on this system
		// perViewer adds a row of a figure and of what one viewer adds to it.
		perViewer := func(what, format string, unit float64, figure func(*figures) float64) (*harness.Row, float64) {
			row, s := seen(what, format, figure)
			before := column(without, figure).Median()
			row.First = fmt.Sprintf(format, before)
			each := (s.Median() - before) * unit / float64(c.viewers)
			return row, each
		}
		row, each := perViewer("processor time per turn", "%.2f ms", 1000, func(f *figures) float64 { return f.cpu })
		row.Figure = fmt.Sprintf("%.1f µs a viewer", each)
		row, each = perViewer("resident memory", "%.1f MB", 1e6/1024, func(f *figures) float64 { return f.resident / 1e6 })
		row.Figure = fmt.Sprintf("%.1f KiB a viewer", each)
		row.Target, row.Met = fmt.Sprintf("< %d KiB", maxMemory), each < maxMemory
	}
	row, lost := seen("viewers lost", "%.0f", func(f *figures) float64 { return float64(f.viewers.Lost) })
	row.Second = fmt.Sprintf("%.0f", lost.Quantile(1))
	row.Target, row.Met = "0", lost.Quantile(1) == 0
	fmt.Fprintf(c.Out, "%s/%s, %d cores, %s; %d rounds of %d turns, %d players, %d viewers; medians of the rounds\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), c.rounds, c.turns, players, c.viewers)
	return t.Print(c.Out, "without", "with")
}
