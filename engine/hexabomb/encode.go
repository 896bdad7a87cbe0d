package hexabomb

import (
	"slices"
	"strconv"

	"github.com/hexarena/hexarena/engine"
)

// AppendState implements engine.Game. It appends the JSON of a [State] as encoding/json
// writes it, except for the spaces explained in celltext.go.
func (g *Game) AppendState(b []byte) []byte {
	b = append(b, `{"cells":`...)
	b = append(b, g.text...)
	b = append(b, `,"characters":[`...)
	for id := range g.chars {
		if id > 0 {
			b = append(b, ',')
		}
		b = g.appendCharacter(b, id)
	}
	return g.appendRest(b)
}

// AppendDelta implements engine.Game. A delta has the keys of a state: "cells" and
// "characters" hold the elements that changed in the last step, the other keys hold
// what
func (g *Game) AppendDelta(b []byte) []byte {
	if g.turn == g.first {
		return g.AppendState(b)
	}
	b = append(b, `{"cells":[`...)
	slices.SortFunc(g.changed, func(a, b change) int { return int(a.cell - b.cell) })
	first := true
	for _, change := range g.changed {
		if g.cells[change.cell].color == change.was {
			continue
		}
		b = separate(b, &first)
		b = append(b, g.cellText(change.cell)...)
	}
	b = append(b, `],"characters":[`...)
	first = true
	for id := range g.chars {
		if g.chars[id] == g.before[id] {
			continue
		}
		b = separate(b, &first)
		b = g.appendCharacter(b, id)
	}
	return g.appendRest(b)
}

func separate(b []byte, first *bool) []byte {
	if *first {
		*first = false
		return b
	}
	return append(b, ',')
}

func (g *Game) appendCharacter(b []byte, id int) []byte {
	c := &g.chars[id]
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, int64(id), 10)
	b = append(b, `,"color":`...)
	b = strconv.AppendInt(b, int64(ColorOf(c.player)), 10)
	b = append(b, ',')
	b = append(b, g.position(c.cell)...)
	if c.alive {
		b = append(b, `,"alive":true,"revive_delay":-1`...)
	} else {
		b = append(b, `,"alive":false,"revive_delay":`...)
		b = strconv.AppendInt(b, int64(c.reviveDelay), 10)
	}
	if g.countsBombs {
		b = append(b, `,"bomb_count":`...)
		b = strconv.AppendInt(b, int64(c.bombs), 10)
	}
	return append(b, '}')
}

// appendRest closes the characters and appends all that follows them.
func (g *Game) appendRest(b []byte) []byte {
	b = append(b, `],"bombs":[`...)
	for i, bomb := range g.bombs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"color":`...)
		b = strconv.AppendInt(b, int64(bomb.color), 10)
		b = append(b, `,"range":`...)
		b = strconv.AppendInt(b, int64(bomb.reach), 10)
		b = append(b, `,"delay":`...)
		b = strconv.AppendInt(b, int64(bomb.due-g.turn), 10)
		b = append(b, ',')
		b = append(b, g.position(bomb.cell)...)
		b = append(b, '}')
	}
	b = append(b, ']')
	if g.showsExplosions {
		b = append(b, `,"explosions":`...)
		b = g.appendExplosions(b)
	}
	b = append(b, `,"cell_count":{`...)
	for p := range g.players {
		b = appendPlayer(b, p, int64(g.cellCount(p)))
	}
	b = append(b, `},"score":{`...)
	for p := range g.players {
		b = appendPlayer(b, p, g.players[p].score)
	}
	return append(b, "}}"...)
}

// cellCount returns the count of cells that states show of a player.
func (g *Game) cellCount(p int) int32 {
	n := g.count[ColorOf(engine.PlayerID(p))]
	if n == 0 && g.keepsCount {
		return g.players[p].cells
	}
	return n
}

// appendPlayer appends the entry of player p to an object that already has those of
// the players before p.
func appendPlayer(b []byte, p int, value int64) []byte {
	if p > 0 {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = strconv.AppendInt(b, int64(p), 10)
	b = append(b, `":`...)
	return strconv.AppendInt(b, value, 10)
}

// appendExplosions groups the exploded cells by colour.
func (g *Game) appendExplosions(b []byte) []byte {
	g.keys = g.keys[:0]
	for _, at := range g.blast {
		g.keys = append(g.keys, uint64(g.cells[at].blastColor)<<32|uint64(at))
	}
	slices.Sort(g.keys) // by colour, then cell
	b = append(b, '{')
	for i, key := range g.keys {
		color := key >> 32
		switch {
		case i > 0 && color == g.keys[i-1]>>32:
			b = append(b, ',')
		default:
			if i > 0 {
				b = append(b, "],"...)
			}
			b = append(b, '"')
			b = strconv.AppendUint(b, color, 10)
			b = append(b, `":[`...)
		}
		b = append(b, '{')
		b = append(b, g.position(int32(uint32(key)))...)
		b = append(b, '}')
	}
	if len(g.keys) > 0 {
		b = append(b, ']')
	}
	return append(b, '}')
}
