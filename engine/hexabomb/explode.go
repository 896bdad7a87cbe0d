package hexabomb

// explode sets off the bombs that are due and all bombs that they reach.
func (g *Game) explode() {
	g.blast, g.burst, g.killed = g.blast[:0], g.burst[:0], g.killed[:0]
	g.fuse = g.fuse[:0]
	for i := range g.bombs {
		if g.bombs[i].due == g.turn {
			g.light(int32(i))
		}
	}
	if len(g.fuse) == 0 {
		return
	}
	for n := 0; n < len(g.fuse); n++ { // cover may append to g.fuse
		g.cover(g.bombs[g.fuse[n]])
	}
	for _, at := range g.blast {
		if c := &g.cells[at]; c.living == none || !g.chars[c.living].special {
			g.paint(at, c.blastColor)
		}
	}
	g.kill()
	g.clearBombs()
}

func (g *Game) light(i int32) {
	if b := &g.bombs[i]; !b.lit {
		b.lit = true
		g.fuse = append(g.fuse, i)
	}
}

// cover covers the cells on the six lines from a bomb, up to its range or the first
// missing cell.
func (g *Game) cover(b bomb) {
	g.hit(b.cell, 0, b.color)
	for d := range g.board.next[b.cell] {
		at := b.cell
		for dist := int32(1); dist <= b.reach; dist++ {
			if at = g.board.next[at][d]; at == none {
				break
			}
			g.hit(at, dist, b.color)
		}
	}
}

// hit covers one cell. It takes the colour of the closest bomb; if the closest bombs
// have different colours, it turns neutral.
func (g *Game) hit(at, dist int32, color Color) {
	c := &g.cells[at]
	switch {
	case c.blastIn != g.turn:
		c.blastIn, c.blastDist, c.blastColor = g.turn, dist, color
		g.blast = append(g.blast, at)
		if c.bomb != none {
			g.light(c.bomb)
		}
	case dist < c.blastDist:
		c.blastDist, c.blastColor = dist, color
	case dist == c.blastDist && color != c.blastColor:
		c.blastColor = 0
	}
}

// kill kills the characters on exploded cells. For dead ones there, the delay until
// their revival starts again.
func (g *Game) kill() {
	for i := range g.chars {
		c := &g.chars[i]
		at := &g.cells[c.cell]
		if c.special || at.blastIn != g.turn {
			continue
		}
		if c.alive {
			c.alive = false
			at.living = none
			g.players[c.player].alive--
			g.players[c.player].deaths++
			g.killed = append(g.killed, int32(i))
		}
		c.reviveDelay = reviveDelay
	}
}

// clearBombs removes the bombs that exploded and keeps the order of the others.
func (g *Game) clearBombs() {
	left := g.bombs[:0]
	for _, b := range g.bombs {
		if b.lit {
			g.cells[b.cell].bomb = none
			g.burst = append(g.burst, b)
			continue
		}
		g.cells[b.cell].bomb = int32(len(left))
		left = append(left, b)
	}
	g.bombs = left
}
