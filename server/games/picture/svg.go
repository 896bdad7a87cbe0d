package picture

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"io"
	"math"
	"strconv"
	"strings"
)

// styles holds the rules that do not depend on colours: class o is for lines that enclose
// nothing, and b for bold text.
const styles = `path{fill:currentColor;stroke:currentColor;stroke-linejoin:round;stroke-linecap:round}.o{fill:none}
text{fill:currentColor;font-family:Inter,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif}.b{font-weight:700}
`

// WriteSVG writes the last turn that a drawing followed as a self-contained SVG for light and
// dark backgrounds.
func WriteSVG(w io.Writer, d Drawing) error {
	size := d.Size()
	s := &svg{
		body: &bytes.Buffer{}, inks: map[Ink]int{}, gradients: map[string]int{}, paths: map[string]int{},
		blurs:  map[string]int{},
		stamps: map[any]int{},
	}
	d.Draw(s)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" `+
		`role="img" aria-labelledby="title">`+"\n<title id=\"title\">%[3]s</title>\n<style>\n%[4]s",
		size.X, size.Y, html.EscapeString(d.Title()), styles)
	for i, c := range s.order {
		fmt.Fprintf(&b, ".c%d{color:%s}", i, c.Light)
	}
	b.WriteString("\n@media (prefers-color-scheme:dark){")
	for i, c := range s.order {
		if c.Dark != c.Light {
			fmt.Fprintf(&b, ".c%d{color:%s}", i, c.Dark)
		}
	}
	fmt.Fprintf(&b, "}\n</style>\n<defs>\n%s</defs>\n%s</svg>\n", s.defs.Bytes(), s.body.Bytes())
	_, err := w.Write(b.Bytes())
	return err
}

// svg is a canvas that writes the elements of an SVG.
type svg struct {
	defs      bytes.Buffer
	body      *bytes.Buffer  // where elements are written: the picture or a stamp
	inks      map[Ink]int    // the number of each ink's class
	order     []Ink          // by that number
	gradients map[string]int // the number of each gradient, by its attributes and stops
	paths     map[string]int // the number of each long path, by its attributes and data
	blurs     map[string]int // the number of each filter for soft edges, by its radius
	stamps    map[any]int    // the number of each stamp's element
}

// class returns the number of an ink's class.
func (s *svg) class(c Ink) int {
	return number(s.inks, c, func(int) { s.order = append(s.order, c) })
}

func (s *svg) Background(draw func(c Canvas)) { draw(s) }

func (s *svg) Stage(middle image.Rectangle, glow, edge Ink) {
	center, corner := middle.Min.Add(middle.Max).Div(2), middle.Max
	fmt.Fprintf(&s.defs, `<radialGradient id="glow" gradientUnits="userSpaceOnUse" cx="%d" cy="%d" r="%s">%s</radialGradient>`+"\n",
		center.X, center.Y, px(
			0.35*length(float64(corner.X), float64(corner.Y))), stops(s.class(glow), s.class(edge)))
	s.body.WriteString(`<rect fill="url(#glow)" width="100%" height="100%"/>` + "\n")
}

// stops returns the ends of a gradient between the inks of two classes.
func stops(from, to int) string {
	return fmt.Sprintf(`<stop class="c%d" stop-color="currentColor"/><stop class="c%d" stop-color="currentColor" offset="1"/>`, from, to)
}

func (s *svg) Fill(f Shape, x, y, scale float64, p Paint) {
	open := ""
	if !f.Closed {
		open = ` class="o"`
	}
	look := fmt.Sprintf(`class="c%d" stroke-width="%s"`, s.class(p.Top), px(f.Width*scale))
	if p.Alpha < 1 {
		look += fmt.Sprintf(` opacity="%.3g"`, p.Alpha)
	}
	if p.Soft > 0 {
		look += fmt.Sprintf(` filter="url(#b%d)"`, number(s.blurs, px(p.Soft*scale/3), func(id int) {
			fmt.Fprintf(&s.defs, `<filter id="b%d"><feGaussianBlur stdDeviation="%s"/></filter>`+"\n", id,
				px(p.Soft*scale/3))
		}))
	}
	d := pathOf(f, 0, 0, scale)
	const long = 200 // bytes; the outlines of a whole board are drawn several times
	switch {
	case p.Top != p.Bottom: // of a closed shape
		low, high := f.bounds()
		id := s.gradient(s.class(p.Top), s.class(p.Bottom), y+low.Y*scale, y+high.Y*scale)
		look += fmt.Sprintf(` style="fill:url(#g%[1]d);stroke:url(#g%[1]d)"`, id)
		fmt.Fprintf(s.body, `<path %s d="%s"/>`+"\n", look, pathOf(f, x, y, scale))
	case len(d) > long:
		id := number(s.paths, open+d,
			func(id int) { fmt.Fprintf(&s.defs, `<path id="p%d"%s d="%s"/>`+"\n", id, open, d) })
		fmt.Fprintf(s.body, `<use href="#p%d" x="%s" y="%s" %s/>`+"\n", id, px(x), px(y), look)
	default:
		if !f.Closed {
			look = strings.Replace(look, `class="`, `class="o `, 1)
		}
		fmt.Fprintf(s.body, `<path %s d="%s"/>`+"\n", look, pathOf(f, x, y, scale))
	}
}

// number returns the number of a key. New keys get the next one, and are defined.
func number[K comparable](numbers map[K]int, key K, define func(id int)) int {
	id, ok := numbers[key]
	if !ok {
		id = len(numbers)
		numbers[key] = id
		define(id)
	}
	return id
}

// pathOf returns a shape's lines as the data of a path.
func pathOf(s Shape, x, y, scale float64) string {
	var b []byte
	for _, line := range s.Lines {
		var atX, atY float64 // rounded, so that rounding errors do not add up
		for i, p := range line {
			toX, toY := math.Round((x+p.X*scale)*10), math.Round((y+p.Y*scale)*10)
			switch {
			case i == 0:
				b = append(b, 'M')
			case i == 1:
				b = append(b, 'l')
			case toX >= atX:
				b = append(b, ' ')
			}
			b = strconv.AppendFloat(b, (toX-atX)/10, 'f', -1, 64)
			if toY >= atY {
				b = append(b, ' ')
			}
			b = strconv.AppendFloat(b, (toY-atY)/10, 'f', -1, 64)
			atX, atY = toX, toY
		}
		if len(line) == 1 {
			b = append(b, "h0"...) // round ends make it a disc
		}
		if s.Closed {
			b = append(b, 'z')
		}
	}
	return string(b)
}

// gradient returns the number of a gradient between the inks of two classes.
func (s *svg) gradient(top, bottom int, from, to float64) int {
	key := fmt.Sprintf(`gradientUnits="userSpaceOnUse" x2="0" y1="%s" y2="%s">%s`, px(from), px(to),
		stops(top, bottom))
	return number(s.gradients, key, func(id int) {
		fmt.Fprintf(&s.defs, `<linearGradient id="g%d" %s</linearGradient>`+"\n", id, key)
	})
}

func (s *svg) Write(l Label, x, y float64, c Ink) {
	class := fmt.Sprintf("c%d", s.class(c))
	if l.Bold {
		class += " b"
	}
	anchor := map[float64]string{0.5: ` text-anchor="middle"`, 1: ` text-anchor="end"`}[l.Anchor]
	fmt.Fprintf(s.body, `<text class="%s" x="%s" y="%s" font-size="%s"%s>%s</text>`+"\n",
		class, px(x), px(y), px(l.Size), anchor, html.EscapeString(l.Text))
}

func (s *svg) Stamp(key any, at image.Point, _ float64, draw func(c Canvas)) {
	id := number(s.stamps, key, func(id int) {
		outer := s.body
		s.body = &bytes.Buffer{}
		draw(s)
		fmt.Fprintf(&s.defs, "<g id=\"s%d\">\n%s</g>\n", id, s.body.Bytes())
		s.body = outer
	})
	fmt.Fprintf(s.body, `<use href="#s%d" x="%d" y="%d"/>`+"\n", id, at.X, at.Y)
}

// px formats a measure in pixels, rounded to a tenth.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10+0, 'f', -1, 64)
}
