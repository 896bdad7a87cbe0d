package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/score"
)

// draw returns blocks of matches between all bots, with the results that strengths make likely.
func draw(rng *rand.Rand, strengths []float64, blocks int) []Block {
	list := make([]Block, blocks)
	for b := range list {
		for range strengths {
			order := make([]int, len(strengths))
			at := make([]float64, len(strengths))
			for i, s := range strengths {
				order[i], at[i] = i, rng.ExpFloat64()/math.Exp(s)
			}
			slices.SortFunc(order, func(i, j int) int {
				if at[i] < at[j] {
					return -1
				}
				return 1
			})
			list[b] = append(list[b], inOrder(order...))
		}
	}
	return list
}

// A table finds the strengths that results were drawn with, its intervals contain them, and
// that of a difference is narrower than those of its parts allow.
func TestTable(t *testing.T) {
	truth := []float64{0.6, 0.1, -0.2, -0.5}
	table := Fit(4, draw(rand.New(rand.NewPCG(1, 2)), truth, 300),
		Options{VirtualDraws: TableDraws, Resamples: TableResamples})
	for bot, strength := range truth {
		low, high := table.Interval(bot, 0.95)
		if want := strength * PerNat; !(low < want && want < high) || !(high-low < 60) ||
			!(low < table.Elo(bot) && table.Elo(bot) < high) {
			t.Errorf("bot %d has %.1f, %.1f to %.1f, want %.1f", bot, table.Elo(bot), low, high, want)
		}
	}
	elo, low, high := table.Difference(0, 3, 0.95)
	if want := 1.1 * PerNat; math.Abs(elo-(table.Elo(0)-table.Elo(3))) > 1e-9 ||
		!(low < want && want < high) {
		t.Errorf("the difference is %.1f, %.1f to %.1f, want %.1f", elo, low, high, want)
	}
	if table.Leader() != 0 || !table.Certain(0.01, nil) {
		t.Errorf("the leader is %d, and certain: %v", table.Leader(), table.Certain(0.01, nil))
	}
	low99, high99 := table.Interval(0, 0.99)
	if low95, high95 := table.Interval(0, 0.95); !(low99 < low95 && high95 < high99) {
		t.Errorf("the 99 %% interval %.1f to %.1f does not contain the 95 %% interval %.1f to %.1f",
			low99, high99, low95, high95)
	}
}

// Among equal bots no leader is certain, and with one block nothing is.
func TestUncertain(t *testing.T) {
	thorough.Long(t)
	certain := 0
	for seed := range uint64(200) {
		blocks := draw(rand.New(rand.NewPCG(seed, 1)), make([]float64, 3), 30)
		if Fit(3, blocks, Options{VirtualDraws: TableDraws, Resamples: 100}).Certain(0.05, nil) {
			certain++
		}
	}
	if certain > 10 {
		t.Errorf("of 200 contests of equal bots, %d have a certain leader, want at most 5 %%", certain)
	}
	table := Fit(2, []Block{{inOrder(0, 1), inOrder(0, 1)}},
		Options{VirtualDraws: TableDraws, Resamples: 100})
	if low, high := table.Interval(0, 0.95); table.Certain(0.05, nil) || low > -10_000 ||
		high < 10_000 {
		t.Errorf("one block gives %v to %v, certain: %v", low, high, table.Certain(0.05, nil))
	}
	if empty := Fit(0, nil, Options{}); empty.Leader() != -1 || empty.Certain(0.05, nil) {
		t.Errorf("the leader of no bots is %d", empty.Leader())
	}
}

// The same seed gives the same samples, another one others.
func TestSeeds(t *testing.T) {
	blocks := draw(rand.New(rand.NewPCG(1, 2)), []float64{0, 0.5}, 50)
	low := func(seed uint64) float64 {
		low, _ := Fit(2, blocks,
			Options{VirtualDraws: TableDraws, Resamples: 100, Seed: seed}).Interval(0, 0.95)
		return low
	}
	if low(1) != low(1) || low(1) == low(2) {
		t.Errorf("seed 1 gives %v and %v, seed 2 %v", low(1), low(1), low(2))
	}
}

// The bits of every figure are the same on every machine: the golden values are from amd64.
func TestSameBitsEverywhere(t *testing.T) {
	blocks := draw(rand.New(rand.NewPCG(1, 2)), []float64{0.6, 0.1, -0.5}, 40)
	blocks = append(blocks, Block{{[]int{0, 1, 2}, []int{1, 1, 3}}, {[]int{2, 0}, []int{1, 1}}})
	table := Fit(3, blocks, Options{VirtualDraws: TableDraws, Resamples: 50, Seed: 3})
	low, high := table.Interval(0, 0.95)
	e := NewElo(score.Distribution{3, 4, 6, 9, 2}, 2)
	skill := Update([]Skill{NewSkill(), {20, 5}, {30, 2}}, []int{1, 2, 2})[0]
	got := fmt.Sprintf(
		"%x",
		[]float64{
			table.Elo(0), table.Elo(2), low, high, e.Elo, e.Error, e.NElo, e.NEloError, e.LOS, skill.Mu,
			skill.Sigma,
		},
	)
	if got != wantBits {
		t.Errorf("the figures are %s, want %s", got, wantBits)
	}
}

const wantBits = "[0x1.92e06811bd3e1p+06 -0x1.83f8b0c790f2fp+06 0x1.3aca825560514p+06 " +
	"0x1.2a7c8348e84eep+07 0x1.5be3980d104d1p+04 0x1.4ba087b919d98p+06 0x1.a56ca42f11eedp+04 " +
	"0x1.892734f9a850fp+06 0x1.668bffd60fb1ap-01 0x1.cdfac15dccdeap+04 0x1.017be2485cf88p+03]"
