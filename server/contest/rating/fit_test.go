package rating

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// inOrder returns a result in which the bots finish in this order.
func inOrder(bots ...int) Result {
	r := Result{Bots: bots, Ranks: make([]int, len(bots))}
	for i := range r.Ranks {
		r.Ranks[i] = i + 1
	}
	return r
}

// strengths returns the most likely strengths of single results, in natural logarithms.
func strengths(bots int, virtualDraws float64, results ...Result) []float64 {
	return Fit(bots, []Block{results}, Options{VirtualDraws: virtualDraws}).strengths
}

// The golden values are those of choix, tests/data/testcase-rankings-2.json and
// testcase-pairwise-2.json, to the digits that they give. In a cycle all are equal. Choix stopped
// before the maximum of the rankings: there the likelihood's slope is 2e-5. The digits below are
// where ascending along the slope ends.
func TestFitGolden(t *testing.T) {
	rankings := []Result{inOrder(0, 1, 2), inOrder(3, 2, 0), inOrder(1, 3)}
	for _, tt := range []struct {
		name    string
		results []Result
		want    []float64
		digits  float64
	}{
		{"rankings of choix", rankings, []float64{-0.44328117, 0.69506219, -0.67061442, 0.4188334}, 5e-5},
		{"rankings", rankings, []float64{
			-0.443308489308, 0.695067866959, -0.670609570265, 0.418850192614,
		}, 1e-9},
		{"cycle of rankings", []Result{
			inOrder(0, 1, 2), inOrder(1, 2, 0), inOrder(2, 0, 1),
		}, []float64{0, 0, 0}, 1e-12},
		{"pairs", []Result{
			inOrder(0, 1), inOrder(0, 1), inOrder(1, 2), inOrder(2, 0),
		}, []float64{0.419617624, -0.419617624, 0}, 1e-9},
		{"cycle of pairs", []Result{
			inOrder(0, 1), inOrder(1, 2), inOrder(2, 0),
		}, []float64{0, 0, 0}, 1e-12},
	} {
		compareStrengths(t, tt.name, strengths(len(tt.want), 0, tt.results...), tt.want, tt.digits)
	}
}

func compareStrengths(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance) {
			t.Errorf("%s: the strengths are %.9f, want %.9f", name, got, want)
			return
		}
	}
}

// A tie of two is half a win for each, wherever it is at the end of a ranking; one that is
// followed by others follows Efron.
func TestTies(t *testing.T) {
	win, loss, tie := inOrder(0, 1), inOrder(1, 0), Result{[]int{0, 1}, []int{1, 1}}
	compareStrengths(t, "a tie", strengths(2, 0, win, win, tie, tie),
		strengths(2, 0, win, win, win, loss), 1e-12)
	for _, tt := range []struct {
		ranks  []int
		wins   []share
		stages [][]share
	}{
		{[]int{1, 1, 3}, []share{{4, 1}, {7, 1}}, [][]share{
			{{4, 1}, {7, 1}, {9, 1}}, {{4, 0.5}, {7, 0.5}, {9, 1}},
		}},
		{[]int{1, 2, 2}, []share{{4, 1}, {7, 0.5}, {9, 0.5}}, [][]share{
			{{4, 1}, {7, 1}, {9, 1}}, {{7, 1}, {9, 1}},
		}},
	} {
		l := newLikelihood(10, []Block{{Result{[]int{4, 7, 9}, tt.ranks}}})
		var stages [][]share
		for id := range l.ends {
			stages = append(stages, l.stage(id))
		}
		if !slices.Equal(l.units[0].wins, tt.wins) || !slices.EqualFunc(stages, tt.stages, slices.Equal) {
			t.Errorf("ranks %v have wins %v and stages %v, want %v and %v", tt.ranks, l.units[0].wins,
				stages, tt.wins, tt.stages)
		}
	}
}

// Newton's method finds what Hunter's iteration finds, with ties, bots with two seats,
// virtual draws, and bots that win nearly always.
func TestFitAgainstMM(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		bots := 2 + rng.IntN(6)
		virtualDraws := []float64{0.25, 1, 3}[rng.IntN(3)]
		spread := []float64{0, 1, 4}[rng.IntN(3)]
		var results []Result
		for range 1 + rng.IntN(60) {
			r := Result{Bots: make([]int, 2+rng.IntN(5)), Ranks: make([]int, 0, 7)}
			for i := range r.Bots {
				r.Bots[i] = rng.IntN(bots)
				r.Ranks = append(r.Ranks,
					int(3*rng.ExpFloat64()/math.Exp(spread*float64(r.Bots[i])/float64(bots))))
			}
			results = append(results, r)
		}
		got, want := strengths(bots, virtualDraws, results...), iterate(bots, virtualDraws, results)
		compareStrengths(t, "random results", got, want, 1e-7)
	}
}

// iterate is Hunter's MM iteration: each strength becomes its number of wins, divided by the
// sum over all stages of the inverse sums of strengths.
func iterate(bots int, virtualDraws float64, results []Result) []float64 {
	l := newLikelihood(bots, []Block{results})
	strengths := make([]float64, bots)
	for i := range strengths {
		strengths[i] = 1
	}
	for range 300_000 {
		wins, inverse := make([]float64, bots), make([]float64, bots)
		mean := 1.0
		for _, s := range strengths {
			mean *= math.Pow(s, 1/float64(bots))
		}
		// The draws' opponent moves with the mean, which takes back its part of their pull.
		pull := 0.0
		for _, s := range strengths {
			pull += virtualDraws * (0.5 - s/(s+mean)) / float64(bots)
		}
		for i, s := range strengths {
			wins[i] = virtualDraws/2 - pull
			inverse[i] = virtualDraws / (s + mean)
		}
		for _, w := range l.units[0].wins {
			wins[w.bot] += w.weight
		}
		for _, o := range l.units[0].stages {
			sum := 0.0
			for _, m := range l.stage(int(o.stage)) {
				sum += m.weight * strengths[m.bot]
			}
			for _, m := range l.stage(int(o.stage)) {
				inverse[m.bot] += float64(o.count) * m.weight / sum
			}
		}
		change := 0.0
		for i := range strengths {
			next := wins[i] / inverse[i]
			change = max(change, math.Abs(math.Log(next/strengths[i])))
			strengths[i] = next
		}
		if change < 1e-12 {
			break
		}
	}
	mean := 0.0
	for i := range strengths {
		strengths[i] = math.Log(strengths[i])
		mean += strengths[i] / float64(bots)
	}
	for i := range strengths {
		strengths[i] -= mean
	}
	return strengths
}

// Whatever was played, strengths are finite, and intervals have ends or none: a bot that won
// everything, one without matches, groups that never met, no results at all, with and without
// virtual draws.
func TestFitIsFinite(t *testing.T) {
	var always, apart []Result
	for range 1000 {
		always = append(always, inOrder(0, 1, 2))
		apart = append(apart, inOrder(0, 1), inOrder(2, 3))
	}
	for _, results := range [][]Result{nil, {inOrder(0)}, {inOrder(1, 0)}, always, apart} {
		for _, virtualDraws := range []float64{0, TableDraws} {
			var blocks []Block
			for _, r := range results {
				blocks = append(blocks, Block{r})
			}
			table := Fit(5, blocks, Options{VirtualDraws: virtualDraws, Resamples: 20})
			for bot := range 5 {
				low, high := table.Interval(bot, 0.95)
				if elo := table.Elo(bot); math.IsNaN(elo) || math.IsInf(elo, 0) || !(low <= high) {
					t.Errorf("%d results, %v virtual draws: bot %d has %v, %v to %v", len(results), virtualDraws,
						bot, table.Elo(bot), low, high)
				}
			}
		}
	}
	if elo := Fit(3, []Block{always[:50]}, Options{VirtualDraws: TableDraws}).Elo(0); elo < 500 ||
		elo > 1500 {
		t.Errorf("a bot that won 50 matches of three has %v Elo", elo)
	}
}
