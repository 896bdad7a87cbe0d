package hexabomb

import "github.com/hexarena/hexarena/engine/hexgrid"

// apply carries out the actions: all of them in their order, then again those that
// were blocked, until a pass changes nothing.
func (g *Game) apply() {
	g.kept = g.kept[:0]
	moved := false
	for i := range g.actions {
		if a := &g.actions[i]; a.reason == accepted {
			switch a.reason = g.try(a); a.reason {
			case accepted:
				moved = true
			case blocked:
				g.kept = append(g.kept, int32(i))
			}
		}
	}
	for moved && len(g.kept) > 0 {
		moved = false
		still := g.kept[:0]
		for _, i := range g.kept {
			a := &g.actions[i]
			switch a.reason = g.try(a); a.reason {
			case accepted:
				moved = true
			case blocked:
				still = append(still, i)
			}
		}
		g.kept = still
	}
}

// try carries out an action of one of the player's own characters, or returns the
// reason why that is impossible.
func (g *Game) try(a *action) reason {
	switch c := &g.chars[a.id]; a.verb {
	case move:
		return g.move(c, a)
	case dropBomb:
		return g.dropBomb(c, a)
	default:
		return g.revive(c, a)
	}
}

func (g *Game) move(c *character, a *action) reason {
	if !c.alive {
		return dead
	}
	to := g.board.next[c.cell][a.dir]
	if to == none {
		return noSuchCell
	}
	if !g.free(to) {
		return blocked
	}
	g.cells[c.cell].living = none
	c.cell = to
	g.occupy(c, a.id)
	return accepted
}

func (g *Game) dropBomb(c *character, a *action) reason {
	here := &g.cells[c.cell]
	switch {
	case !c.alive:
		return dead
	case g.countsBombs && c.bombs == 0:
		return noBombLeft
	case here.bomb != none:
		return bombAlreadyHere
	case !a.bombWithin(c.maxBomb()):
		return bombOutOfRange
	}
	if g.countsBombs && !c.special {
		c.bombs--
	}
	here.bomb = int32(len(g.bombs))
	g.bombs = append(g.bombs,
		bomb{cell: c.cell, color: ColorOf(c.player), reach: a.reach, due: g.turn + a.delay})
	g.players[c.player].bombs++
	return accepted
}

// maxBomb returns the largest range and delay of a character's bombs.
func (c *character) maxBomb() int32 {
	if c.special {
		return maxSpecialBomb
	}
	return maxBomb
}

// bombWithin reports whether range and delay of a bomb are possible.
func (o *order) bombWithin(limit int32) bool {
	return min(o.reach, o.delay) >= minBomb && max(o.reach, o.delay) <= limit
}

func (g *Game) revive(c *character, a *action) reason {
	to := c.cell
	if g.revivesAnywhere {
		to = g.board.find(hexgrid.Coord{Q: int(a.q), R: int(a.r)})
	}
	switch {
	case g.specials > 0:
		return noRevival
	case c.alive:
		return alive
	case c.reviveDelay != 0:
		return tooEarly
	case to == none:
		return noSuchCell
	case !g.free(to):
		return blocked
	}
	c.cell = to
	c.alive, c.reviveDelay = true, notDead
	g.players[c.player].alive++
	g.occupy(c, a.id)
	return accepted
}

// free reports whether a character may enter a cell.
func (g *Game) free(at int32) bool {
	c := &g.cells[at]
	return c.living == none && c.bomb == none
}

// occupy puts c on its cell, which takes c's colour.
func (g *Game) occupy(c *character, id int32) {
	g.cells[c.cell].living = id
	g.paint(c.cell, ColorOf(c.player))
}
