package maps

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Measures of the picture, in pixels.
const (
	svgBoard  = 880.0 // the board fills this square as far as possible
	svgMargin = 34.0
	svgHead   = 92.0 // for the name and the description
	svgFoot   = 58.0 // for the legend
	svgWidth  = 560.0
	radiusMin = 3.0 // of a cell, from its centre to a corner
	radiusMax = 24.0
	// Below this radius, numbers are illegible.
	radiusNumber = 12.0
)

// SVG draws a map as a self-contained picture for light and dark backgrounds: the board
// with every player's starting positions, the special positions as ghosts, and a legend.
// Characters have the numbers of a classical match. The name, description and figures are
// those of info.
func SVG(w io.Writer, m *hexabomb.Map, info Info) error {
	p := newPicture(m)
	p.open(info)
	p.style(len(m.Starts))
	p.definitions(m)
	p.head(info)
	p.board(m)
	p.legend(m)
	p.printf("</svg>\n")
	_, err := w.Write(p.Bytes())
	return err
}

// picture writes an SVG.
type picture struct {
	bytes.Buffer
	radius        float64 // of a cell
	left, top     float64 // of the board's origin
	width, height float64
}

func newPicture(m *hexabomb.Map) *picture {
	p := &picture{radius: 1}
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, c := range m.Cells {
		x, y := p.center(c)
		x0, x1, y0, y1 = min(x0, x-1), max(x1, x+1), min(y0, y-1), max(y1, y+1)
	}
	p.radius = min(max(min(svgBoard/(x1-x0), svgBoard/(y1-y0)), radiusMin), radiusMax)
	boardWidth, boardHeight := p.radius*(x1-x0), p.radius*(y1-y0)
	p.width = math.Ceil(max(boardWidth, svgWidth-2*svgMargin) + 2*svgMargin)
	p.height = math.Ceil(svgHead + boardHeight + svgFoot + svgMargin)
	p.left = (p.width-boardWidth)/2 - p.radius*x0
	p.top = svgHead + svgMargin/2 - p.radius*y0
	return p
}

// center returns the centre of a cell.
func (p *picture) center(c hexgrid.Coord) (x, y float64) {
	q, r := float64(c.Q), float64(c.R)
	return p.left + p.radius*math.Sqrt(3)*(q+r/2), p.top + p.radius*1.5*r
}

func (p *picture) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// Px formats a measure of an SVG in pixels, rounded to a tenth.
func Px(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10+0, 'f', -1, 64)
}

func (p *picture) open(info Info) {
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]s %[2]s" width="%[1]s" height="%[2]s" role="img" aria-labelledby="title">`+"\n",
		Px(p.width), Px(p.height))
	p.printf("<title id=\"title\">%s: %s</title>\n", html.EscapeString(info.Name), summary(info))
}

// summary returns a map's figures in one line.
func summary(info Info) string {
	parts := []string{
		count(info.Players, "player"),
		count(info.Characters, "character") + " each",
		count(info.Cells, "cell"),
		count(info.Specials, "special position"),
	}
	if info.Holes > 0 {
		parts = append(parts, count(info.Holes, "hole"))
	}
	return strings.Join(parts, " · ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if n == 0 {
		return "no " + what + "s"
	}
	return thousands(n) + " " + what + "s"
}

// thousands formats n with thin spaces between groups of three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u2009" + s[i:]
	}
	return s
}

// style writes the colours for light backgrounds, then those for dark ones.
func (p *picture) style(players int) {
	p.printf("<style>\ntext{font-family:Inter,\"Segoe UI\",Roboto,\"Noto Sans\",\"Liberation Sans\",Arial,sans-serif}\n")
	p.printf(".name{font-size:30px;font-weight:700}.say{font-size:15px}.small{font-size:13px}.id{font-weight:700;text-anchor:middle}\n")
	p.printf(".rim{stroke-width:%s;stroke-linejoin:round}.seam{stroke-width:%s;stroke-linejoin:round}.tile{stroke-width:%s;stroke-linejoin:round}\n",
		Px(p.radius*0.68), Px(p.radius*0.34), Px(p.radius*0.22))
	p.theme(players, &LightTheme)
	p.printf("@media (prefers-color-scheme:dark){\n")
	p.theme(players, &DarkTheme)
	p.printf("}\n</style>\n")
}

func (p *picture) theme(players int, t *Theme) {
	p.printf(".stage{fill:%s}.glow{stop-color:%s}.edge{stop-color:%[1]s}", t.Stage, t.Glow)
	p.printf(".rim{fill:%s;stroke:%[1]s}.seam{fill:%s;stroke:%[2]s}.tile{fill:%s;stroke:%[3]s}\n", t.Rim, t.Seam, t.Free)
	p.printf(".t1{fill:%s}.t2{fill:%s}.ghost{fill:%s;stroke:%s}.eye{fill:%[4]s}\n", t.Text, t.Quiet, t.Ghost, t.GhostLine)
	for i := range min(players, NumLooks) {
		look := PlayerLook(i)
		c := t.Tones(look)
		p.printf(".f%d{fill:%s;stroke:%[2]s}.b%[1]d{fill:%[3]s;stroke:%[3]s}.i%[1]d{fill:%[4]s}\n", i, c.Fill, c.Body, look.Ink)
	}
}

// definitions writes the reused elements: the tile, the board of tiles, the ghost and the
// players' shapes.
func (p *picture) definitions(m *hexabomb.Map) {
	p.printf("<defs>\n<radialGradient id=\"light\"><stop class=\"glow\" offset=\"0\"/><stop class=\"edge\" offset=\".85\"/></radialGradient>\n")
	// Strokes round the corners and fill the rest of the cell.
	r := p.radius * 0.83
	p.printf(`<path id="t" d="M0 %sL%s %sV%sL0 %sL%s %[4]sV%[3]sz"/>`+"\n",
		Px(-r), Px(r*math.Sqrt(3)/2), Px(-r/2), Px(r/2), Px(r), Px(-r*math.Sqrt(3)/2))
	p.printf("<g id=\"board\">\n")
	for _, c := range m.Cells {
		p.use("t", "", c)
	}
	p.printf("</g>\n")
	unit := p.radius * 0.62 / 100
	p.printf(`<g id="ghost" transform="scale(%.4f)">%s</g>`+"\n", unit*0.95, ghost)
	for i := range min(len(m.Starts), NumLooks) {
		p.printf(`<g id="s%d" transform="scale(%.4f)">%s</g>`+"\n", i, unit, PlayerShape(i).sticker())
	}
	p.printf("</defs>\n")
}

// use draws a defined element at a cell.
func (p *picture) use(id, class string, at hexgrid.Coord) {
	x, y := p.center(at)
	p.useAt(id, class, x, y)
}

func (p *picture) useAt(id, class string, x, y float64) {
	p.printf(`<use href="#%s" x="%s" y="%s"`, id, Px(x), Px(y))
	if class != "" {
		p.printf(` class="%s"`, class)
	}
	p.printf("/>\n")
}

func (p *picture) head(info Info) {
	p.printf("<rect class=\"stage\" width=\"100%%\" height=\"100%%\" rx=\"14\"/>\n<rect fill=\"url(#light)\" width=\"100%%\" height=\"100%%\" rx=\"14\"/>\n")
	p.printf("<text class=\"name t1\" x=\"%s\" y=\"46\">%s</text>\n", Px(svgMargin), html.EscapeString(info.Name))
	line := summary(info)
	if info.Description != "" {
		p.printf("<text class=\"say t2\" x=\"%s\" y=\"70\">%s</text>\n", Px(svgMargin), html.EscapeString(info.Description))
	}
	p.printf("<text class=\"small t2\" x=\"%s\" y=\"%s\">%s</text>\n", Px(svgMargin), Px(p.height-svgMargin+8), line)
}

func (p *picture) board(m *hexabomb.Map) {
	for _, layer := range []string{"rim", "seam", "tile"} {
		p.printf("<use href=\"#board\" class=\"%s\"/>\n", layer)
	}
	for i, starts := range m.Starts {
		for _, c := range starts {
			p.use("t", fmt.Sprintf("tile f%d", i%NumLooks), c)
		}
	}
	id := 0
	for i, starts := range m.Starts {
		for _, c := range starts {
			p.character(i, id, c)
			id++
		}
	}
	for _, c := range m.Specials {
		p.use("ghost", "", c)
	}
}

// character draws a character, with its number if that is legible.
func (p *picture) character(player, id int, at hexgrid.Coord) {
	slot := player % NumLooks
	p.use(fmt.Sprintf("s%d", slot), fmt.Sprintf("b%d", slot), at)
	text := strconv.Itoa(id)
	if p.radius < radiusNumber || len(text) > 3 {
		return
	}
	size := p.radius * 0.62 * [...]float64{1: 1.14, 2: 0.96, 3: 0.72}[len(text)]
	x, y := p.center(at)
	y += p.radius*0.62*PlayerShape(slot).NumberDown + size*0.36
	p.printf("<text class=\"id i%d\" x=\"%s\" y=\"%s\" font-size=\"%s\">%s</text>\n", slot, Px(x), Px(y), Px(size), text)
}

// legend draws the shapes of the players, or of the first ones if there is no room for all.
func (p *picture) legend(m *hexabomb.Map) {
	y := p.height - svgMargin - 22
	x := svgMargin + 10
	scale := 13 / p.radius // the shapes are scaled for the board
	for i := range min(len(m.Starts), NumLooks) {
		p.printf(`<g transform="translate(%s %s) scale(%.4f)"><use href="#s%d" class="b%[4]d"/></g>`, Px(x), Px(y), scale, i)
		p.printf("<text class=\"small t2\" x=\"%s\" y=\"%s\">%d</text>\n", Px(x+14), Px(y+4.5), i)
		x += 32 + 8*float64(len(strconv.Itoa(i)))
	}
	if len(m.Starts) > NumLooks {
		p.printf("<text class=\"small t2\" x=\"%s\" y=\"%s\">… %d</text>\n", Px(x-6), Px(y+4.5), len(m.Starts)-1)
		x += 52
	}
	if len(m.Specials) > 0 {
		p.printf(`<g transform="translate(%s %s) scale(%.4f)"><use href="#ghost"/></g>`, Px(x+4), Px(y), scale)
		p.printf("<text class=\"small t2\" x=\"%s\" y=\"%s\">special</text>\n", Px(x+18), Px(y+4.5))
	}
}
