package picture

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"math"
	"strconv"

	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/maps"
)

// Measures of the drawing, in pixels except the last.
const (
	svgLongest = 880.0 // the board fills this square as far as possible
	svgWidest  = 24.0  // radius of a cell
	svgLeast   = 1.0
	svgNarrow  = 420.0
	svgHead    = 58.0
	svgFoot    = 52.0
	svgMargin  = 20.0
	svgAround  = 3 // cells drawn around the pieces
)

// endlessSVG writes an SVG.
type endlessSVG struct {
	bytes.Buffer
	*endless
	radius        float64
	left, top     float64 // the centre of cell 0,0
	width, height float64
}

// HextictactoeSVG draws a state of hexagonal tic-tac-toe as a self-contained picture for light
// and dark backgrounds. The names are those of x and o.
func HextictactoeSVG(w io.Writer, state []byte, names [2]string) error {
	s, err := parseEndless(state)
	if err != nil {
		return err
	}
	p := &endlessSVG{endless: s}
	if err := p.measure(); err != nil {
		return err
	}
	p.open()
	p.cells()
	p.pieces()
	p.rows()
	p.sides(names)
	p.printf("</svg>\n")
	_, err = w.Write(p.Bytes())
	return err
}

func (p *endlessSVG) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// place returns the centre of a cell. r grows upwards.
func (p *endlessSVG) place(c hextictactoe.Coord) (x, y float64) {
	q, r := float64(c.Q), float64(c.R)
	return p.left + p.radius*math.Sqrt(3)*(q+r/2), p.top - p.radius*1.5*r
}

// measure computes the size that shows all pieces.
func (p *endlessSVG) measure() error {
	p.radius = 1
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, c := range p.Board.Cells {
		x, y := p.place(c.Coord)
		x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
	}
	across, down := x1-x0+math.Sqrt(3)*(2*svgAround+1), y1-y0+3*svgAround+2
	p.radius = min(svgWidest, svgLongest/max(across, down))
	if p.radius < svgLeast {
		return fmt.Errorf("the pieces lie too far apart for a picture: they span %.0f cells, more than %.0f", max(across/math.Sqrt(3), down/1.5), svgLongest/svgLeast/math.Sqrt(3))
	}
	p.width = math.Ceil(max(svgNarrow, across*p.radius+2*svgMargin))
	p.height = math.Ceil(down*p.radius + svgHead + svgFoot)
	p.left = p.width/2 - p.radius*(x0+x1)/2
	p.top = svgHead + p.radius*(down/2-(y0+y1)/2)
	return nil
}

// hexagon returns the path of a cell around 0,0; share is its size in radii.
func (p *endlessSVG) hexagon(share float64) string {
	r := p.radius * share
	x := maps.Px(r * math.Sqrt(3) / 2)
	return fmt.Sprintf("M0 %sL%s %sV%sL0 %sL-%[2]s %[4]sV%[3]sz", maps.Px(-r), x, maps.Px(-r/2), maps.Px(r/2), maps.Px(r))
}

func (p *endlessSVG) open() {
	title := fmt.Sprintf("hextictactoe, move %d", p.Move)
	if p.TurnLimit > 0 {
		title += fmt.Sprintf(" of %d", p.TurnLimit)
	}
	r := p.radius
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]s %[2]s" width="%[1]s" height="%[2]s" role="img" aria-labelledby="title">`+"\n", maps.Px(p.width), maps.Px(p.height))
	p.printf("<title id=\"title\">%s</title>\n<style>\ntext{font-family:Inter,\"Segoe UI\",Roboto,\"Noto Sans\",\"Liberation Sans\",Arial,sans-serif;font-size:15px}.b{font-weight:700}\n", title)
	p.printf(".s{stroke-width:%s;stroke-linecap:round;fill:none}.x,.o{stroke-width:%s}.last,.before,.row{fill:none;stroke-width:%s}.before{stroke-dasharray:%s}.row{stroke-width:%s}.faded{opacity:.6}\n",
		maps.Px(r*symbolWidth), maps.Px(r*stoneLine), maps.Px(r*outlineWidth), maps.Px(r*0.22), maps.Px(r*0.15))
	p.theme(paints{&maps.LightTheme, true})
	p.printf("@media (prefers-color-scheme:dark){\n")
	p.theme(paints{&maps.DarkTheme, false})
	p.printf("}\n</style>\n<defs>\n<path id=\"tile\" d=\"%s\"/><path id=\"edge\" d=\"%s\"/>\n", p.hexagon(0.93), p.hexagon(outlineAt))
	a := maps.Px(r * 0.3)
	p.printf("<path id=\"sx\" class=\"s\" d=\"M-%[1]s -%[1]sL%[1]s %[1]sM%[1]s -%[1]sL-%[1]s %[1]s\"/><circle id=\"so\" class=\"s\" r=\"%s\"/>\n</defs>\n", a, maps.Px(r*0.35))
	p.printf("<rect class=\"stage\" width=\"%s\" height=\"%s\"/>\n<text class=\"t1 b\" x=\"%s\" y=\"36\" style=\"font-size:20px\">%s</text>\n", maps.Px(p.width), maps.Px(p.height), maps.Px(svgMargin), title)
}

func (p *endlessSVG) theme(t paints) {
	empty, accent, circle := maps.Hex(0x212734), maps.Hex(0xFFFFFF), maps.Hex(0xFFFFFF)
	if t.light {
		empty, accent, circle = maps.Hex(0xDDE2EA), t.Text, maps.Hex(0x4A2500)
	}
	p.printf(".stage{fill:%s}.empty{fill:%s}.t1{fill:%s}.t2{fill:%s}.last,.before,.row{stroke:%s}\n", t.Stage, empty, t.Text, t.Quiet, accent)
	p.printf(".x{fill:%s;stroke:%s}.o{fill:%s;stroke:%s}.ix{stroke:#ffffff}.io{stroke:%s}.lx{stroke:%[2]s}.lo{stroke:%[4]s}\n", t.fill(0), t.line(0), t.fill(1), t.line(1), circle)
}

func (p *endlessSVG) use(what, class string, c hextictactoe.Coord) {
	x, y := p.place(c)
	p.printf("<use href=\"#%s\" class=\"%s\" x=\"%s\" y=\"%s\"/>\n", what, class, maps.Px(x), maps.Px(y))
}

// cells draws the empty cells near pieces, dimmer with distance. The cost depends on the pieces,
// not on the area between them.
func (p *endlessSVG) cells() {
	far := map[hextictactoe.Coord]int{}
	var ring []hextictactoe.Coord
	for _, c := range p.Board.Cells {
		far[c.Coord] = 0
		ring = append(ring, c.Coord)
	}
	for d := 1; d <= svgAround; d++ {
		var next []hextictactoe.Coord
		for _, c := range ring {
			for dir := range hexgrid.Dir(6) {
				to := c.Step(dir)
				if _, known := far[to]; known {
					continue
				}
				far[to] = d
				next = append(next, to)
			}
		}
		opacity := 1 - float64(d-1)*0.27
		if d > p.ViewDistance { // out of reach for the next piece
			opacity /= 2
		}
		p.printf("<g opacity=\"%s\">\n", strconv.FormatFloat(opacity, 'f', 2, 64))
		for _, c := range next {
			p.use("tile", "empty", c)
		}
		p.printf("</g>\n")
		ring = next
	}
}

// pieces draws the pieces and marks the last two moves.
func (p *endlessSVG) pieces() {
	faded := p.faded()
	for _, c := range p.Board.Cells {
		class := ""
		if faded(c.Coord) {
			class = " faded"
		}
		p.use("tile", c.P+class, c.Coord)
		p.use("s"+c.P, "i"+c.P+class, c.Coord)
	}
	for i, m := range p.Previous {
		class := "before"
		if i == len(p.Previous)-1 {
			class = "last"
		}
		for _, c := range m.Pieces {
			p.use("edge", class, c)
		}
	}
}

// rows draws a capsule around each winning row.
func (p *endlessSVG) rows() {
	for _, ends := range runs(p.Row, p.WinDistance) {
		x0, y0 := p.place(ends[0])
		x1, y1 := p.place(ends[1])
		reach := 0.98 * p.radius
		length := math.Hypot(x1-x0, y1-y0)
		p.printf("<rect class=\"row\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"%s\" transform=\"translate(%s %s) rotate(%s)\"/>\n",
			maps.Px(-reach), maps.Px(-reach), maps.Px(length+2*reach), maps.Px(2*reach), maps.Px(reach),
			maps.Px(x0), maps.Px(y0), maps.Px(math.Atan2(y1-y0, x1-x0)*180/math.Pi))
	}
}

// sides writes the players' names and clocks.
func (p *endlessSVG) sides(names [2]string) {
	y := p.height - svgMargin
	room := (p.width - 2*svgMargin) / 2
	for i, side := range []hextictactoe.Side{hextictactoe.X, hextictactoe.O} {
		x := svgMargin + float64(i)*room
		class := "t2"
		if p.ahead(side) {
			class = "t1 b"
		}
		p.printf("<use href=\"#s%[1]s\" class=\"l%[1]s\" transform=\"translate(%[2]s %[3]s) scale(%.3[4]f)\"/>", side, maps.Px(x+10), maps.Px(y-5), svgWidest*0.85/p.radius)
		text := []rune(printable(names[i]))
		if most := int(room/9) - 10; len(text) > most {
			text = append(text[:most-1], '…')
		}
		clock := ""
		if left := p.Clocks[side.String()]; left != nil {
			clock = " " + clockText(*left)
		}
		p.printf("<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n", class, maps.Px(x+26), maps.Px(y), html.EscapeString(string(text)+clock))
	}
}
