package hexabomb

import (
	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// The actions of a character as numbers: stay, a move in each direction, a bomb of each range and
// delay, and revive. By the draft rules a character is revived where it died.
const (
	codeMove   = 1
	codeBomb   = codeMove + hexgrid.NumDirs
	bombSizes  = maxBomb - minBomb + 1
	codeRevive = codeBomb + bombSizes*bombSizes
	Codes      = codeRevive + 1
)

// CellBytes is how many bytes a [View] has for a cell: the colours of the cell and of the bomb on
// it, the bomb's delay and range, the number of the living character on it plus 1, and 1 if it
// exploded in the last turn.
const CellBytes = 6

// CharacterFields is how many numbers a [View] has for a character: q, r, alive, revive_delay,
// bomb_count and color.
const CharacterFields = 6

// View is a state in arrays, for programs that learn. Its owner makes the arrays; those of the
// characters have room for Each of every player, by player and id.
type View struct {
	Each       int
	Cells      []byte  // CellBytes of each cell
	Characters []int32 // CharacterFields of each
	Mask       []int8  // Codes of each: 1 if the action may have an effect
	Count      []int32 // of each player's cells

	game    *Game
	slots   []int32 // where each character is in the arrays
	touched []int32 // cells with a bomb, a character or an explosion
}

// Slots returns the number of characters of the player who has most.
func (g *Game) Slots() (most int) {
	counts := make([]int, len(g.players))
	for i := range g.chars {
		counts[g.chars[i].player]++
		most = max(most, counts[g.chars[i].player])
	}
	return most
}

// Show writes the state to v. After the first time it writes only what may have changed in a step.
func (g *Game) Show(v *View) {
	if v.game != g {
		v.begin(g)
	} else {
		for _, c := range g.changed {
			v.Cells[c.cell*CellBytes] = byte(g.cells[c.cell].color)
		}
	}
	for _, at := range v.touched {
		clear(v.Cells[at*CellBytes+1 : (at+1)*CellBytes])
	}
	v.touched = v.touched[:0]
	for i := range g.bombs {
		b := &g.bombs[i]
		c := v.touch(b.cell)
		c[1], c[2], c[3] = byte(b.color), byte(b.due-g.turn), byte(b.reach)
	}
	for _, at := range g.blast {
		v.touch(at)[5] = 1
	}
	for i := range g.chars {
		g.showCharacter(v, i)
	}
	for p := range g.players {
		v.Count[p] = g.count[ColorOf(engine.PlayerID(p))]
	}
}

// begin makes v a view of g.
func (v *View) begin(g *Game) {
	v.game, v.slots, v.touched = g, v.slots[:0], v.touched[:0]
	clear(v.Cells)
	clear(v.Characters)
	clear(v.Mask)
	for i := 0; i < len(v.Mask); i += Codes {
		v.Mask[i] = 1
	}
	for i := range g.cells {
		v.Cells[i*CellBytes] = byte(g.cells[i].color)
	}
	next := make([]int32, len(g.players))
	for i := range g.chars {
		p := g.chars[i].player
		v.slots = append(v.slots, int32(p)*int32(v.Each)+next[p])
		next[p]++
	}
}

func (v *View) touch(at int32) []byte {
	v.touched = append(v.touched, at)
	return v.Cells[at*CellBytes : (at+1)*CellBytes]
}

func (g *Game) showCharacter(v *View, i int) {
	c, slot := &g.chars[i], v.slots[i]
	where := g.board.m.Cells[c.cell]
	fields := v.Characters[slot*CharacterFields : (slot+1)*CharacterFields]
	alive := int32(0)
	if c.alive {
		alive = 1
		v.touch(c.cell)[4] = byte(i + 1)
	}
	fields[0], fields[1], fields[2] = int32(where.Q), int32(where.R), alive
	fields[3], fields[4], fields[5] = int32(c.reviveDelay), int32(c.bombs), int32(ColorOf(c.player))
	mask := v.Mask[slot*Codes : (slot+1)*Codes]
	for d, to := range g.board.next[c.cell] {
		mask[codeMove+d] = one(c.alive && to != none && g.cells[to].bomb == none)
	}
	here := g.cells[c.cell].bomb
	bombs := one(c.alive && here == none && (c.bombs > 0 || !g.countsBombs))
	for k := codeBomb; k < codeRevive; k++ {
		mask[k] = bombs
	}
	mask[codeRevive] = one(!c.alive && c.reviveDelay == 0 && g.specials == 0 && here == none)
}

func one(yes bool) int8 {
	if yes {
		return 1
	}
	return 0
}

// PrepareCodes returns the Input.Prepared of a player whose characters do what the codes of v's
// game ask, by their ids. It reuses old, the result of an earlier call, or nil. An unknown code
// means stay.
func (v *View) PrepareCodes(old any, player engine.PlayerID, codes []byte) any {
	p, ok := old.(*prepared)
	if !ok {
		p = &prepared{readable: true}
	}
	p.list = p.list[:0]
	g := v.game
	for i := range g.chars {
		if g.chars[i].player != player {
			continue
		}
		o := order{has: hasID, id: int32(i)}
		switch code := int(codes[int(v.slots[i])-int(player)*v.Each]); {
		case code >= codeMove && code < codeBomb:
			o.verb, o.dir, o.has = move, hexgrid.Dir(code-codeMove), hasID|hasDir
		case code >= codeBomb && code < codeRevive:
			o.verb, o.has = dropBomb, hasID|hasReach|hasDelay
			o.reach = int32(minBomb + (code-codeBomb)/bombSizes)
			o.delay = int32(minBomb + (code-codeBomb)%bombSizes)
		case code == codeRevive:
			where := g.board.m.Cells[g.chars[i].cell]
			o.verb, o.has, o.q, o.r = revive, hasID|hasQ|hasR, int32(where.Q), int32(where.R)
		default:
			continue
		}
		p.list = append(p.list, numbered{int32(len(p.list)), o})
	}
	return p
}

// Codes sets the codes that a player's answer asks for in the codes of all players, of which the
// player's are 0: the inverse of PrepareCodes. v shows the state that was answered. Actions that
// cannot have an effect there have no code. A bomb of a special player that is larger than all that
// have a code becomes the largest.
func (v *View) Codes(codes []byte, in *engine.Input) {
	g := v.game
	mark := len(g.actions)
	g.read(0, in)
	for _, a := range g.actions[mark:] {
		if a.reason != accepted {
			continue
		}
		slot := v.slots[a.id]
		if code := g.code(&a); v.Mask[int(slot)*Codes+code] == 1 {
			codes[slot] = byte(code)
		}
	}
	g.actions = g.actions[:mark]
}

// code returns the code of an action, or 0 for a bomb that the rules refuse.
func (g *Game) code(a *action) int {
	switch {
	case a.verb == move:
		return codeMove + int(a.dir)
	case a.verb == revive:
		return codeRevive
	case !a.bombWithin(g.chars[a.id].maxBomb()):
		return 0
	}
	return codeBomb + (min(int(a.reach), maxBomb)-minBomb)*bombSizes + min(int(a.delay), maxBomb) -
		minBomb
}

// Alive reports whether a player can still do anything: in sudden death, not without a living
// character.
func (g *Game) Alive(p engine.PlayerID) bool { return g.specials == 0 || g.players[p].alive > 0 }
