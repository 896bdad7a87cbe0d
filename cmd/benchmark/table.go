package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/hexarena/hexarena/server/harness"
)

// table is the result of the benchmark.
type table struct{ rows []row }

// row is one figure with the two measurements that it compares, and the target.
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

// costs adds the processor time of a turn in µs to the last row. It depends less than a
// rate on what else runs on the machine.
func (t *table) costs(ours, theirs harness.Series) {
	r := &t.rows[len(t.rows)-1]
	r.measured += fmt.Sprintf(", %.1f µs of CPU", ours.Median())
	r.beside += fmt.Sprintf(", %.1f µs of CPU", theirs.Median())
}

// shares adds a row that compares rates of the same rounds.
func (t *table) shares(what string, ours, theirs harness.Series, target float64) {
	ratios := ours.Over(theirs)
	t.rows = append(t.rows, row{
		what:     what,
		measured: fmt.Sprintf("%.0f turns/s", ours.Median()),
		beside:   fmt.Sprintf("%.0f turns/s", theirs.Median()),
		figure:   ratios.String(),
		target:   fmt.Sprintf("≥ %.2f", target),
		ok:       ratios.Median() >= target,
	})
}
