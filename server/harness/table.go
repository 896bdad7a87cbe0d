package harness

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Table compares figures: each row has two measurements, what follows from them, and a
// target.
type Table struct{ rows []*Row }

// Row is one figure.
type Row struct {
	What          string
	First, Second string // the measurements; empty for none
	Figure        string
	Target        string // empty for none
	Met           bool   // the target is met
}

// Add adds a row, which the caller may change until the table is printed.
func (t *Table) Add(r Row) *Row {
	t.rows = append(t.rows, &r)
	return &r
}

// Ratio adds a row that compares the medians of two series of the same rounds, with the
// ratios of first to second.
func (t *Table) Ratio(what, format string, first, second Series) (row *Row, ratios Series) {
	ratios = first.Over(second)
	return t.Add(Row{
		What: what, First: fmt.Sprintf(format, first.Median()), Second: fmt.Sprintf(format, second.Median()),
		Figure: ratios.Format(3, ""),
	}), ratios
}

// Print prints the table with names for the two measurements.
func (t *Table) Print(out io.Writer, first, second string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "what\t%s\t%s\tfigure\ttarget\t\n", first, second)
	for _, r := range t.rows {
		verdict := "MISSED"
		switch {
		case r.Target == "":
			verdict = ""
		case r.Met:
			verdict = "ok"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", r.What, r.First, r.Second, r.Figure, r.Target, verdict)
	}
	return w.Flush()
}
