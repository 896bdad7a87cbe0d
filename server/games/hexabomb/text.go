package hexabomb

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/games"
)

// textLegend explains the grid. It is the same for every state.
const textLegend = `cell: . free, a of A, and on it: A1 character 1 of A, A1* one on a bomb, *3 bomb that
explodes in 3 turns, xA dead character of A, !! explosion. x+ is right, y+ up right, z+ up left.
`

// text implements games.Game.Text: the grid, its legend, and a line for each player and for bombs.
func text(m *games.Match, state []byte) (string, error) {
	board, err := hexabomb.ParseMap(m.Setup)
	if err != nil {
		return "", err
	}
	s, err := hexabomb.ParseState(state)
	if err != nil {
		return "", err
	}
	t := NewTerminal(board.Cells, len(m.Names), m.Specials).(*terminal)
	p := t.newScreen(s)
	width := 4 // such as aA1*
	if len(m.Names)-m.Specials > 26 {
		width += 2 // the players' tags have two letters
	}
	grid, err := games.Grid(t.cells, width, p.cellText)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(grid + textLegend)
	for id := range m.Names {
		p.writePlayer(&b, engine.PlayerID(id), m.Names[id])
	}
	var bombs []string
	for _, bomb := range s.Bombs {
		bombs = append(bombs, fmt.Sprintf("at %d,%d of %s, explodes in %d, range %d", bomb.Q, bomb.R,
			p.tag(bomb.Color), bomb.Delay, bomb.Range))
	}
	fmt.Fprintf(&b, "bombs: %s\n", strings.Join(bombs, "; "))
	return b.String(), nil
}

// cellText returns the text of the i-th cell.
func (p *screen) cellText(i int) string {
	c := &p.contents[i]
	text := "."
	if c.owner != 0 {
		text = strings.ToLower(p.tag(c.owner))
	}
	switch {
	case c.alive != nil && c.bomb != nil:
		return text + p.character(c) + "*"
	case c.alive != nil:
		return text + p.character(c)
	case c.bomb != nil:
		return text + "*" + strconv.Itoa(min(c.bomb.Delay, 99))
	case c.dead != nil:
		return text + "x" + p.tag(c.dead.Color)
	case c.hit:
		return text + "!!"
	}
	return text
}

// character returns the name of the character that lives in a cell, such as A1.
func (p *screen) character(c *content) string {
	return p.tag(c.alive.Color) + strconv.FormatInt(int64(c.count), 36)
}

// writePlayer writes a line about a player and its characters.
func (p *screen) writePlayer(b *strings.Builder, id engine.PlayerID, name string) {
	color := hexabomb.ColorOf(id)
	fmt.Fprintf(b, "%s: player_id %d, color %d (%s), score %d, %d cells;",
		p.tag(color), id, color, name, p.state.Score[id], p.state.CellCount[id])
	count := int64(0)
	for i := range p.state.Characters {
		c := &p.state.Characters[i]
		if c.Color != color {
			continue
		}
		count++
		fmt.Fprintf(b, " %s%s id %d at %d,%d", p.tag(color), strconv.FormatInt(count, 36), c.ID, c.Q, c.R)
		switch {
		case !c.Alive:
			fmt.Fprintf(b, " dead, may revive in %d", max(0, c.ReviveDelay))
		case c.BombCount != nil:
			fmt.Fprintf(b, " %d bombs", *c.BombCount)
		}
		b.WriteByte(';')
	}
	b.WriteByte('\n')
}
