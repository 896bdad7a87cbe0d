package cup

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/score"
)

// rounds are the tables of a format that pairs by results: those of a round follow from the rows of
// the rounds before it. Each table plays the same number of blocks, one table after another.
type rounds struct {
	schedule *plan.Schedule
	pairs    pairs
	seats    int
	blocks   int // of a table in a round
	number   int // of the round, from 0
	first    int // the number of its first match
	tables   [][]int
	halves   []int // of each bot in the round
}

// pairs makes the tables of one format. Bots are numbered from 0, in the order of their seeds.
type pairs interface {
	// add counts a match.
	add(bots, ranks []int)
	// next returns the tables of the next round; none if the contest is over. halves has how often
	// each bot has beaten another one in the last round, ties as half; it is nil before the first.
	next(halves []int) [][]int
	// state returns pointers to all that the pairs know, for a checkpoint: JSON of them is also
	// read into them.
	state() any
}

// newRounds returns the rounds of a plan before the first match, nil for formats that do not pair
// by results.
func newRounds(p *plan.Plan, s *plan.Schedule) *rounds {
	if !p.Format.Adaptive() {
		return nil
	}
	r := &rounds{
		schedule: s, pairs: newPairs(p), seats: p.Seats, blocks: 1, halves: make([]int, len(p.Bots)),
	}
	if p.Format == plan.KnockOut || p.Format == plan.Groups {
		r.blocks = max(1, p.Count/(p.Seats*tablesOf(p)))
	}
	r.tables = r.pairs.next(nil)
	return r
}

func newPairs(p *plan.Plan) pairs {
	n := len(p.Bots)
	switch p.Format {
	case plan.Swiss:
		return &swiss{history: pairing.NewHistory(n), seats: p.Seats, scores: make([]int, n)}
	case plan.Ladder:
		l := &ladder{history: pairing.NewHistory(n), seats: p.Seats, skills: make([]rating.Skill, n)}
		for i := range l.skills {
			l.skills[i] = rating.NewSkill()
		}
		return l
	}
	if p.Format == plan.Groups {
		return newGroups(p)
	}
	return &knockOut{bracket: pairing.NewBracket(all(n), p.Seats)}
}

func all(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// size returns how many matches the round has.
func (r *rounds) size() int { return len(r.tables) * r.blocks * r.seats }

// over reports whether no round follows.
func (r *rounds) over() bool { return len(r.tables) == 0 }

// describe returns what the user is told of the round.
func (r *rounds) describe(bots []plan.Bot) Round {
	d := Round{Number: r.number + 1, Tables: namesOf(r.tables, bots)}
	o, _ := r.pairs.(*knockOut)
	if g, ok := r.pairs.(*groups); ok {
		o = &g.knockOut
		if r.number == 0 {
			d.Groups = namesOf(g.stage.Groups, bots)
		}
	}
	if o != nil && o.over {
		d.Winner = bots[o.winner].Name
	}
	return d
}

// namesOf returns the names of the bots at some tables.
func namesOf(tables [][]int, bots []plan.Bot) [][]string {
	list := make([][]string, len(tables))
	for i, table := range tables {
		for _, bot := range table {
			list[i] = append(list[i], bots[bot].Name)
		}
	}
	return list
}

// match returns match k, or false if its round has not begun.
func (r *rounds) match(k int) (plan.Match, bool) {
	if k >= r.first+r.size() {
		return plan.Match{}, false
	}
	block := (k - r.first) / r.seats
	return r.schedule.Round(k, r.number*r.blocks+block%r.blocks, r.tables[block/r.blocks]), true
}

// add adds the result of match k, the next one.
func (r *rounds) add(k int, bots, ranks []int) {
	for i, bot := range bots {
		r.halves[bot] += score.Halves(ranks, i)
	}
	r.pairs.add(bots, ranks)
	if k+1 < r.first+r.size() {
		return
	}
	r.first = k + 1
	r.tables = r.pairs.next(r.halves)
	r.number++
	clear(r.halves)
}

// swiss pairs by score. A round without a table counts as half of what its matches would have been
// worth, so that it is neither a loss nor a gift.
type swiss struct {
	history *pairing.History
	seats   int
	scores  []int
}

func (s *swiss) add([]int, []int) {}

func (s *swiss) next(halves []int) [][]int {
	for bot, n := range halves {
		s.scores[bot] += n
	}
	tables, resting := pairing.Swiss(s.history, all(len(s.scores)), s.seats, s.scores)
	for _, table := range tables {
		s.history.Add(table)
	}
	for _, bot := range resting {
		s.history.Rest(bot)
		s.scores[bot] += score.Most(s.seats, s.seats) / 2
	}
	return tables
}

// ladder pairs so that all meet equally often, and neighbours first.
type ladder struct {
	history *pairing.History
	seats   int
	skills  []rating.Skill
}

func (l *ladder) add(bots, ranks []int) {
	skills := make([]rating.Skill, len(bots))
	for i, bot := range bots {
		skills[i] = l.skills[bot]
	}
	for i, s := range rating.Update(skills, ranks) {
		l.skills[bots[i]] = s
	}
}

func (l *ladder) next([]int) [][]int {
	ratings := make([]float64, len(l.skills))
	for i, s := range l.skills {
		ratings[i] = s.Mu
	}
	tables, resting := l.history.Round(all(len(l.skills)), l.seats, ratings)
	for _, table := range tables {
		l.history.Add(table)
	}
	for _, bot := range resting {
		l.history.Rest(bot)
	}
	return tables
}

// knockOut promotes the better half of each table. Of equal bots the better seed does.
type knockOut struct {
	bracket *pairing.Bracket
	begun   bool
	winner  int // once over
	over    bool
}

func (o *knockOut) add([]int, []int) {}

func (o *knockOut) next(halves []int) [][]int {
	for {
		if o.begun {
			var standings [][]int
			for _, table := range o.bracket.Tables() {
				standing := slices.Clone(table)
				slices.SortFunc(standing, func(a, b int) int {
					return cmp.Or(cmp.Compare(halves[b], halves[a]), cmp.Compare(a, b))
				})
				standings = append(standings, standing)
			}
			if o.bracket.Final() {
				o.winner, o.over = standings[0][0], true
				return nil
			}
			o.bracket.Next(standings)
		}
		o.begun = true
		var tables [][]int
		for i, table := range o.bracket.Tables() {
			if o.bracket.Played(i) {
				tables = append(tables, table)
			}
		}
		if len(tables) > 0 {
			return tables
		}
		halves = make([]int, len(halves))
	}
}

// tablesOf returns how many tables a knock-out has in all rounds, with those of the groups before
// it.
func tablesOf(p *plan.Plan) (n int) {
	o := newPairs(p)
	halves := make([]int, len(p.Bots))
	for tables := o.next(nil); tables != nil; tables = o.next(halves) {
		n += len(tables)
	}
	return n
}

// WholeRounds rounds the matches of a plan whose format pairs by results up to whole rounds;
// without a number of matches it takes usual ones. It returns an error if some tables would not be
// full.
func WholeRounds(p *plan.Plan) error {
	if p.Seats < 2 || p.Seats > len(p.Bots) {
		return nil // which the check of the plan tells
	}
	var unit int
	switch p.Format {
	case plan.Swiss:
		unit = len(p.Bots) / p.Seats * p.Seats
		if p.Count == 0 { // as many rounds as find the best of them by halves
			p.Count = unit * bits.Len(uint(len(p.Bots)-1))
		}
	case plan.Ladder:
		unit = len(p.Bots) / p.Seats * p.Seats
	case plan.KnockOut:
		o := &knockOut{bracket: pairing.NewBracket(all(len(p.Bots)), p.Seats)}
		halves := make([]int, len(p.Bots))
		for tables := o.next(nil); tables != nil; tables = o.next(halves) {
			for _, table := range tables {
				if len(table) != p.Seats {
					return fmt.Errorf("seats = %d: a knock-out of %d bots has tables of %d; take 2 seats, or "+
						"another number of bots", p.Seats, len(p.Bots), len(table))
				}
			}
		}
		unit = tablesOf(p) * p.Seats
		p.Count = max(p.Count, unit)
	case plan.Groups:
		if _, _, err := p.GroupStage(); err != nil {
			return nil // which the check of the plan tells
		}
		unit = tablesOf(p) * p.Seats
		p.Count = max(p.Count, unit)
	default:
		return nil
	}
	p.Count = (p.Count + unit - 1) / unit * unit
	return nil
}
