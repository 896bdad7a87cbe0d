// Package stages computes the stages of a final: a knock-out, or groups and a knock-out of the best
// of each. All follows from the seeds and the results of the matches. It is pure.
package stages

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/score"
)

// The formats of finals.
const (
	KnockOut   = "knockout"
	GroupStage = "groups" // and a knock-out of those that go on
)

// maxBest bounds the matches of a table: 15 of 100 turns at eight a second take three minutes.
const maxBest = 15

// Final is a final. Its stage and its places follow from the results of its matches.
type Final struct {
	Format string
	Best   int          // matches of each table of the knock-out
	Seeds  []int        // teams, the best first
	Seats  int          // of a match
	Void   map[int]bool // matches that do not count, by number

	outcomes []outcome
}

// Add adds the result of a match: its teams by seat, and their ranks.
func (f *Final) Add(match int, teams, ranks []int) {
	f.outcomes = append(f.outcomes, outcome{match, teams, ranks})
}

// Pending reports whether matches are to be played; false if f is nil.
func (f *Final) Pending() bool { return f != nil && !f.now().over }

// Over reports whether f is not nil and all its matches are played.
func (f *Final) Over() bool { return f != nil && f.now().over }

// outcome is the result of a match of a final.
type outcome struct {
	match int
	teams []int // by seat
	ranks []int // theirs alone
}

// stage is a stage of a final with the points of its tables.
type stage struct {
	name   string
	tables []*finalTable
	over   bool  // the final is
	places []int // then: the teams of the last table, the best first
}

// finalTable is a table of a stage.
type finalTable struct {
	teams  []int
	points map[int]int
	left   int // matches
}

// take adds an outcome, and reports whether it is one of the table's.
func (t *finalTable) take(o outcome) bool {
	if t.left == 0 || !slices.Equal(sorted(t.teams), sorted(o.teams)) {
		return false
	}
	t.left--
	for seat, team := range o.teams {
		t.points[team] += score.Halves(o.ranks, seat)
	}
	// A team whose advantage is more than the matches that are left can yield has won.
	if order := t.order(); len(order) == 2 && t.points[order[0]]-t.points[order[1]] > 2*t.left {
		t.left = 0
	}
	return true
}

func sorted(list []int) []int { return slices.Sorted(slices.Values(list)) }

// order returns the teams from the best to the last. Of equal ones the better seed is better, which
// the table has first.
func (t *finalTable) order() []int {
	list := slices.Clone(t.teams)
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(t.points[b], t.points[a]) })
	return list
}

// newStage returns a stage in which each table plays some matches.
func newStage(name string, tables [][]int, matches int) *stage {
	s := &stage{name: name}
	for _, teams := range tables {
		s.tables = append(s.tables, &finalTable{teams: teams, points: map[int]int{}, left: matches})
	}
	return s
}

// take adds outcomes to the tables of the stage until all are done, and returns the other outcomes.
func (s *stage) take(outcomes []outcome) (rest []outcome, done bool) {
	for {
		open := slices.ContainsFunc(s.tables, func(t *finalTable) bool { return t.left > 0 })
		if !open || len(outcomes) == 0 {
			return outcomes, !open
		}
		for _, t := range s.tables {
			if t.take(outcomes[0]) {
				break
			}
		}
		outcomes = outcomes[1:]
	}
}

// now returns the stage that the final has reached.
func (f *Final) now() *stage {
	all := f.stages()
	return all[len(all)-1]
}

// stages returns the stages that the final has reached, all but the last of which are done.
func (f *Final) stages() (list []*stage) {
	isVoid := func(o outcome) bool { return f.Void[o.match] }
	seeds, rest := f.Seeds, slices.DeleteFunc(slices.Clone(f.outcomes), isVoid)
	if f.Format == GroupStage {
		g, err := pairing.NewGroupStage(len(f.Seeds), f.Seats)
		if err != nil { // which was checked when the final began
			return []*stage{{name: err.Error(), over: true}}
		}
		points := make([]int, len(f.Seeds))
		for i, round := range g.Rounds {
			s := newStage(fmt.Sprintf("group round %d of %d", i+1, len(g.Rounds)), f.teamsOf(round), 1)
			list = append(list, s)
			var done bool
			if rest, done = s.take(rest); !done {
				return list
			}
			for _, t := range s.tables {
				for team, n := range t.points {
					points[slices.Index(f.Seeds, team)] += n
				}
			}
		}
		seeds = nil
		for _, i := range g.GoOn(points) {
			seeds = append(seeds, f.Seeds[i])
		}
	}
	return append(list, f.bracket(pairing.NewBracket(seeds, f.Seats), rest)...)
}

// teamsOf returns tables of teams for tables of places in the order of the seeds.
func (f *Final) teamsOf(tables [][]int) (list [][]int) {
	for _, table := range tables {
		var teams []int
		for _, i := range table {
			teams = append(teams, f.Seeds[i])
		}
		list = append(list, teams)
	}
	return list
}

// bracket returns the stages that a knock-out has reached.
func (f *Final) bracket(b *pairing.Bracket, rest []outcome) (list []*stage) {
	for round := 1; ; round++ {
		name := fmt.Sprintf("knock-out round %d", round)
		if b.Final() {
			name = "final"
		}
		s := newStage(name, b.Tables(), f.Best)
		for i := range s.tables {
			if !b.Played(i) {
				s.tables[i].left = 0
			}
		}
		list = append(list, s)
		var done bool
		if rest, done = s.take(rest); !done {
			return list
		}
		if b.Final() {
			s.over, s.places = true, s.tables[0].order()
			return list
		}
		var standings [][]int
		for _, t := range s.tables {
			standings = append(standings, t.order())
		}
		b.Next(standings)
	}
}

// Next returns the matches that are played next, side by side, as teams by seat. Each match of a
// table has another team first.
func (f *Final) Next() (matches [][]int) {
	for _, t := range f.now().tables {
		if t.left > 0 {
			turn := (f.Best - t.left) % len(t.teams)
			matches = append(matches, slices.Concat(t.teams[turn:], t.teams[:turn]))
		}
	}
	return matches
}

// Before returns the final as it was before a match.
func (f *Final) Before(match int) *Final {
	earlier := *f
	later := func(o outcome) bool { return o.match >= match }
	earlier.outcomes = slices.DeleteFunc(slices.Clone(f.outcomes), later)
	return &earlier
}

// Order returns the teams of the final, those that came furthest first, and their ranks. Teams that
// are still in it share a rank, and so do those that lost at the same place of tables of one stage.
// The better seed is first among these.
func (f *Final) Order() (teams, ranks []int) {
	type reached struct{ stage, place int }
	at := map[int]reached{}
	stages, _ := f.summary()
	for i, s := range stages {
		done := i < len(stages)-1 || s.over
		for _, t := range s.tables {
			for place, team := range t.order() {
				if !done {
					place = 0
				}
				at[team] = reached{i, place}
			}
		}
	}
	teams = slices.Clone(f.Seeds)
	slices.SortStableFunc(teams, func(a, b int) int {
		return cmp.Or(cmp.Compare(at[b].stage, at[a].stage), cmp.Compare(at[a].place, at[b].place))
	})
	for i, team := range teams {
		rank := i + 1
		if i > 0 && at[team] == at[teams[i-1]] {
			rank = ranks[i-1]
		}
		ranks = append(ranks, rank)
	}
	return teams, ranks
}

// Check returns the reason why a final cannot be played, nil if it can.
func (f *Final) Check() error {
	switch {
	case f.Format != KnockOut && f.Format != GroupStage:
		return fmt.Errorf("a final as %.20q: want %s or %s", f.Format, KnockOut, GroupStage)
	case f.Best < 1 || f.Best > maxBest:
		return fmt.Errorf("best of %d: want 1 to %d", f.Best, maxBest)
	case len(f.Seeds) < 2:
		return errors.New("a final needs two teams or more that have played, " +
			"and are neither hidden nor at rest")
	case f.Format == GroupStage:
		_, err := pairing.NewGroupStage(len(f.Seeds), f.Seats)
		return err
	}
	return nil
}
