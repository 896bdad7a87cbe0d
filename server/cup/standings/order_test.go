package standings_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/standings"
)

// blocks returns the rows of blocks of two matches each, of two bots by number, which win as often
// as is given: 2, 1 or 0 for the first one.
func blocks(p *plan.Plan, list ...[3]int) (rows []*results.Row) {
	for _, b := range list {
		for match := range 2 {
			ranks := []int{1, 2}
			if match >= b[2] {
				ranks = []int{2, 1}
			}
			rows = append(rows, &results.Row{
				K: len(rows), Map: p.Maps[0].Name, Bots: []string{p.Bots[b[0]].Name, p.Bots[b[1]].Name},
				Ranks:  ranks,
				Scores: make([]int64, 2), Refused: make([]int, 2), Forfeits: make([]string, 2),
			})
		}
	}
	return rows
}

// names returns the bots of a table, with their ranks.
func names(p *plan.Plan, t *standings.Table) (bots, ranks []int) {
	for i := range t.Bots {
		bots = append(bots,
			slices.IndexFunc(p.Bots, func(b plan.Bot) bool { return b.Name == t.Bots[i].Name }))
		ranks = append(ranks, t.Bots[i].Rank)
	}
	return bots, ranks
}

// In a knock-out the order is how far each bot came, also if another one has beaten weaker
// opponents more clearly; of equal bots at a table the first of the plan went on.
func TestKnockOutOrder(t *testing.T) {
	p := cuptest.Plan(plan.KnockOut, 4, 2)
	rows := blocks(p, [3]int{0, 3, 2}, [3]int{0, 3, 2}, [3]int{1, 2, 1}, [3]int{1, 2, 1},
		[3]int{0, 1, 0}, [3]int{1, 0, 1})
	table := of(t, p, rows).Table(100)
	if bots, ranks := names(p, table); !slices.Equal(bots, []int{1, 0, 2, 3}) ||
		!slices.Equal(ranks, []int{1, 2, 3, 4}) {
		t.Errorf("the order is %v with ranks %v, want 1 0 2 3", bots, ranks)
	}
	if !strings.HasSuffix(table.Compares, "the order is how far each came.") {
		t.Errorf("the table compares %q", table.Compares)
	}
	if bots, _ := names(p, of(t, p, rows[:4]).Table(100)); !slices.Equal(bots, []int{0, 3, 1, 2}) {
		t.Errorf("after a table the order is %v, want 0 3 1 2", bots)
	}
}

// Bots that lost in the same round of a knock-out are in the order of what they had at their
// tables, and equal ones in that of the plan. Those that did not have to play the first round are
// before those that lost in it.
func TestKnockOutOrderInARound(t *testing.T) {
	p := cuptest.Plan(plan.KnockOut, 6, 2) // the first tables are 3 4 and 2 5
	for _, tt := range []struct {
		blocks [][3]int
		want   []int
	}{
		{[][3]int{{3, 4, 1}, {2, 5, 2}, {0, 3, 1}, {1, 2, 2}, {0, 1, 2}}, []int{0, 1, 3, 2, 4, 5}},
		{[][3]int{{3, 4, 2}, {2, 5, 1}, {0, 3, 2}, {1, 2, 1}, {0, 1, 2}}, []int{0, 1, 2, 3, 5, 4}},
		{[][3]int{{3, 4, 2}, {2, 5, 2}, {0, 3, 2}, {1, 2, 2}, {0, 1, 2}}, []int{0, 1, 2, 3, 4, 5}},
		{[][3]int{{3, 4, 1}, {2, 5, 2}, {0, 3, 2}}, []int{0, 3, 2, 4, 5, 1}}, // 2 goes on, whatever 3 had
		{[][3]int{{3, 4, 1}, {2, 5, 1}}, []int{2, 3, 4, 5, 0, 1}},
	} {
		if bots, _ := names(p, of(t, p, blocks(p, tt.blocks...)).Table(100)); !slices.Equal(bots, tt.want) {
			t.Errorf("after %v the order is %v, want %v", tt.blocks, bots, tt.want)
		}
	}
}

// In groups those that went on are before those that did not, who are in the order of their scores.
func TestGroupsOrder(t *testing.T) {
	p := cuptest.Plan(plan.Groups, 6, 2)
	p.Count = 18 // the groups are 0 3 4 and 1 2 5
	rows := blocks(p, [3]int{0, 3, 2}, [3]int{1, 2, 2}, [3]int{0, 4, 2}, [3]int{1, 5, 2},
		[3]int{3, 4, 2}, [3]int{2, 5, 0})
	if bots, _ := names(p, of(t, p, rows).Table(100)); !slices.Equal(bots, []int{0, 1, 3, 5, 2, 4}) {
		t.Errorf("after the groups the order is %v, want 0 1 3 5 2 4", bots)
	}
	checkGroups(t, "after half of a group", of(t, p, rows[:2]), "0* 3 4|1 2 5", false)
	checkGroups(t, "after the groups", of(t, p, rows), "0* 3* 4|1* 5* 2", true)
	rows = blocks(p, [3]int{0, 3, 2}, [3]int{1, 2, 2}, [3]int{0, 4, 2}, [3]int{1, 5, 2}, [3]int{3, 4, 2}, [3]int{2, 5, 0},
		[3]int{0, 5, 0}, [3]int{1, 3, 0}, [3]int{5, 3, 0})
	table := of(t, p, rows).Table(100)
	checkGroups(t, "after the knock-out", of(t, p, rows), "0* 3* 4|1* 5* 2", true)
	if bots, _ := names(p, table); !slices.Equal(bots[:2], []int{3, 5}) || bots[5] != 4 {
		t.Errorf("the order is %v, want 3 5 … 4", bots)
	}
	if !strings.HasSuffix(table.Compares, "the order is how far each came.") {
		t.Errorf("the table compares %q", table.Compares)
	}
}

// checkGroups checks the groups of standings, also of those that go on from their state: the
// numbers of the bots, with a star for those that go on to the knock-out.
func checkGroups(t *testing.T, when string, s *standings.Standings, want string, over bool) {
	t.Helper()
	state, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	p := cuptest.Plan(plan.Groups, 6, 2)
	p.Count = 18
	restored, err := standings.Restore(p, state)
	if err != nil {
		t.Fatal(err)
	}
	if !over {
		want = strings.ReplaceAll(want, "*", "")
	}
	for _, one := range []*standings.Standings{s, restored} {
		var groups []string
		for _, g := range one.Table(0).Groups {
			var bots []string
			for _, b := range g.Bots {
				at := slices.IndexFunc(p.Bots, func(bot plan.Bot) bool { return bot.Name == b.Name })
				mark := ""
				if b.GoesOn {
					mark = "*"
				}
				bots = append(bots, fmt.Sprint(at, mark))
			}
			groups = append(groups, strings.Join(bots, " "))
		}
		if got := strings.Join(groups, "|"); got != want {
			t.Errorf("%s the groups are %q, want %q", when, got, want)
		}
	}
}

// In a Swiss contest the order is that of the scores, which its pairings go by, though a bot with
// fewer points against better opponents may have more Elo.
func TestSwissOrder(t *testing.T) {
	p := cuptest.Plan(plan.Swiss, 4, 2)
	table := of(
		t, p,
		blocks(p, [3]int{0, 1, 1}, [3]int{2, 3, 2}, [3]int{0, 2, 1}, [3]int{1, 3, 2}, [3]int{2, 1, 1},
			[3]int{0, 3, 2}),
	).Table(100)
	scores := table.Bots[0].Score
	for _, b := range table.Bots {
		if b.Score > scores {
			t.Errorf("%q is behind a bot with a lower score", b.Name)
		}
		scores = b.Score
	}
	if _, ranks := names(p, table); ranks[3] != 4 || ranks[0] != 1 {
		t.Errorf("the ranks are %v", ranks)
	}
}

// Swiss tables count a rest as half of a round, as the pairings do, and among bots with as many
// points those are first whose opponents have more, or that beat the other one.
func TestSwissPoints(t *testing.T) {
	p := cuptest.Plan(plan.Swiss, 5, 2) // two tables a round, and one bot rests
	s := of(
		t, p,
		blocks(p, [3]int{0, 1, 2}, [3]int{2, 3, 2}, [3]int{0, 2, 0}, [3]int{4, 1, 2}, [3]int{4, 2, 1},
			[3]int{0, 3, 2}),
	)
	table := s.Table(50)
	bots, ranks := names(p, table)
	if want := []int{2, 4, 0, 3, 1}; !slices.Equal(bots, want) ||
		!slices.Equal(ranks, []int{1, 2, 3, 4, 5}) {
		t.Errorf("the order is %v with ranks %v, want %v", bots, ranks, want)
	}
	// Bot 4 rested in round 1, won round 2 and drew round 3: 1 + 2 + 1. Its opponents have 1 and 5,
	// and the rest counts as one with 4.
	for place, want := range []standings.Points{
		{Points: 5, Buchholz: 9},
		{Points: 4, Rests: 1, Buchholz: 10},
		{Points: 4, Buchholz: 7},
		{Points: 1, Rests: 1, Buchholz: 10},
		{Points: 1, Rests: 1, Buchholz: 9},
	} {
		if got := *table.Bots[place].Points; got != want {
			t.Errorf("place %d has %+v, want %+v", place+1, got, want)
		}
	}
}

// The rank follows the scores in each format, also of two bots and of a gauntlet, whose first bot
// is compared with the others; and equal bots share one.
func TestRankByScore(t *testing.T) {
	for _, format := range []plan.Format{
		plan.RoundRobin, plan.Gauntlet, plan.Swiss, plan.KnockOut, plan.Ladder,
	} {
		p := cuptest.Plan(format, 2, 2)
		table := of(t, p, blocks(p, [3]int{0, 1, 0}, [3]int{0, 1, 1})).Table(50)
		if bots, ranks := names(p, table); !slices.Equal(bots, []int{1, 0}) ||
			!slices.Equal(ranks, []int{1, 2}) {
			t.Errorf("%s of two: the order is %v with ranks %v, want 1 0", format, bots, ranks)
		}
		if len(table.Comparisons) != 1 || table.Comparisons[0].Bot != p.Bots[0].Name {
			t.Errorf("%s of two compares %+v", format, table.Comparisons)
		}
	}
	p := cuptest.Plan(plan.Comparison, 2, 2)
	if bots, ranks := names(p, of(t, p, blocks(p, [3]int{0, 1, 1})).Table(50)); !slices.Equal(bots, []int{0, 1}) || !slices.Equal(ranks, []int{1, 1}) {
		t.Errorf("equal bots of a comparison have the order %v with ranks %v", bots, ranks)
	}
	p = cuptest.Plan(plan.Gauntlet, 3, 2)
	if bots, ranks := names(p, of(t, p, blocks(p, [3]int{0, 1, 2}, [3]int{0, 2, 0})).Table(50)); !slices.Equal(bots, []int{2, 0, 1}) || !slices.Equal(ranks, []int{1, 2, 3}) {
		t.Errorf("the order of a gauntlet is %v with ranks %v, want 2 0 1", bots, ranks)
	}
}

// A version with several seats fails once in a match, however many of its copies fail.
func TestForfeitsAreMatches(t *testing.T) {
	p := cuptest.Plan(plan.Comparison, 2, 4)
	rows := cuptest.Rows(p, 4)
	s := standings.New(p)
	for _, row := range rows {
		for seat, bot := range row.Bots {
			if row.Forfeits[seat] = ""; bot == p.Bots[0].Name {
				row.Forfeits[seat] = "crash"
			}
		}
		if err := s.Add(row); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			s.AddFailure(&standings.Failure{K: row.K, Bot: p.Bots[0].Name, Kind: "crash"})
		}
	}
	table := s.Table(10)
	for _, b := range table.Bots {
		if b.Name == p.Bots[0].Name && (b.Matches != 4 || b.Seats != 12 || b.Forfeits["crash"] != 4) {
			t.Errorf("the old version is %+v, want 4 of 4 matches in 12 seats", b)
		}
	}
	if len(table.Errors) != 1 || table.Errors[0].Count != 4 {
		t.Errorf("the errors are %+v, want one of 4 matches", table.Errors)
	}
}

// A bot that lost or won everything has a bound, and the others are measured from the mean of each
// other.
func TestBound(t *testing.T) {
	p := cuptest.Plan(plan.RoundRobin, 3, 2)
	var list [][3]int
	for i := range 20 {
		list = append(list, [3]int{0, 1, 2}, [3]int{1, 2, i % 3}, [3]int{0, 2, 2})
	}
	table := of(t, p, blocks(p, list...)).Table(100)
	if b := table.Bots[0]; b.Bound != standings.AtLeast || b.Elo.High != nil ||
		*b.Elo.Low != b.Elo.Value || b.Between(func(float64) string { return "" }) != "or more" {
		t.Errorf("the bot that won everything has %+v, bound %q", b.Elo, b.Bound)
	}
	sum := 0.0
	for _, b := range table.Bots[1:] {
		if sum += b.Elo.Value; b.Bound != "" || b.Elo.Low == nil || b.Elo.High == nil {
			t.Errorf("%s has %+v, bound %q", b.Name, b.Elo, b.Bound)
		}
	}
	if math.Abs(sum) > 0.011 ||
		!strings.Contains(table.Compares, "above the mean of "+p.Bots[1].Name+" and "+p.Bots[2].Name) {
		t.Errorf("the others have the sum %v: %s", sum, table.Compares)
	}
	var out bytes.Buffer
	if err := table.WriteCSV(&out); err != nil || !strings.Contains(out.String(), fmt.Sprintf("%v,%v,,at least", table.Bots[0].Elo.Value, table.Bots[0].Elo.Value)) {
		t.Errorf("as CSV, %v:\n%s", err, &out)
	}
}

// Few blocks leave an interval one end, and the table says so.
func TestOneEnd(t *testing.T) {
	for n, want := range map[int]bool{3: true, 30: false} {
		p := cuptest.Plan(plan.RoundRobin, 3, 2)
		var list [][3]int
		for range n {
			list = append(list, [3]int{0, 1, 0}, [3]int{1, 2, 2}, [3]int{1, 2, 0}, [3]int{0, 2, 2})
			for range 4 {
				list = append(list, [3]int{0, 1, 2})
			}
		}
		table := of(t, p, blocks(p, list...)).Table(100)
		first := table.Bots[0]
		if got := first.Elo.High == nil; got != want || first.Bound != "" ||
			strings.HasSuffix(table.Compares, "; with so few blocks some intervals have only one end.") != want {
			t.Errorf("%d blocks: %+v, %s", len(list), first.Elo, table.Compares)
		}
	}
}

// Without two blocks of different scores a comparison has no estimate: at most a bound, if all were
// won or lost.
func TestComparisonOfAlikeBlocks(t *testing.T) {
	for _, tt := range []struct {
		blocks [][3]int
		bound  string
	}{
		{[][3]int{{1, 0, 2}}, ""},
		{[][3]int{{1, 0, 2}, {1, 0, 2}}, standings.AtLeast},
		{[][3]int{{1, 0, 0}, {1, 0, 0}}, standings.AtMost},
		{[][3]int{{1, 0, 1}, {1, 0, 1}}, ""},
	} {
		p := cuptest.Plan(plan.Comparison, 2, 2)
		table := of(t, p, blocks(p, tt.blocks...)).Table(50)
		c := table.Comparisons[0]
		if c.LOS != nil || c.NormalisedElo != nil || c.Bound != tt.bound ||
			(c.Elo == nil) != (tt.bound == "") {
			t.Errorf("after %v the comparison is %+v", tt.blocks, c)
		}
		var out bytes.Buffer
		if err := table.WriteCSV(&out); err != nil || strings.Contains(out.String(), "NaN") {
			t.Errorf("as CSV, %v:\n%s", err, &out)
		}
	}
}
