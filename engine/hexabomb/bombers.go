package hexabomb

import (
	"slices"

	"github.com/hexarena/hexarena/engine"
)

// AppendBombers implements [engine.Bomber]. A character is killed by the bombs whose colour its
// cell takes: the closest ones.
func (g *Game) AppendBombers(dst []engine.PlayerID, p engine.PlayerID) []engine.PlayerID {
	begin := len(dst)
	for _, id := range g.killed {
		if c := &g.chars[id]; c.player == p {
			dst = g.appendClosest(dst, c.cell)
		}
	}
	slices.Sort(dst[begin:])
	return dst[:begin+len(slices.Compact(dst[begin:]))]
}

// appendClosest appends the owners of the bombs closest to a cell that exploded in the last step.
func (g *Game) appendClosest(dst []engine.PlayerID, cell int32) []engine.PlayerID {
	c := &g.cells[cell]
	if c.blastColor != 0 {
		return append(dst, c.blastColor.Player())
	}
	for d := range g.board.next[cell] { // a bomb covers a cell on the line on which it is seen from it
		at := cell
		for dist := int32(0); dist < c.blastDist && at != none; dist++ {
			at = g.board.next[at][d]
		}
		for i := range g.burst {
			if b := &g.burst[i]; b.cell == at && b.reach >= c.blastDist {
				dst = append(dst, b.color.Player())
			}
		}
	}
	return dst
}
