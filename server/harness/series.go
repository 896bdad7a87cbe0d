package harness

import (
	"fmt"
	"slices"
	"strings"
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

// String returns the median with the smallest and the largest value.
func (s Series) String() string {
	return fmt.Sprintf("%.3f (%.3f–%.3f)", s.Median(), s.Quantile(0), s.Quantile(1))
}

// Select returns the elements of all whose names are in list, separated by commas; all of
// them if list is empty. The error names a flag -only.
func Select[T any](all []T, name func(T) string, list string) ([]T, error) {
	if list == "" {
		return all, nil
	}
	var chosen []T
	for wanted := range strings.SplitSeq(list, ",") {
		before := len(chosen)
		for _, one := range all {
			if name(one) == wanted {
				chosen = append(chosen, one)
			}
		}
		if len(chosen) == before {
			return nil, fmt.Errorf("-only: there is no %q; choose from %s", wanted, Names(all, name))
		}
	}
	return chosen, nil
}

// Names returns the distinct names of a list, separated by commas.
func Names[T any](all []T, name func(T) string) string {
	var names []string
	for _, one := range all {
		if n := name(one); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}
