package score

import (
	"math"
	"slices"
	"testing"
)

func TestHalves(t *testing.T) {
	for _, tt := range []struct{ ranks, want []int }{
		{[]int{1, 2}, []int{2, 0}},
		{[]int{1, 1}, []int{1, 1}},
		{[]int{4, 1, 3, 2}, []int{0, 6, 2, 4}},
		{[]int{1, 2, 2, 4}, []int{6, 3, 3, 0}},
		{[]int{1, 1, 1}, []int{2, 2, 2}},
		{[]int{1}, []int{0}},
	} {
		got := make([]int, len(tt.ranks))
		for i := range got {
			got[i] = Halves(tt.ranks, i)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("halves of ranks %v = %v, want %v", tt.ranks, got, tt.want)
		}
	}
	for _, tt := range []struct{ player, other, want int }{
		{0, 3, 1}, {3, 0, 11}, {0, 2, 6}, {1, 2, 9},
	} {
		if got := Ahead([]int{4, 2, 4, 1}, tt.player, tt.other); got != tt.want {
			t.Errorf("player %d is %d ahead of %d, want %d", tt.player, got, tt.other, tt.want)
		}
	}
	if got := Most(4, 4) + 1; got != 25 {
		t.Errorf("four matches of four players have %d scores, want 25", got)
	}
}

func TestMoments(t *testing.T) {
	d := Distribution{1, 0, 2, 0, 1} // scores 0, ½, ½, 1
	mean, variance := d.Moments()
	if mean != 0.5 || variance != 0.125 || d.Blocks() != 4 {
		t.Errorf("%v has mean %v, variance %v, %v blocks", d, mean, variance, d.Blocks())
	}
	if mean, variance = make(Distribution, 5).Moments(); mean != 0 || variance != 0 {
		t.Errorf("no blocks have mean %v and variance %v, want 0", mean, variance)
	}
	if got, want := d.Regular(), (Distribution{1, absence, 2, absence, 1}); !slices.Equal(got, want) {
		t.Errorf("Regular() = %v, want %v", got, want)
	}
	if mean, _ = d.Regular().Moments(); math.Abs(mean-0.5) > 1e-12 {
		t.Errorf("a symmetric distribution has mean %v after Regular", mean)
	}
}
