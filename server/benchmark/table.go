package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// table is what the benchmark prints.
type table struct{ rows []row }

// row is one figure, what it is held against, and the target.
type row struct {
	what             string
	measured, beside string
	figure           string
	target           string
	ok               bool
}

func (t *table) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tmeasured\tbeside\tfigure\ttarget\t")
	for _, r := range t.rows {
		verdict := "ok"
		if !r.ok {
			verdict = "MISSED"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", r.what, r.measured, r.beside, r.figure, r.target, verdict)
	}
	return w.Flush()
}

// series are the figures of several rounds.
type series []float64

// at is the quantile q, from 0 to 1.
func (s series) at(q float64) float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}

func (s series) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// text is the median with the lowest and the highest.
func (s series) text() string {
	return fmt.Sprintf("%.3f (%.3f–%.3f)", s.median(), s.at(0), s.at(1))
}

// costs adds to the last row the processor time of a turn in µs, which says more
// than rates do where others use the machine as well.
func (t *table) costs(ours, theirs series) {
	r := &t.rows[len(t.rows)-1]
	r.measured += fmt.Sprintf(", %.1f µs of CPU", ours.median())
	r.beside += fmt.Sprintf(", %.1f µs of CPU", theirs.median())
}

// shares adds a row for rates that are held against others of the same rounds.
func (t *table) shares(what string, ours, theirs series, target float64) {
	var ratios series
	for i := range ours {
		ratios = append(ratios, ours[i]/theirs[i])
	}
	t.rows = append(t.rows, row{
		what:     what,
		measured: fmt.Sprintf("%.0f turns/s", ours.median()),
		beside:   fmt.Sprintf("%.0f turns/s", theirs.median()),
		figure:   ratios.text(),
		target:   fmt.Sprintf("≥ %.2f", target),
		ok:       ratios.median() >= target,
	})
}
