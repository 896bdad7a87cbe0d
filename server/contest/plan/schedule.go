package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/hexarena/hexarena/server/contest/pairing"
)

// Match is one match of a contest.
type Match struct {
	K     int // its number, from 0
	Block int // that it belongs to, from 0
	Map   int // of the plan's maps
	// Seed is the game's, the same in all matches of a block, and below 2^53, so that any JSON
	// reader keeps it.
	Seed   uint64
	Bots   []int // of the plan's bots, by seat
	Places []int // the starting place of each seat on the map
}

// Schedule returns the matches of a plan by their numbers. It does not change.
//
// A block has one seed, one map and one table of n bots, and n matches: in each of them the bots
// move on by a seat, so that each has every seat once. This is a cyclic Latin square; the order of
// the table is drawn for each block, so that no bot always follows the same one. The worth of a
// seat or a map thus cancels within a block, which is the unit of all statistics.
type Schedule struct {
	plan   *Plan
	digest Digest    // that numbers are derived from
	cycle  [][]int   // tables, of formats that are not adaptive
	even   bool      // in a cycle all bots meet equally often
	places [][][]int // of each map: the choices of starting places
}

// NewSchedule returns the schedule of a plan without mistakes.
func NewSchedule(p *Plan) *Schedule {
	s := &Schedule{plan: p, digest: p.Digest()}
	if len(p.Seeds) > 0 {
		same := *p
		same.Bots = nil
		s.digest = same.Digest()
	}
	switch p.Format {
	case RoundRobin:
		s.cycle, s.even = pairing.Cycle(len(p.Bots), p.Seats)
	case Gauntlet:
		s.cycle, s.even = pairing.Cycle(len(p.Bots)-1, p.Seats-1)
	case Comparison:
		s.cycle, s.even = [][]int{p.compared()}, true
	}
	for _, m := range p.Maps {
		s.places = append(s.places, placesOf(m.Places, p.Seats))
	}
	return s
}

// maxPlaces is the largest number of starting places of which choices are balanced by pairs; more
// take seconds, and on such maps places hardly differ.
const maxPlaces = 32

// placesOf returns choices of starting places for a match. Together they use all places equally
// often, and of small maps also all pairs of places; on large maps the seats are spread evenly.
func placesOf(places, seats int) [][]int {
	if places <= maxPlaces {
		choices, _ := pairing.Cycle(places, seats)
		return choices
	}
	choices := make([][]int, places)
	for first := range choices {
		for seat := range seats {
			choices[first] = append(choices[first], (first+seat*places/seats)%places)
		}
	}
	return choices
}

// Filled reports whether other bots fill the seats of a comparison beside both versions.
func (p *Plan) Filled() bool { return p.Format == Comparison && len(p.Bots) > 2 }

// compared returns the table of a comparison: the new version once; the old one once as well if
// other bots fill the seats, and in all other seats if not.
func (p *Plan) compared() []int {
	table := []int{1, 0}
	for len(table) < p.Seats {
		filler := 0
		if others := len(p.Bots) - 2; p.Filled() {
			filler = 2 + (len(table)-2)%others
		}
		table = append(table, filler)
	}
	return table
}

// Blocks returns the number of blocks, or 0 if there is no limit.
func (s *Schedule) Blocks() int { return s.plan.Matches() / s.plan.Seats }

// Match returns match k of a format that is not adaptive. Each table plays on every map before it
// returns to one, and then, if the map has more places than the match has seats, in other places.
func (s *Schedule) Match(k int) Match {
	block := k / s.plan.Seats
	pass, t := block/len(s.cycle), block%len(s.cycle)
	return s.match(k, s.numbered(s.cycle[t], pass), pass+t, pass/len(s.plan.Maps)+t)
}

// Round returns match k of an adaptive format, whose block is at this table in this round, from 0.
// All tables of a round have the same map.
func (s *Schedule) Round(k, round int, table []int) Match {
	return s.match(k, table, round, round/len(s.plan.Maps))
}

// match returns match k with a table, on the given map and choice of places, counted on from the
// last one to the first.
func (s *Schedule) match(k int, table []int, board, choice int) Match {
	n := s.plan.Seats
	m := Match{K: k, Block: k / n, Map: board % len(s.plan.Maps), Bots: make([]int, n)}
	m.Seed = s.seed(m.Block)
	choices := s.places[m.Map]
	m.Places = slices.Clone(choices[choice%len(choices)])
	order := rand.New(rand.NewPCG(s.derive(seatOrder, m.Block, 0), 0)).Perm(n)
	for i, bot := range order {
		m.Bots[(i+k)%n] = table[bot]
	}
	return m
}

// seed returns the seed of a block. A given one is that of all tables on all maps before the next
// one.
func (s *Schedule) seed(block int) uint64 {
	if n := len(s.plan.Seeds); n > 0 {
		return s.plan.Seeds[block/len(s.cycle)/len(s.plan.Maps)%n]
	}
	return s.derive(blockSeed, block, 0) & maxSeed
}

// Cycle returns the number of blocks in which each table of a format that is not adaptive plays on
// each map once, and with given seeds on each map with each seed.
func (s *Schedule) Cycle() int {
	return len(s.cycle) * len(s.plan.Maps) * max(1, len(s.plan.Seeds))
}

// numbered returns a table of the cycle with the plan's bots. If cycles are uneven, the bots are
// numbered in another way in each pass after the first one, so that it evens out.
func (s *Schedule) numbered(table []int, pass int) []int {
	if s.plan.Format == Comparison {
		return table
	}
	first := 0
	if s.plan.Format == Gauntlet {
		first = 1
	}
	order := make([]int, len(s.plan.Bots)-first)
	for i := range order {
		order[i] = i
	}
	if pass > 0 && !s.even {
		order = rand.New(rand.NewPCG(s.derive(numbering, pass, 0), 0)).Perm(len(order))
	}
	bots := make([]int, first, s.plan.Seats) // the hero is bot 0
	for _, i := range table {
		bots = append(bots, first+order[i])
	}
	return bots
}

// BotSeed returns the seed of the bot in a seat of match k, below 2^53. Bots that stay for many
// matches reseed themselves with it, so that a match does not depend on those before it.
func (s *Schedule) BotSeed(k, seat int) uint64 { return s.derive(botSeed, k, seat) & maxSeed }

// The numbers that are derived from the digest.
const (
	blockSeed = iota
	seatOrder
	numbering
	botSeed
)

const maxSeed = 1<<53 - 1 // what a float64 holds exactly

// derive returns a number that follows from the digest and nothing else.
func (s *Schedule) derive(purpose byte, n, m int) uint64 {
	text := append(s.digest[:], purpose)
	text = binary.BigEndian.AppendUint64(text, uint64(n))
	text = binary.BigEndian.AppendUint64(text, uint64(m))
	sum := sha256.Sum256(text)
	return binary.BigEndian.Uint64(sum[:])
}
