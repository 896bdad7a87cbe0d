package harness

import (
	"slices"
	"testing"
)

func TestSeries(t *testing.T) {
	s := Series{4, 1, 3, 2}
	for q, want := range map[float64]float64{0: 1, 0.5: 3, 1: 4} {
		if got := s.Quantile(q); got != want {
			t.Errorf("quantile %v of %v is %v, want %v", q, s, got, want)
		}
	}
	if got := s.Median(); got != 2.5 {
		t.Errorf("the median of %v is %v, want 2.5", s, got)
	}
	if got := (Series{}).Median() + (Series{}).Quantile(1); got != 0 {
		t.Errorf("median and maximum of nothing add up to %v, want 0", got)
	}
	if got := s.Over(Series{2, 1, 1, 4}); !slices.Equal(got, Series{2, 1, 3, 0.5}) {
		t.Errorf("the ratios are %v", got)
	}
}

func TestSelect(t *testing.T) {
	all := []string{"a1", "b1", "a2"}
	name := func(s string) string { return s[:1] }
	for list, want := range map[string][]string{
		"": all, "a": {"a1", "a2"}, "b,a": {"b1", "a1", "a2"},
	} {
		if got, err := Select("only", all, name, list); err != nil || !slices.Equal(got, want) {
			t.Errorf("Select %q = %q, %v, want %q", list, got, err, want)
		}
	}
	if _, err := Select("only", all, name, "a,c"); err == nil ||
		err.Error() != `-only: there is no "c"; choose from a, b` {
		t.Errorf("Select of an unknown name: %v", err)
	}
}
