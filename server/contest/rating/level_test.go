package rating

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// weak adds blocks in which bots play a weak one, and beat it.
func weak(blocks []Block, weak int, against ...int) []Block {
	for _, bot := range against {
		blocks = append(blocks, Block{inOrder(bot, weak), inOrder(bot, weak)})
	}
	return blocks
}

// Where a bot has lost everything, the others have the levels that they have without it, and it has
// a bound: the strength under which its results have a probability of 5 %.
func TestLevelsBesideABound(t *testing.T) {
	options := Options{VirtualDraws: TableDraws, Resamples: TableResamples, Seed: 2}
	blocks := draw(rand.New(rand.NewPCG(1, 2)), []float64{0.3, -0.3}, 60)
	alone := Fit(2, blocks, options)
	var against []int
	for range 20 {
		against = append(against, 0, 1)
	}
	table := Fit(3, weak(slices.Clone(blocks), 2, against...), options)
	if got := table.Among(); !slices.Equal(got, []int{0, 1}) {
		t.Fatalf("levels are above the mean of %v, want that of 0 and 1", got)
	}
	for bot := range 2 {
		got, ok := table.Level(bot, 0.95)
		want, _ := alone.Level(bot, 0.95)
		if !ok || math.Abs(got.Elo-want.Elo) > 1 || got.Low > want.Low+5 || got.High < want.High-5 {
			t.Errorf("bot %d has the level %+v, without the weak one %+v", bot, got, want)
		}
	}
	got, ok := table.Level(2, 0.95)
	if !ok || !math.IsInf(got.Low, -1) || got.Elo != got.High {
		t.Errorf("the bot that lost everything has the level %+v", got)
	}
	// 40 blocks of two losses: a chance of a loss of 0.05 to the power of 1/40 in each.
	if want := -PerNat * math.Log(1/(1-math.Pow(0.05, 1.0/40))-1); math.Abs(got.High-want) > 10 {
		t.Errorf("its bound is %.1f, want about %.1f", got.High, want)
	}
}

// An interval is open at an end that only a few results keep finite, and so are the intervals of
// others whose mean moves with it.
func TestOpenEnds(t *testing.T) {
	options := Options{VirtualDraws: TableDraws, Resamples: TableResamples, Seed: 2}
	blocks := draw(rand.New(rand.NewPCG(1, 2)), []float64{0.3, -0.3}, 60)
	var against []int
	for range 20 {
		against = append(against, 0, 1)
	}
	blocks = weak(blocks, 2, against...)
	blocks = append(blocks, Block{inOrder(2, 0), inOrder(0, 2)}) // a third of all samples lack it
	table := Fit(3, blocks, options)
	if got := table.Among(); len(got) != 3 {
		t.Fatalf("levels are above the mean of %v, want that of all", got)
	}
	if l, ok := table.Level(2, 0.95); !ok || !math.IsInf(l.Low, -1) || math.IsInf(l.High, 0) ||
		!(l.Elo < l.High) {
		t.Errorf("a bot with one win has the level %+v", l)
	}
	for bot := range 2 {
		if l, ok := table.Level(bot, 0.95); !ok || !math.IsInf(l.High, 1) || math.IsInf(l.Low, 0) {
			t.Errorf("bot %d has the level %+v", bot, l)
		}
	}
	if _, low, high := table.Difference(0, 1, 0.95); math.IsInf(low, 0) || math.IsInf(high, 0) ||
		!(high-low < 200) {
		t.Errorf("the difference of the others is from %v to %v", low, high)
	}
}

// Nothing is known of bots that tied all their matches, and no variance makes no leader certain;
// one that has won everything is one after some blocks, not after the first ones.
func TestNoVariance(t *testing.T) {
	options := Options{VirtualDraws: TableDraws, Resamples: 100}
	tie := Result{Bots: []int{0, 1, 2}, Ranks: []int{1, 1, 1}}
	var ties []Block
	for range 100 {
		ties = append(ties, Block{tie, tie, tie})
	}
	table := Fit(3, ties, options)
	for bot := range 3 {
		if l, ok := table.Level(bot, 0.95); ok {
			t.Errorf("bot %d, which tied all, has the level %+v", bot, l)
		}
	}
	if table.Certain(0.05, nil) {
		t.Error("the leader of equal bots is certain")
	}
	for n, want := range map[int]bool{2: false, 4: false, 6: true} {
		var wins []Block
		for range n {
			wins = append(wins, Block{inOrder(0, 1), inOrder(0, 1)})
		}
		if got := Fit(2, wins, options).Certain(0.05, nil); got != want {
			t.Errorf("after %d blocks that one bot has won, it is certainly the better one: %v", n, got)
		}
	}
	// The seat decides each match, so that each block is split: that is no proof of equal bots.
	var split []Block
	for range 20 {
		split = append(split, Block{inOrder(0, 1), inOrder(1, 0)})
	}
	if l, ok := Fit(2, split, options).Level(0, 0.95); ok {
		t.Errorf("after blocks that are all split it has the level %+v", l)
	}
}

// Bots of which one beat all those after it have bounds relative to the best.
func TestLevelsOfALadder(t *testing.T) {
	var blocks []Block
	for range 10 {
		for i := range 4 {
			for j := range i {
				blocks = append(blocks, Block{inOrder(j, i), inOrder(j, i)})
			}
		}
	}
	table := Fit(4, blocks, Options{VirtualDraws: TableDraws, Resamples: 100})
	if !slices.Equal(table.Among(), []int{0}) || table.Leader() != 0 || !table.Certain(0.05, nil) {
		t.Errorf("levels are measured from %v, the leader is %d, certain: %v", table.Among(),
			table.Leader(), table.Certain(0.05, nil))
	}
	want := -PerNat * math.Log(1/(1-math.Pow(0.05, 1.0/10))-1)
	for bot := 1; bot < 4; bot++ {
		if l, ok := table.Level(bot, 0.95); !ok || math.Abs(l.Elo-want) > 0.01 || l.Elo != l.High {
			t.Errorf("bot %d has the level %+v, want a bound of %.2f", bot, l, want)
		}
	}
}
