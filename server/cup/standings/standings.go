// Package standings makes the standings of a cup from its plan and the rows of its log: scores and
// strengths with their intervals, a cross-table, scores by map and seat, and the errors of bots.
//
// It needs the rows one by one and keeps sums only, so that a cup may have any number of matches,
// and serves a cup that is being played as well as one that is over. Everything but the errors and
// what matches cost follows from the plan and the log, on every machine with the same digits.
package standings

import (
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/score"
	"github.com/hexarena/hexarena/server/contest/sprt"
)

// Standings sums up the rows of a cup. It is not safe for concurrent use.
type Standings struct {
	Origin Origin // of all tables, but for the plan's digest

	plan    *plan.Plan
	bots    map[string]int // of the plan, by name
	maps    map[string]int
	matches int
	next    int // the number of the match after the last row
	totals  []total
	meets   []meetings // of bot i with bot j at i*len(bots)+j
	block   []rating.Result
	blocks  *rating.Blocks
	// Of the blocks of one bot against another one, in formats that compare them: by the numbers of
	// both.
	compared map[[2]int]score.Distribution
	test     *sprt.Test // nil if the plan has none
	reached  []reached  // of each bot, in a knock-out
	groups   [][]int    // the bots of each group; nil in other formats
	before   int        // matches of the group stage before the knock-out
	table    []int      // of the last block of a knock-out, sorted
	tables   int        // of the knock-out that have been begun
	rounds   []int      // how many tables a knock-out has up to the end of each round
	errors   errorGroups
	costs    []cost // of each bot
	lags     lags
}

// total sums up the matches of a bot.
type total struct {
	All     part `json:"all"`            // of all seats that it had
	Group   part `json:"group,omitzero"` // of those in the group stage
	Matches int  `json:"matches"`
	There   int  `json:"there"` // matches in which it is known to have been there
	// the last one of a Swiss contest in which it had a match, from 1
	Round    int            `json:"round,omitzero"`
	Rests    int            `json:"rests,omitzero"` // rounds of a Swiss contest in which it had none
	Maps     []part         `json:"maps"`
	Seats    []part         `json:"seats"`
	Forfeits map[string]int `json:"forfeits"` // matches by kind
	Refused  int64          `json:"refused"`
}

// part sums up what a bot scored in some of its seats.
type part struct {
	Seats  int `json:"seats"`
	Halves int `json:"halves"`
}

// meetings counts how often a bot was before, level with and behind another one.
type meetings struct {
	Wins   int `json:"wins"`
	Ties   int `json:"ties"`
	Losses int `json:"losses"`
}

// New returns the standings of a plan without mistakes, before its first row.
func New(p *plan.Plan) *Standings {
	n := len(p.Bots)
	s := &Standings{
		plan: p, bots: make(map[string]int, n), maps: make(map[string]int, len(p.Maps)),
		totals: make([]total, n), meets: make([]meetings, n*n), reached: make([]reached, n),
		costs:  make([]cost, n),
		blocks: rating.NewBlocks(n), compared: make(map[[2]int]score.Distribution),
	}
	for i := range p.Bots {
		s.bots[p.Bots[i].Name] = i
		s.totals[i] = total{
			Maps: make([]part, len(p.Maps)), Seats: make([]part, p.Seats), Forfeits: make(map[string]int),
		}
	}
	for i := range p.Maps {
		s.maps[p.Maps[i].Name] = i
	}
	switch p.Format {
	case plan.KnockOut:
		s.rounds = pairing.Rounds(n, p.Seats)
	case plan.Groups:
		stage, before, _ := p.GroupStage() // the plan has no mistakes
		s.groups, s.before, s.rounds = stage.Groups, before, stage.KnockOut()
	}
	for i := 1; i < len(s.rounds); i++ {
		s.rounds[i] += s.rounds[i-1]
	}
	if p.Format == plan.Comparison {
		s.test, _ = sprt.New(*p.Test, s.most(), p.Seats) // the plan has no mistakes
	}
	return s
}

// Add adds the next row, in the order of the matches' numbers; of a shard some are left out. It
// returns an error, and adds nothing, if the row is not one of the plan's.
func (s *Standings) Add(row *results.Row) error {
	r, board, err := s.read(row)
	if err != nil {
		return err
	}
	s.next = row.K + 1
	s.matches++
	s.count(row, r, board)
	at := row.K % s.plan.Seats
	if at == 0 {
		s.block = s.block[:0]
	}
	if at != len(s.block) {
		return nil // a match of the block is missing, so that it never becomes complete
	}
	if s.block = append(s.block, r); len(s.block) == s.plan.Seats {
		s.addBlock()
	}
	return nil
}

// read returns the result and the map of a row.
func (s *Standings) read(row *results.Row) (r rating.Result, board int, err error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("match %d is not of this plan: "+format, append([]any{row.K}, args...)...)
	}
	if row.K < s.next {
		return r, 0, wrong("it comes after match %d", s.next-1)
	}
	if len(row.Bots) != s.plan.Seats {
		return r, 0, wrong("it has %d seats, want %d", len(row.Bots), s.plan.Seats)
	}
	board, ok := s.maps[row.Map]
	if !ok {
		return r, 0, wrong("there is no map %q", row.Map)
	}
	r = rating.Result{Bots: make([]int, len(row.Bots)), Ranks: slices.Clone(row.Ranks)}
	for seat, name := range row.Bots {
		if r.Bots[seat], ok = s.bots[name]; !ok {
			return r, 0, wrong("there is no bot %q", name)
		}
	}
	return r, board, nil
}

// count adds a match to the sums that count matches.
func (s *Standings) count(row *results.Row, r rating.Result, board int) {
	there, failed := map[int]bool{}, map[int]bool{} // a bot may have several seats
	for seat, bot := range r.Bots {
		t, halves := &s.totals[bot], score.Halves(r.Ranks, seat)
		parts := []*part{&t.All, &t.Maps[board], &t.Seats[seat]}
		if row.K < s.before {
			parts = append(parts, &t.Group)
		}
		for _, p := range parts {
			p.Seats++
			p.Halves += halves
		}
		t.Refused += int64(row.Refused[seat])
		if kind := row.Forfeits[seat]; kind != "" && !failed[bot] {
			failed[bot] = true
			t.Forfeits[kind]++
		}
		if row.There(seat) {
			there[bot] = true
		}
		if first(r.Bots, seat) {
			t.Matches++
		}
		for other, opponent := range r.Bots {
			if opponent != bot {
				s.meets[bot*len(s.totals)+opponent].add(r.Ranks[seat], r.Ranks[other])
			}
		}
	}
	for bot := range there {
		s.totals[bot].There++
	}
	s.noteRests(row.K, r.Bots)
}

// first reports whether a seat is the first one of its bot.
func first(bots []int, seat int) bool {
	for _, bot := range bots[:seat] {
		if bot == bots[seat] {
			return false
		}
	}
	return true
}

func (m *meetings) add(rank, other int) {
	switch {
	case rank < other:
		m.Wins++
	case rank == other:
		m.Ties++
	default:
		m.Losses++
	}
}

// addBlock adds the block that is complete to what statistics count.
func (s *Standings) addBlock() {
	s.blocks.Add(s.block)
	switch {
	case s.plan.Format == plan.Comparison:
		halves := s.ahead()
		s.distribution(1, 0, s.most())[halves]++
		s.test.Add(halves)
	case s.plan.Format == plan.Gauntlet, len(s.totals) == 2:
		s.addPairs()
	}
	if s.plan.Format == plan.KnockOut || s.plan.Format == plan.Groups && s.next > s.before {
		s.reach()
	}
}

// most returns the largest result of ahead.
func (s *Standings) most() int {
	most := score.Most(s.plan.Seats, s.plan.Seats)
	if len(s.plan.Bots) > 2 {
		most *= 2
	}
	return most
}

// ahead returns what the new version of a comparison has in the block: the halves of opponents that
// it has beaten, or with other bots at the table how far it is ahead of the old version.
func (s *Standings) ahead() (sum int) {
	for _, r := range s.block {
		old, fresh := 0, 0
		for seat, bot := range r.Bots {
			switch bot {
			case 0:
				old = seat
			case 1:
				fresh = seat
			}
		}
		if len(s.plan.Bots) > 2 {
			sum += score.Ahead(r.Ranks, fresh, old)
		} else {
			sum += score.Halves(r.Ranks, fresh)
		}
	}
	return sum
}

// addPairs adds the block to the scores of the first bot against all others in it, each by itself.
func (s *Standings) addPairs() {
	for _, other := range s.block[0].Bots {
		if other == 0 {
			continue
		}
		halves := 0
		for _, r := range s.block {
			hero, opponent := 0, 0
			for seat, bot := range r.Bots {
				switch bot {
				case 0:
					hero = r.Ranks[seat]
				case other:
					opponent = r.Ranks[seat]
				}
			}
			halves += score.Halves([]int{hero, opponent}, 0)
		}
		s.distribution(0, other, score.Most(2, s.plan.Seats))[halves]++
	}
}

// distribution returns the distribution of the blocks of one bot against another one.
func (s *Standings) distribution(bot, other, most int) score.Distribution {
	pair := [2]int{bot, other}
	if s.compared[pair] == nil {
		s.compared[pair] = make(score.Distribution, most+1)
	}
	return s.compared[pair]
}

// Matches returns the number of rows that were added.
func (s *Standings) Matches() int { return s.matches }

// Verdict returns what the test of a comparison has found. It is undecided in other formats, and if
// a bot is missing.
func (s *Standings) Verdict() sprt.Verdict {
	if s.test == nil || s.pointless() {
		return sprt.Undecided
	}
	return s.test.Verdict()
}
