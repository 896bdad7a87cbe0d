package maps

import (
	"fmt"
	"html"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Scene is one moment of a match.
type Scene struct {
	Title    string
	Caption  string // one line, such as "turn 43 of 100"
	State    *hexabomb.State
	Specials int      // special players: ids 0 to Specials-1
	Names    []string // of the players, by id
}

// StateSVG draws a moment of a match on m as a self-contained picture for light and dark
// backgrounds: cells in their owners' colours, the latest explosions, bombs with the
// turns left and their range, characters with their numbers, dead ones pale, and the
// players with their scores.
func StateSVG(w io.Writer, m *hexabomb.Map, s Scene) error {
	info := Describe(s.Title, m)
	info.Description = s.Caption
	p := newPicture(m)
	p.open(info)
	p.style(len(m.Starts))
	p.sceneStyle()
	p.definitions(m)
	p.head(info)
	p.scene(&s)
	p.scores(&s)
	p.printf("</svg>\n")
	_, err := w.Write(p.Bytes())
	return err
}

// sceneStyle writes the styles that only matches need. Bombs are dark on any background.
func (p *picture) sceneStyle() {
	p.printf("<style>\n.blast{fill:#ffb32c;fill-opacity:.78}.bomb{fill:#14181f;stroke:#fff;stroke-width:%s}", Px(p.radius*0.09))
	p.printf(".fuse{fill:#fff;font-weight:700;text-anchor:middle}.dead{opacity:.4}.haunted{fill:#8d93a3;stroke:#8d93a3}\n</style>\n")
}

// owner returns the class of something that belongs to a player: kind f is cells, b characters.
func (s *Scene) owner(kind string, c hexabomb.Color) string {
	player := int(c.Player())
	if player < s.Specials {
		return "haunted"
	}
	return kind + strconv.Itoa((player-s.Specials)%NumLooks)
}

func (p *picture) scene(s *Scene) {
	for _, layer := range []string{"rim", "seam", "tile"} {
		p.printf("<use href=\"#board\" class=\"%s\"/>\n", layer)
	}
	for _, c := range s.State.Cells {
		if c.Color != 0 {
			p.use("t", "tile "+s.owner("f", c.Color), c.Coord)
		}
	}
	for color := range hexabomb.Color(len(s.Names) + 1) { // in order, unlike a range over the map
		for _, c := range s.State.Explosions[color] {
			x, y := p.center(c)
			p.printf("<circle class=\"blast\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", Px(x), Px(y), Px(p.radius*0.7))
		}
	}
	stoodOn := map[hexgrid.Coord]bool{}
	for _, c := range s.State.Characters {
		stoodOn[c.Coord] = stoodOn[c.Coord] || c.Alive
	}
	for _, b := range s.State.Bombs {
		if stoodOn[b.Coord] {
			p.bomb(b, 0.86) // visible around the character on it
			continue
		}
		p.bomb(b, 0.62)
		p.fuse(b)
	}
	for _, alive := range []bool{false, true} { // the living on top
		for i := range s.State.Characters {
			if c := &s.State.Characters[i]; c.Alive == alive {
				p.piece(s, c)
			}
		}
	}
	for _, b := range s.State.Bombs {
		if stoodOn[b.Coord] {
			p.badge(b)
		}
	}
}

// bomb draws a bomb's disc; radius is in radii of a cell.
func (p *picture) bomb(b hexabomb.Bomb, radius float64) {
	x, y := p.center(b.Coord)
	p.printf("<circle class=\"bomb\" cx=\"%s\" cy=\"%s\" r=\"%s\"><title>explodes in %s, range %d</title></circle>\n",
		Px(x), Px(y), Px(p.radius*radius), count(b.Delay, "turn"), b.Range)
}

// badge writes the turns until a bomb under a character explodes.
func (p *picture) badge(b hexabomb.Bomb) {
	x, y := p.center(b.Coord)
	x, y = x+p.radius*0.52, y+p.radius*0.52
	p.printf("<circle class=\"bomb\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", Px(x), Px(y), Px(p.radius*0.33))
	size := p.radius * 0.46
	if b.Delay >= 10 {
		size = p.radius * 0.34
	}
	p.printf("<text class=\"fuse\" x=\"%s\" y=\"%s\" font-size=\"%s\">%d</text>\n", Px(x), Px(y+size*0.36), Px(size), b.Delay)
}

// fuse writes the turns until a bomb explodes and, smaller, its range.
func (p *picture) fuse(b hexabomb.Bomb) {
	x, y := p.center(b.Coord)
	if p.radius < radiusNumber {
		return
	}
	size := p.radius * 0.6
	if b.Delay >= 10 || b.Range >= 10 { // possible for special players
		size = p.radius * 0.42
	}
	p.printf("<text class=\"fuse\" x=\"%s\" y=\"%s\" font-size=\"%s\">%d<tspan font-size=\"%s\"> r%d</tspan></text>\n",
		Px(x), Px(y+size*0.36), Px(size), b.Delay, Px(size*0.6), b.Range)
}

func (p *picture) piece(s *Scene, c *hexabomb.Character) {
	class := ""
	if !c.Alive {
		class = "dead"
	}
	p.printf("<g class=\"%s\">", class)
	if player := int(c.Color.Player()); player < s.Specials {
		p.use("ghost", "", c.Coord)
	} else {
		p.character(player-s.Specials, int(c.ID), c.Coord)
	}
	p.printf("</g>\n")
}

// scores writes the players and their scores in one line.
func (p *picture) scores(s *Scene) {
	y := p.height - svgMargin - 22
	x := svgMargin + 10
	room := (p.width - 2*svgMargin) / float64(max(1, len(s.Names)))
	scale := 13 / p.radius // the shapes are scaled for the board
	for id, name := range s.Names {
		shape, class := "ghost", ""
		if id >= s.Specials {
			slot := strconv.Itoa((id - s.Specials) % NumLooks)
			shape, class = "s"+slot, "b"+slot
		}
		p.printf(`<g transform="translate(%s %s) scale(%.4f)"><use href="#%s" class="%s"/></g>`, Px(x), Px(y), scale, shape, class)
		text := shorten(name, int(room/8)-6) + " " + thousands(s.State.Score[engine.PlayerID(id)])
		p.printf("<text class=\"small t2\" x=\"%s\" y=\"%s\">%s</text>\n", Px(x+14), Px(y+4.5), html.EscapeString(text))
		x += room
	}
}

// shorten cuts a name to most characters, or to none if most is too small.
func shorten(name string, most int) string {
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	if most < 3 {
		return ""
	}
	return fmt.Sprintf("%.*s…", most-1, name)
}
