package harness

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// Series holds repeated measurements of one figure.
type Series []float64

// Quantile returns the value below which the share q of the series lies, from 0 for the
// smallest to 1 for the largest; 0 for an empty series.
func (s Series) Quantile(q float64) float64 {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}

// Median returns the median; 0 for an empty series.
func (s Series) Median() float64 {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// Over returns the ratios of two series that were measured in alternation.
func (s Series) Over(other Series) Series {
	ratios := make(Series, len(s))
	for i := range s {
		ratios[i] = s[i] / other[i]
	}
	return ratios
}

// Format returns the median with the smallest and the largest value, and the unit after
// the median.
func (s Series) Format(decimals int, unit string) string {
	return fmt.Sprintf("%.*f%s (%.*f–%.*f)", decimals, s.Median(), unit, decimals, s.Quantile(0),
		decimals, s.Quantile(1))
}

// Milliseconds returns d in milliseconds.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Intervals returns the times from each of a list of times to the next, in milliseconds.
func Intervals(times []time.Time) (s Series) {
	for i := 1; i < len(times); i++ {
		s = append(s, Milliseconds(times[i].Sub(times[i-1])))
	}
	return s
}

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
		What: what, First: fmt.Sprintf(format, first.Median()),
		Second: fmt.Sprintf(format, second.Median()),
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
