package hexabomb

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/games"
)

// Colors of a terminal, whose background is drawn dark.
var (
	freeColor  = maps.DarkTheme.Free
	freeInk    = maps.Hex(0x39414F)
	flatFree   = maps.Hex(0x303030) // for free cells of a terminal that would show freeColor as blue
	bombColor  = maps.Hex(0x05060A)
	flameColor = maps.DarkTheme.Flame
	sootColor  = maps.Hex(0x3A1600) // text on flames
	black      = maps.Hex(0x000000)
	white      = maps.Hex(0xFFFFFF)
	spectre    = maps.Hex(0x858EA1) // the special player's cells

	specialLook = maps.Look{
		Ink: maps.Hex(0x14161C),
		Dark: maps.Tones{
			Body: maps.DarkTheme.Ghost, Line: maps.DarkTheme.Ghost, Fill: spectre, Strong: spectre,
		},
	}
)

// terminal implements games.Terminal.
type terminal struct {
	cells    []hexgrid.Coord
	index    map[hexgrid.Coord]int
	players  int
	specials int
}

func newTerminal(m *games.Match) (games.Terminal, error) {
	board, err := hexabomb.ParseMap(m.Setup)
	if err != nil {
		return nil, err
	}
	return NewTerminal(board.Cells, len(m.Names), m.Specials), nil
}

// NewTerminal returns how matches on the given cells look on a terminal.
func NewTerminal(cells []hexgrid.Coord, players, specials int) games.Terminal {
	t := &terminal{cells, make(map[hexgrid.Coord]int, len(cells)), players, specials}
	for i, c := range cells {
		t.index[c] = i
	}
	return t
}

// Cells implements games.Terminal.
func (t *terminal) Cells() []hexgrid.Coord { return t.cells }

// Screen implements games.Terminal.
func (t *terminal) Screen(state []byte) (games.Screen, error) {
	s, err := hexabomb.ParseState(state)
	if err != nil {
		return nil, err
	}
	return t.newScreen(s), nil
}

// look returns the look of the owner of a color, which is not 0.
func (t *terminal) look(c hexabomb.Color) maps.Look {
	if i := int(c) - 1 - t.specials; i >= 0 {
		return maps.PlayerLook(i)
	}
	return specialLook
}

// tag returns the letter of the owner of a color, which is not 0; two letters after the
// first 26 players.
func (t *terminal) tag(c hexabomb.Color) string {
	i := int(c) - 1 - t.specials
	switch {
	case i < 0:
		return "@"
	case i < 26:
		return string(rune('A' + i))
	}
	i -= 26
	return string(rune('A'+i/26%26)) + string(rune('a'+i%26))
}

// screen implements games.Screen.
type screen struct {
	*terminal
	state    *hexabomb.State
	contents []content
}

// content is what a cell holds.
type content struct {
	owner hexabomb.Color
	hit   bool           // an explosion covers it
	blast hexabomb.Color // of that explosion
	bomb  *hexabomb.Bomb // or nil
	alive *hexabomb.Character
	dead  *hexabomb.Character
	count int // number of the living character among those of its player, from 1
}

func (t *terminal) newScreen(s *hexabomb.State) *screen {
	p := &screen{t, s, make([]content, len(t.cells))}
	at := func(c hexgrid.Coord) *content { return &p.contents[t.index[c]] }
	for _, c := range s.Cells {
		at(c.Coord).owner = c.Color
	}
	for color, cells := range s.Explosions {
		for _, c := range cells {
			at(c).hit, at(c).blast = true, color
		}
	}
	for i := range s.Bombs {
		at(s.Bombs[i].Coord).bomb = &s.Bombs[i]
	}
	counts := map[hexabomb.Color]int{}
	for i := range s.Characters {
		c := &s.Characters[i]
		counts[c.Color]++
		if at := at(c.Coord); c.Alive {
			at.alive, at.count = c, counts[c.Color]
		} else {
			at.dead = c
		}
	}
	return p
}

// Standings implements games.Screen.
func (p *screen) Standings() []games.Standing {
	list := make([]games.Standing, p.players)
	alive, characters := make([]int, p.players), make([]int, p.players)
	for _, c := range p.state.Characters {
		if id := int(c.Color.Player()); id < p.players {
			characters[id]++
			if c.Alive {
				alive[id]++
			}
		}
	}
	for id := range list {
		player := engine.PlayerID(id)
		color, cells := hexabomb.ColorOf(player), p.state.CellCount[player]
		list[id] = games.Standing{
			Tag: p.tag(color), Look: p.look(color), Special: id < p.specials,
			Score: p.state.Score[player], Cells: cells,
			Account: fmt.Sprintf("%d cells  %d/%d alive", cells, alive[id], characters[id]),
		}
	}
	return list
}

// Tile implements games.Screen. The most important content hides the rest: living characters, then
// bombs, dead characters, explosions, and the owner of the cell.
func (p *screen) Tile(i int, o games.TileOptions) games.Tile {
	c := &p.contents[i]
	tile := p.ground(c, p.cells[i], o)
	switch {
	case c.alive != nil:
		look, tag := p.look(c.alive.Color), p.tag(c.alive.Color)
		tile.Text, tile.Under = pad(tag+strconv.FormatInt(int64(c.count), 36)), "  "
		tile.Raised, tile.Bold = true, true
		tile.Foreground, tile.Background = look.Ink, look.Dark.Body
		if c.bomb != nil {
			tile.Foreground, tile.Background = look.Dark.Line, bombColor
			tile.Under = bombText(c.bomb)
			switch {
			case o.Plain:
				tile.Text = pad(tag + "*")
			case !o.Large:
				tile.Text = pad(tag + strconv.Itoa(min(c.bomb.Delay, 9)))
			}
		}
	case c.bomb != nil:
		tile.Text, tile.Under, tile.Raised, tile.Bold = bombText(c.bomb), "  ", true, true
		tile.Foreground, tile.Background = p.look(c.bomb.Color).Dark.Line, bombColor
	case c.dead != nil:
		tile.Text, tile.Under = pad("x"+p.tag(c.dead.Color)), "  "
		if !c.hit {
			tile.Foreground = p.look(c.dead.Color).Dark.Line
			tile.Background = tile.Ground.Mix(black, 0.45)
		}
	}
	return tile
}

// ground returns the look of a cell without what stands on it.
func (p *screen) ground(c *content, at hexgrid.Coord, o games.TileOptions) games.Tile {
	tile := games.Tile{Text: "  ", Under: "  "}
	switch {
	case c.hit:
		tile.Ground, tile.Foreground = flameColor, sootColor
		if c.blast != 0 {
			tile.Ground = flameColor.Mix(p.look(c.blast).Dark.Line, 0.2)
		}
		if o.Plain || o.Letters {
			tile.Text = "**"
		}
	case c.owner == 0:
		tile.Ground, tile.Foreground = freeColor, freeInk
		if o.Flat {
			tile.Ground = flatFree
		}
		if o.Plain {
			tile.Text = "· "
		}
	default:
		look := p.look(c.owner)
		tile.Ground = look.Dark.Fill
		tile.Foreground = look.Dark.Fill.Mix(look.Dark.Line, 0.6)
		if o.Plain || o.Letters {
			tag := p.tag(c.owner)
			tile.Text = pad(strings.ToLower(tag[:1]) + tag[1:])
		}
	}
	if !o.Flat {
		tile.Ground = texture(tile.Ground, at)
	}
	tile.Background = tile.Ground
	return tile
}

// texture returns c, made slightly lighter or darker depending on the cell, so that no
// two neighbours have the same shade.
func texture(c maps.Color, at hexgrid.Coord) maps.Color {
	switch ((at.Q-at.R)%3 + 3) % 3 {
	case 0:
		return c.Mix(black, 0.10)
	case 1:
		return c.Mix(white, 0.06)
	}
	return c
}

// bombText returns a bomb with the turns until it explodes.
func bombText(b *hexabomb.Bomb) string {
	if b.Delay < 10 {
		return "*" + strconv.Itoa(b.Delay)
	}
	return strconv.Itoa(min(b.Delay, 99))
}

// pad returns two columns of text.
func pad(text string) string {
	if len(text) < 2 {
		return text + " "
	}
	return text[:2]
}
