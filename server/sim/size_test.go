package sim

import (
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// Bounds of a world, but for one in longWorlds. A failure in a small world is understood sooner,
// and more of them are run in the same time.
const (
	mostBots      = 9
	leastCells    = 19
	mostCells     = 37
	mostTurns     = 15 // of a match
	mostBotTurns  = 1000
	longBots      = 40
	mostGameTurns = 12 // of a duel on request
)

// bound shortens matches so that their bots have at most mostBotTurns turns.
func (p *plan) bound() {
	p.turns = min(p.turns, mostBotTurns/(p.players*p.rooms*p.matches*(p.crashes+1)))
}

// Worlds are small, but for one in longWorlds.
func TestSizes(t *testing.T) {
	thorough.Long(t)
	const worlds = 20000
	long := 0
	for seed := uint64(1); seed <= worlds; seed++ {
		w := &World{seed: seed}
		p := newPlan(w.rand("plan"), w.rand("other games"))
		if p.players == longBots {
			long++
			continue
		}
		bots, cells := p.players*p.rooms, len(board(p.radius, p.players).Cells)
		turns := p.matches * (p.crashes + 1) * bots * p.turns
		if p.duel {
			cells = leastCells // the board has no end
			turns += 2 * p.requests * mostGameTurns
		}
		if bots > mostBots || cells < leastCells || cells > mostCells || p.turns < 5 ||
			p.turns > mostTurns || turns > mostBotTurns {
			t.Errorf("seed %d: %d bots have up to %d turns in matches of %d turns on %d cells: %s", seed,
				bots, turns, p.turns, cells, p)
		}
	}
	if want := worlds / longWorlds; long < want/2 || long > 2*want {
		t.Errorf("%d of %d worlds are long, want about %d", long, worlds, want)
	}
}
