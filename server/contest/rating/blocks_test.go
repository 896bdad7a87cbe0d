package rating

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// Blocks that are added one by one give the table of all of them, also in between.
func TestBlocks(t *testing.T) {
	blocks := draw(rand.New(rand.NewPCG(3, 4)), []float64{0.5, 0, -0.5}, 60)
	blocks[7] = Block{{[]int{1, 2}, []int{1, 1}}} // bot 0 is in a block less
	list := NewBlocks(3)
	options := Options{VirtualDraws: TableDraws, Resamples: 50, Seed: 9}
	for n, block := range blocks {
		list.Add(block)
		if n%20 != 19 {
			continue
		}
		if got, want := list.Fit(options), Fit(3, blocks[:n+1], options); !reflect.DeepEqual(got, want) {
			t.Fatalf("the table of %d blocks is %v, want %v", list.Len(), got.strengths, want.strengths)
		}
	}
}

// Beyond maxUnits the strengths are those of all matches, and the intervals as wide as half as many
// blocks make them, divided by √2.
func TestManyBlocks(t *testing.T) {
	thorough.Long(t)
	blocks := draw(rand.New(rand.NewPCG(5, 6)), []float64{0.5, -0.5}, 2*maxUnits+100)
	options := Options{VirtualDraws: TableDraws, Resamples: TableResamples}
	half, all := Fit(2, blocks[:maxUnits], options), Fit(2, blocks, options)
	list := NewBlocks(2)
	for _, block := range blocks {
		list.Add(block)
	}
	if n := len(list.likelihood.units); list.Len() != len(blocks) || n > maxUnits || n < maxUnits/2 {
		t.Errorf("there are %d units of %d blocks, want %d to %d", n, list.Len(), maxUnits/2, maxUnits)
	}
	var matches []Result
	for _, block := range blocks {
		matches = append(matches, block...)
	}
	if got, want := all.Elo(0), Fit(2, []Block{matches}, options).Elo(0); got != want {
		t.Errorf("the strength is %v, want %v", got, want)
	}
	width := func(t *Table) float64 {
		low, high := t.Interval(0, 0.95)
		return high - low
	}
	if ratio := width(all) / width(half) * math.Sqrt2; !(ratio > 0.85 && ratio < 1.15) {
		t.Errorf("the interval of twice the blocks is %.2f times as wide as expected", ratio)
	}
}
