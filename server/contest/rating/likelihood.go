package rating

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// share is a bot's part in a sum.
type share struct {
	bot    int32
	weight float64
}

// likelihood holds the results of a contest as their likelihood sees them: a product of the
// strengths of those that were drawn, each to the power of its weight, divided by the weighted sums
// of strengths in the stages, among which they were drawn. Far fewer stages than results differ,
// since only the set of the bots that are left counts.
type likelihood struct {
	bots   int
	shares []share // of all stages, one after another
	ends   []int32 // of each stage's shares
	units  []unit
	size   int // blocks of a unit
	blocks int
	known  map[string]int32 // stages
	key    []byte           // reused
	order  []int            // reused
}

// unit is what a bootstrap draws: the results of a block, or of several that follow each other.
type unit struct {
	wins   []share      // sorted by bot
	stages []occurrence // sorted by stage
}

// occurrence is how often a stage occurs.
type occurrence struct{ stage, count int32 }

// maxUnits bounds the units that a bootstrap draws from, and so its time and memory. A unit is a
// block; when there are more, two that follow each other become one. Half of this number, the least
// that there can be then, gives the width of an interval with a standard deviation of 1.6 %, less
// than [TableResamples] leave.
const maxUnits = 4096

// newLikelihood returns the likelihood of blocks of results.
func newLikelihood(bots int, blocks []Block) *likelihood {
	l := &likelihood{bots: bots, size: 1, known: make(map[string]int32)}
	for _, block := range blocks {
		l.add(block)
	}
	return l
}

// stage returns the shares of a stage.
func (l *likelihood) stage(id int) []share {
	begin := int32(0)
	if id > 0 {
		begin = l.ends[id-1]
	}
	return l.shares[begin:l.ends[id]]
}

// add adds a block.
func (l *likelihood) add(block Block) {
	if l.blocks%l.size == 0 {
		if len(l.units) == maxUnits {
			l.join()
		}
		l.units = append(l.units, unit{})
	}
	l.blocks++
	u := &l.units[len(l.units)-1]
	for _, r := range block {
		if len(r.Bots) > 1 {
			l.addResult(u, r)
		}
	}
}

// addResult adds a result in the model of Plackett and Luce: the winner is drawn among all players
// in proportion to their strengths, the second among the rest, and so on.
//
// Ties follow Efron, "The Efficiency of Cox's Likelihood Function for Censored Data", JASA 72
// (1977): while the bots of a group that is tied are drawn, each remains among the rest with the
// share of the group that has not been drawn. The last player of all is not drawn, and in a last
// group that is tied each bot is that one with equal probability, so that a tie of two is half a
// win for each.
func (l *likelihood) addResult(u *unit, r Result) {
	for i, bot := range r.Bots {
		before, tied, after := position(r.Ranks, i)
		draws := tied
		if after == 0 {
			draws--
		}
		if draws > 0 {
			u.win(int32(bot), float64(draws)/float64(tied))
		}
		if before > 0 {
			continue
		}
		for drawn := range draws {
			u.pass(l.stageOf(r, r.Ranks[i], float64(tied-drawn)/float64(tied)))
		}
	}
}

// win adds to the wins of a bot.
func (u *unit) win(bot int32, weight float64) {
	i, ok := slices.BinarySearchFunc(u.wins, bot,
		func(s share, bot int32) int { return cmp.Compare(s.bot, bot) })
	if !ok {
		u.wins = slices.Insert(u.wins, i, share{bot: bot})
	}
	u.wins[i].weight += weight
}

// pass counts a stage.
func (u *unit) pass(stage int32) {
	i, ok := slices.BinarySearchFunc(u.stages, stage,
		func(o occurrence, id int32) int { return cmp.Compare(o.stage, id) })
	if !ok {
		u.stages = slices.Insert(u.stages, i, occurrence{stage: stage})
	}
	u.stages[i].count++
}

// join makes one unit of each two.
func (l *likelihood) join() {
	for i := range len(l.units) / 2 {
		l.units[i] = joined(&l.units[2*i], &l.units[2*i+1])
	}
	clear(l.units[len(l.units)/2:])
	l.units = l.units[:len(l.units)/2]
	l.size *= 2
}

// joined returns what two units have together.
func joined(a, b *unit) unit {
	wins, stages := slices.Concat(a.wins, b.wins), slices.Concat(a.stages, b.stages)
	slices.SortStableFunc(wins, func(a, b share) int { return cmp.Compare(a.bot, b.bot) })
	slices.SortFunc(stages, func(a, b occurrence) int { return cmp.Compare(a.stage, b.stage) })
	var u unit
	for _, w := range wins {
		if n := len(u.wins); n > 0 && u.wins[n-1].bot == w.bot {
			u.wins[n-1].weight += w.weight
		} else {
			u.wins = append(u.wins, w)
		}
	}
	for _, o := range stages {
		if n := len(u.stages); n > 0 && u.stages[n-1].stage == o.stage {
			u.stages[n-1].count += o.count
		} else {
			u.stages = append(u.stages, o)
		}
	}
	return unit{slices.Clip(u.wins), slices.Clip(u.stages)}
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

// stageOf returns the number of the stage with the players of a rank, with the given weight, and
// those after them.
func (l *likelihood) stageOf(r Result, rank int, weight float64) int32 {
	l.order = l.order[:0]
	for j, other := range r.Ranks {
		if other >= rank {
			l.order = append(l.order, j)
		}
	}
	of := func(j int) share {
		if r.Ranks[j] == rank {
			return share{int32(r.Bots[j]), weight}
		}
		return share{int32(r.Bots[j]), 1}
	}
	slices.SortFunc(l.order, func(i, j int) int {
		a, b := of(i), of(j)
		return cmp.Or(cmp.Compare(a.bot, b.bot), cmp.Compare(a.weight, b.weight))
	})
	l.key = l.key[:0]
	for _, j := range l.order {
		l.key = appendShare(l.key, of(j))
	}
	id, ok := l.known[string(l.key)]
	if !ok {
		id = int32(len(l.ends))
		l.known[string(l.key)] = id
		for _, j := range l.order {
			l.shares = append(l.shares, of(j))
		}
		l.ends = append(l.ends, int32(len(l.shares)))
	}
	return id
}

// appendShare appends a share; most have the weight 1, which takes no bytes.
func appendShare(dst []byte, s share) []byte {
	if s.weight == 1 {
		return binary.AppendUvarint(dst, uint64(s.bot)<<1)
	}
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(dst, uint64(s.bot)<<1|1),
		math.Float64bits(s.weight))
}
