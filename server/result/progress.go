package result

import (
	"cmp"
	"slices"

	"github.com/hexarena/hexarena/engine"
)

// Progress is how a match went, turn by turn from the initial board. It tells which turns decided.
type Progress struct {
	First   [][]int64         // of each turn, the first figure of each player
	Leaders []engine.PlayerID // of each turn, the player that led alone, or NoPlayer
}

// Swing is a turn that changed how fast one player gains on another.
type Swing struct {
	Step   int
	Points int64 // by which what the first player gains on the second in a turn has changed
}

// LeadChange returns the turn from which the player who led at the end led until the end; ok is
// false if no player led alone at the end.
func (p *Progress) LeadChange() (step int, leader engine.PlayerID, ok bool) {
	step = len(p.Leaders) - 1
	if step < 0 || p.Leaders[step] == engine.NoPlayer {
		return 0, engine.NoPlayer, false
	}
	for leader = p.Leaders[step]; step > 0 && p.Leaders[step-1] == leader; {
		step--
	}
	return step, leader, true
}

// Swings returns the n turns with the largest swings between two players, by turn: those for the
// one that came out ahead, or for both after a tie. In a game whose players are paid for what they
// hold, that is when much changed hands; later turns, in which the gain stays as it is, follow from
// it.
func (p *Progress) Swings(a, b engine.PlayerID, n int) []Swing {
	margin := func(step int) int64 {
		if step < 0 {
			return 0
		}
		return p.First[step][a] - p.First[step][b]
	}
	var list []Swing
	result := margin(len(p.First) - 1)
	for step := 1; step < len(p.First); step++ {
		points := margin(step) - 2*margin(step-1) + margin(step-2)
		if step == 1 {
			points = margin(1) - margin(0)
		}
		if points != 0 && (result == 0 || (points > 0) == (result > 0)) {
			list = append(list, Swing{step, points})
		}
	}
	size := func(s Swing) int64 { return max(s.Points, -s.Points) }
	slices.SortStableFunc(list, func(x, y Swing) int { return cmp.Compare(size(y), size(x)) })
	list = list[:min(n, len(list))]
	slices.SortFunc(list, func(x, y Swing) int { return cmp.Compare(x.Step, y.Step) })
	return list
}

// Curve returns by how much a player was ahead of the best of the others after at most n turns, the
// last one among them, and the numbers of these turns.
func (p *Progress) Curve(id engine.PlayerID, n int) (steps []int, ahead []int64) {
	last := len(p.First) - 1
	n = min(n, last)
	for i := 1; i <= n; i++ {
		step := last * i / n
		best, others := int64(0), 0
		for other, figure := range p.First[step] {
			if engine.PlayerID(other) != id && (others == 0 || figure > best) {
				best = figure
				others++
			}
		}
		steps, ahead = append(steps, step), append(ahead, p.First[step][id]-best)
	}
	return steps, ahead
}
