package harness

import (
	"fmt"
	"slices"
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
	return fmt.Sprintf("%.*f%s (%.*f–%.*f)", decimals, s.Median(), unit, decimals, s.Quantile(0), decimals, s.Quantile(1))
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
