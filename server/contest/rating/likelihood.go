package rating

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// share is a bot's part in a sum of strengths.
type share struct {
	bot    int
	weight float64
}

// pattern is a distinct result as its likelihood sees it: the product of the strengths in wins, each
// to the power of its weight, divided by the weighted sums of strengths in stages.
type pattern struct {
	wins   []share
	stages []int32 // of likelihood.stages
}

// likelihood holds the results of a contest: its distinct patterns, and how often each of its units
// has them. A few patterns and stages stand for any number of matches.
type likelihood struct {
	bots     int
	patterns []pattern
	stages   [][]share
	units    [][]occurrence // sorted by pattern
	size     int            // blocks of a unit
	blocks   int
	results  map[string]int32 // patterns
	known    map[string]int32 // stages
	key      []byte           // reused
}

// occurrence is how often a pattern occurs.
type occurrence struct{ pattern, count int32 }

// maxUnits bounds the units that a bootstrap draws from, and so its time and memory. A unit is a
// block; when there are more, two that follow each other become one. Half of this number, the least
// that there can be then, gives the width of an interval with a standard deviation of 1.6 %, less
// than [TableResamples] leave.
const maxUnits = 4096

// newLikelihood returns the likelihood of blocks of results.
func newLikelihood(bots int, blocks []Block) *likelihood {
	l := &likelihood{bots: bots, size: 1, results: make(map[string]int32), known: make(map[string]int32)}
	for _, block := range blocks {
		l.add(block)
	}
	return l
}

// add adds a block.
func (l *likelihood) add(block Block) {
	if l.blocks%l.size == 0 {
		if len(l.units) == maxUnits {
			l.join()
		}
		l.units = append(l.units, nil)
	}
	l.blocks++
	unit := &l.units[len(l.units)-1]
	for _, r := range block {
		if len(r.Bots) < 2 {
			continue
		}
		id := l.pattern(r)
		i, ok := slices.BinarySearchFunc(*unit, id, func(o occurrence, id int32) int { return cmp.Compare(o.pattern, id) })
		if !ok {
			*unit = slices.Insert(*unit, i, occurrence{pattern: id})
		}
		(*unit)[i].count++
	}
}

// pattern returns the number of the pattern of a result.
func (l *likelihood) pattern(r Result) int32 {
	l.key = appendKey(l.key[:0], r)
	id, ok := l.results[string(l.key)]
	if !ok {
		id = int32(len(l.patterns))
		l.results[string(l.key)] = id
		l.patterns = append(l.patterns, l.newPattern(r))
	}
	return id
}

// join makes one unit of each two.
func (l *likelihood) join() {
	for i := range len(l.units) / 2 {
		both := slices.Concat(l.units[2*i], l.units[2*i+1])
		slices.SortFunc(both, func(a, b occurrence) int { return cmp.Compare(a.pattern, b.pattern) })
		unit := both[:0]
		for _, o := range both {
			if n := len(unit); n > 0 && unit[n-1].pattern == o.pattern {
				unit[n-1].count += o.count
			} else {
				unit = append(unit, o)
			}
		}
		l.units[i] = slices.Clip(unit)
	}
	clear(l.units[len(l.units)/2:])
	l.units = l.units[:len(l.units)/2]
	l.size *= 2
}

// appendKey appends what tells apart results with different likelihoods: the bots by rank.
func appendKey(dst []byte, r Result) []byte {
	order := make([]int, len(r.Bots))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(r.Ranks[i], r.Ranks[j]), cmp.Compare(r.Bots[i], r.Bots[j]))
	})
	for n, i := range order {
		tied := byte(0)
		if n > 0 && r.Ranks[i] == r.Ranks[order[n-1]] {
			tied = 1
		}
		dst = binary.AppendUvarint(append(dst, tied), uint64(r.Bots[i]))
	}
	return dst
}

// newPattern returns the likelihood of a result in the model of Plackett and Luce: the winner is
// drawn among all players in proportion to their strengths, the second among the rest, and so on.
//
// Ties follow Efron, "The Efficiency of Cox's Likelihood Function for Censored Data", JASA 72
// (1977): while the bots of a group that is tied are drawn, each remains among the rest with the
// share of the group that has not been drawn. The last player of all is not drawn, and in a last
// group that is tied each bot is that one with equal probability, so that a tie of two is half a
// win for each.
func (l *likelihood) newPattern(r Result) pattern {
	var p pattern
	for i, bot := range r.Bots {
		before, tied, after := position(r.Ranks, i)
		draws := tied
		if after == 0 {
			draws--
		}
		if draws > 0 {
			p.wins = append(p.wins, share{bot, float64(draws) / float64(tied)})
		}
		if before > 0 {
			continue
		}
		for drawn := range draws {
			p.stages = append(p.stages, l.stage(r, r.Ranks[i], float64(tied-drawn)/float64(tied)))
		}
	}
	return p
}

// position returns how many players of player i's rank come before it in the list, how many
// there are, and how many players have a worse rank.
func position(ranks []int, i int) (before, tied, after int) {
	for j, rank := range ranks {
		switch {
		case rank > ranks[i]:
			after++
		case rank == ranks[i]:
			tied++
			if j < i {
				before++
			}
		}
	}
	return before, tied, after
}

// stage returns the number of the stage with the players of a rank, with the given weight, and
// those after them.
func (l *likelihood) stage(r Result, rank int, weight float64) int32 {
	var shares []share
	for j, other := range r.Ranks {
		switch {
		case other == rank:
			shares = append(shares, share{r.Bots[j], weight})
		case other > rank:
			shares = append(shares, share{r.Bots[j], 1})
		}
	}
	slices.SortFunc(shares, func(a, b share) int {
		return cmp.Or(cmp.Compare(a.bot, b.bot), cmp.Compare(a.weight, b.weight))
	})
	var key []byte
	for _, s := range shares {
		key = binary.LittleEndian.AppendUint64(binary.AppendUvarint(key, uint64(s.bot)), math.Float64bits(s.weight))
	}
	id, ok := l.known[string(key)]
	if !ok {
		id = int32(len(l.stages))
		l.known[string(key)] = id
		l.stages = append(l.stages, shares)
	}
	return id
}

// count adds the results of a unit to how often each pattern occurs.
func (l *likelihood) count(counts []float64, unit int) {
	for _, o := range l.units[unit] {
		counts[o.pattern] += float64(o.count)
	}
}

// total sets the weights of the strengths and of the stages for patterns that occur this often.
func (l *likelihood) total(counts, wins, stages []float64) {
	clear(wins)
	clear(stages)
	for id, count := range counts {
		if count == 0 {
			continue
		}
		for _, w := range l.patterns[id].wins {
			wins[w.bot] += float64(count * w.weight)
		}
		for _, stage := range l.patterns[id].stages {
			stages[stage] += count
		}
	}
}
