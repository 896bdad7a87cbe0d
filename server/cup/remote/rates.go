package remote

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/score"
	"github.com/hexarena/hexarena/server/cup"
)

const (
	// suspiciousAfter is after how many matches the results of a worker are judged: of fewer, cells are too small.
	suspiciousAfter = 1000
	// suspicious is the probability of results under which their worker is named: of a thousand workers that are all sound,
	// one is named in a thousand cups.
	suspicious = 1e-6
	// leastExpected is the number of blocks that a cell needs to count: from five on the statistic has its distribution.
	leastExpected = 5
	// maxTables bounds the tables whose blocks are counted. Of more the later ones are not: they have few blocks each.
	maxTables = 10_000
)

// rates counts how the blocks of each table of bots ended, by worker. Matches of a block depend on each other, so blocks are
// what is counted, those of which one worker has played all matches.
type rates struct {
	plan   *plan.Plan
	blocks map[int]*block             // that are not complete
	tables map[string]map[int]byTable // by the names of the bots, and by what the block was worth to the first of them
}

// byTable are the blocks of one outcome, by worker.
type byTable map[*worker]int

// block is a block of which some results are known.
type block struct {
	worker *worker // nil: several have played it
	rows   int
	halves int // of the first bot
	failed bool
}

func newRates(p *plan.Plan) *rates {
	return &rates{plan: p, blocks: map[int]*block{}, tables: map[string]map[int]byTable{}}
}

// failedBlock stands for a block with a forfeit.
const failedBlock = -1

// add counts the result of a match.
func (r *rates) add(m *plan.Match, row *results.Row, w *worker) {
	b := r.blocks[m.Block]
	if b == nil {
		b = &block{worker: w}
		r.blocks[m.Block] = b
	}
	if b.worker != w {
		b.worker = nil
	}
	first := slices.Min(m.Bots)
	for i, bot := range m.Bots {
		if bot == first {
			b.halves += score.Halves(row.Ranks, i)
		}
		b.failed = b.failed || row.Forfeits[i] != "" && row.Forfeits[i] != cup.Unstarted
	}
	if b.rows++; b.rows < r.plan.Seats {
		return
	}
	delete(r.blocks, m.Block)
	name := fmt.Sprint(slices.Sorted(slices.Values(m.Bots)))
	if b.worker == nil || r.tables[name] == nil && len(r.tables) == maxTables {
		return
	}
	outcome := b.halves
	if b.failed {
		outcome = failedBlock
	}
	if r.tables[name] == nil {
		r.tables[name] = map[int]byTable{}
	}
	if r.tables[name][outcome] == nil {
		r.tables[name][outcome] = byTable{}
	}
	r.tables[name][outcome][w]++
}

// chance returns the probability that a worker has results as far from those of the others as it has, if all machines play
// alike: a chi-square test of homogeneity, over all tables. Cells that are too small are counted together with their
// neighbours.
func (r *rates) chance(w *worker) float64 {
	sum, degrees := 0.0, 0
	for _, outcomes := range r.tables {
		var own, others []float64
		for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
			mine, all := 0, 0
			for by, n := range outcomes[outcome] {
				if all += n; by == w {
					mine += n
				}
			}
			own, others = append(own, float64(mine)), append(others, float64(all-mine))
		}
		s, d := homogeneity(own, others)
		sum += s
		degrees += d
	}
	return chiSquare(sum, degrees)
}

// homogeneity returns the statistic of two samples over the same cells, and its degrees of freedom.
func homogeneity(a, b []float64) (statistic float64, degrees int) {
	na, nb := sum(a), sum(b)
	if na == 0 || nb == 0 {
		return 0, 0
	}
	least := leastExpected * (na + nb) / min(na, nb) // of both together, so that the smaller sample has enough
	var cells [][2]float64
	open := [2]float64{}
	for i := range a {
		open[0], open[1] = open[0]+a[i], open[1]+b[i]
		if open[0]+open[1] >= least {
			cells, open = append(cells, open), [2]float64{}
		}
	}
	if len(cells) < 2 {
		return 0, 0
	}
	last := &cells[len(cells)-1]
	last[0], last[1] = last[0]+open[0], last[1]+open[1]
	for _, c := range cells {
		ea, eb := (c[0]+c[1])*na/(na+nb), (c[0]+c[1])*nb/(na+nb)
		statistic += (c[0]-ea)*(c[0]-ea)/ea + (c[1]-eb)*(c[1]-eb)/eb
	}
	return statistic, len(cells) - 1
}

func sum(list []float64) (n float64) {
	for _, v := range list {
		n += v
	}
	return n
}

// chiSquare returns the probability of a chi-square statistic of at least x, by its finite sums, whose terms are kept as
// logarithms since the first ones are too small for a float64. It is 1 without degrees of freedom.
func chiSquare(x float64, degrees int) float64 {
	if degrees == 0 || x <= 0 {
		return 1
	}
	p, term, next := 0.0, -x/2, 2.0
	if degrees%2 == 1 {
		p, term, next = math.Erfc(math.Sqrt(x/2)), -x/2+math.Log(2*x/math.Pi)/2, 3
	}
	for range degrees / 2 {
		p += math.Exp(term)
		term += math.Log(x / next)
		next += 2
	}
	return min(p, 1)
}
