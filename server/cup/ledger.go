package cup

import (
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
)

// ledger is what the rows of a log mean for those that follow: which bots are not started any more,
// and whether the contest is over. It depends on the rows and their order and on nothing else, so
// that a contest that goes on, or plays more matches at once, takes the same decisions.
type ledger struct {
	plan     *plan.Plan
	schedule *plan.Schedule
	bots     map[string]int // the plan's, by name
	next     int            // the number of the next row
	shard    plan.Shard
	stretch  int    // matches
	failures []int  // of each bot: the matches in a row that it did not hold out, in this stretch
	out      []bool // bots that are not started any more in this stretch
	end      end
	rounds   *rounds // nil: the tables do not depend on results
}

func newLedger(p *plan.Plan, shard plan.Shard) *ledger {
	s := plan.NewSchedule(p)
	l := &ledger{
		plan: p, schedule: s, shard: shard, stretch: p.Stretch(), bots: map[string]int{},
		failures: make([]int, len(p.Bots)), out: make([]bool, len(p.Bots)), end: newEnd(p, s),
		rounds: newRounds(p, s),
	}
	l.next = l.following(0)
	for i := range p.Bots {
		l.bots[p.Bots[i].Name] = i
	}
	return l
}

// following returns the first match from k on that is played here.
func (l *ledger) following(k int) int { return l.shard.Next(k, l.stretch) }

// match returns match k, or false if the contest is over before it, or its table is not known yet.
func (l *ledger) match(k int) (plan.Match, bool) {
	if l.over() || l.end.matches > 0 && k >= l.end.matches {
		return plan.Match{}, false
	}
	if l.rounds != nil {
		return l.rounds.match(k)
	}
	return l.schedule.Match(k), true
}

// over reports whether no match follows.
func (l *ledger) over() bool {
	return l.end.decided || l.rounds != nil && l.rounds.over() ||
		l.end.matches > 0 && l.next >= l.end.matches
}

// unstarted returns which seats of a match have bots that are not started any more, as far as is
// known before its turn.
func (l *ledger) unstarted(m *plan.Match) []bool {
	seats := make([]bool, len(m.Bots))
	for i, bot := range m.Bots {
		seats[i] = l.out[bot] && m.K/l.stretch == l.next/l.stretch
	}
	return seats
}

// heldOut reports whether a bot played on in at least one of its seats: the old version of a
// comparison may have several.
func heldOut(bot int, bots []int, forfeits []string) bool {
	for i, other := range bots {
		if other == bot && forfeits[i] == "" {
			return true
		}
	}
	return false
}

// Add adds the next row.
func (l *ledger) Add(row *results.Row, times []archive.Times) error {
	l.next = l.following(row.K + 1)
	bots := make([]int, len(row.Bots))
	for i, name := range row.Bots {
		bot, ok := l.bots[name]
		if !ok {
			return fmt.Errorf("match %d of the log has the bot %q, which is not in the plan", row.K, name)
		}
		bots[i] = bot
	}
	for _, bot := range slices.Compact(slices.Sorted(slices.Values(bots))) {
		switch {
		case !heldOut(bot, bots, row.Forfeits):
			l.failures[bot]++
			l.out[bot] = l.out[bot] || l.failures[bot] >= MaxFailures
		case present(row.Forfeits) >= 2: // else there was no opponent, and no match to hold out
			l.failures[bot] = 0
		}
	}
	if l.rounds != nil {
		l.rounds.add(row.K, bots, row.Ranks)
	}
	err := l.end.add(row, times)
	for bot := range l.out {
		if l.out[bot] && l.plan.Needs(bot) && l.end.standings.Missing(bot) {
			l.end.decided = true // more matches would say no more
		}
	}
	if l.next/l.stretch != row.K/l.stretch {
		clear(l.failures)
		clear(l.out)
	}
	return err
}
