// Package cuptest makes plans, boards and results of cups for tests, without playing a match.
package cuptest

import (
	"fmt"
	"math/rand/v2"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/sprt"
)

// names are those of the bots. The first two are what a spreadsheet and a terminal would interpret.
var names = []string{"=painter", "hun\x1b[2Jter", "walker", "bomber", "digger", "sleeper"}

// Case is a cup of which Rows rows have been played.
type Case struct {
	Name        string
	Format      plan.Format
	Bots, Seats int
	Rows        int
}

// Cases returns cups of each format whose matches follow from the plan.
func Cases() []Case {
	return []Case{
		{"roundrobin", plan.RoundRobin, 4, 3, 602},
		{"two", plan.RoundRobin, 2, 2, 400},
		{"gauntlet", plan.Gauntlet, 4, 3, 300},
		{"sprt", plan.Comparison, 2, 4, 200},
	}
}

// Plan returns a plan without mistakes for up to six bots, on two maps, of a million matches.
func Plan(format plan.Format, bots, seats int) *plan.Plan {
	p := &plan.Plan{
		Format: format, Game: "toy", Settings: []plan.Setting{{Name: "turns", Value: "100"}},
		Seats: seats, Count: 1_000_000, Seed: 7,
		Maps: []plan.Map{
			{Name: "pebble", Digest: plan.Digest{1}, Places: 6},
			{Name: "ring", Digest: plan.Digest{2}, Places: 8},
		},
	}
	for i := range bots {
		p.Bots = append(p.Bots,
			plan.Bot{Name: names[i], Seat: fmt.Sprintf("./%d.py", i), Digest: plan.Digest{byte(i)}})
	}
	if format == plan.Comparison {
		p.Test = &sprt.Hypotheses{NElo0: 0, NElo1: 30, Alpha: 0.05, Beta: 0.05}
	}
	return p
}

// Rows returns the first rows of a plan whose format is not adaptive. Results are drawn: bot i of n
// is as strong as n-i bots like the last one, the first seat doubles this, and some bots crash.
func Rows(p *plan.Plan, n int) []*results.Row {
	schedule, rng := plan.NewSchedule(p), rand.New(rand.NewPCG(p.Seed, uint64(n)))
	rows := make([]*results.Row, n)
	for k := range rows {
		rows[k] = row(p, schedule.Match(k), rng)
	}
	return rows
}

func row(p *plan.Plan, m plan.Match, rng *rand.Rand) *results.Row {
	r := &results.Row{
		K: m.K, Seed: m.Seed, Map: p.Maps[m.Map].Name, Ranks: make([]int, len(m.Bots)),
		Scores:  make([]int64, len(m.Bots)),
		Refused: make([]int, len(m.Bots)), Forfeits: make([]string, len(m.Bots)),
		Digest: results.Digest(rng.Uint64()),
	}
	for seat, bot := range m.Bots {
		r.Bots = append(r.Bots, p.Bots[bot].Name)
		if rng.IntN(10) == 0 {
			r.Refused[seat] = 1 + rng.IntN(5)
		}
		if rng.IntN(50*(len(p.Bots)-bot)) == 0 {
			r.Forfeits[seat] = results.Crash
		}
	}
	for rank := 1; rank <= len(m.Bots); rank++ {
		seat := draw(p, m, r.Ranks, rng)
		r.Ranks[seat], r.Scores[seat] = rank, int64(10*(len(m.Bots)-rank))
		if rank > 1 && rng.IntN(8) == 0 { // a tie
			r.Ranks[seat] = lastRank(r.Ranks, seat)
			r.Scores[seat] = int64(10 * (len(m.Bots) - r.Ranks[seat]))
		}
	}
	return r
}

// draw returns a seat that has no rank yet, in proportion to what it is worth.
func draw(p *plan.Plan, m plan.Match, ranks []int, rng *rand.Rand) int {
	weight := func(seat int) int {
		w := len(p.Bots) - m.Bots[seat]
		if seat == 0 {
			w *= 2
		}
		return w
	}
	total := 0
	for seat, rank := range ranks {
		if rank == 0 {
			total += weight(seat)
		}
	}
	at := rng.IntN(total)
	for seat, rank := range ranks {
		if rank != 0 {
			continue
		}
		if at -= weight(seat); at < 0 {
			return seat
		}
	}
	panic("the weights do not add up")
}

// lastRank returns the worst rank that another seat has.
func lastRank(ranks []int, seat int) (last int) {
	for i, rank := range ranks {
		if i != seat {
			last = max(last, rank)
		}
	}
	return last
}
