package cup

import (
	"github.com/hexarena/hexarena/server/contest/pairing"
	"github.com/hexarena/hexarena/server/contest/plan"
)

// groups plays a round robin within groups, and then a knock-out of the best of each.
type groups struct {
	stage    *pairing.GroupStage
	seats    int
	round    int      // of the group stage, that is played next
	halves   []int    // of each bot in the group stage
	knockOut knockOut // begun when the group stage is over
}

// newGroups returns the groups of a plan without mistakes.
func newGroups(p *plan.Plan) *groups {
	stage, _, err := p.GroupStage()
	if err != nil {
		panic(err) // the plan was not checked
	}
	g := &groups{stage: stage, seats: p.Seats, halves: make([]int, len(p.Bots))}
	g.knockOut.bracket = pairing.NewBracket(stage.GoOn(g.halves), g.seats)
	return g
}

func (g *groups) add([]int, []int) {}

func (g *groups) next(halves []int) [][]int {
	if g.knockOut.begun {
		return g.knockOut.next(halves)
	}
	for bot, n := range halves {
		g.halves[bot] += n
	}
	if g.round < len(g.stage.Rounds) {
		g.round++
		return g.stage.Rounds[g.round-1]
	}
	g.knockOut.bracket = pairing.NewBracket(g.stage.GoOn(g.halves), g.seats)
	return g.knockOut.next(nil)
}
