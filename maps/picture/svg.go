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

// WriteSVG writes the last turn that a drawing followed as a self-contained SVG for light and
// dark backgrounds.
func WriteSVG(w io.Writer, d Drawing) error {
	f := d.about()
	s := &svg{body: &bytes.Buffer{}, inks: map[ink]int{}, gradients: map[string]int{}, paths: map[string]int{}, stamps: map[any]int{}}
	d.draw(s)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img" aria-labelledby="title">`, f.size.X, f.size.Y)
	fmt.Fprintf(&b, "\n<title id=\"title\">%s</title>\n<style>\n", html.EscapeString(d.title()))
	b.WriteString("path{fill:currentColor;stroke:currentColor;stroke-linejoin:round;stroke-linecap:round}.o{fill:none}\n")
	b.WriteString("text{fill:currentColor;font-family:Inter,\"Segoe UI\",Roboto,\"Noto Sans\",\"Liberation Sans\",Arial,sans-serif}.b{font-weight:700}\n")
	for i, c := range s.order {
		fmt.Fprintf(&b, ".c%d{color:%s}", i, c.light)
	}
	b.WriteString("\n@media (prefers-color-scheme:dark){")
	for i, c := range s.order {
		if c.dark != c.light {
			fmt.Fprintf(&b, ".c%d{color:%s}", i, c.dark)
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
	inks      map[ink]int    // the number of each ink's class
	order     []ink          // by that number
	gradients map[string]int // the number of each gradient, by its attributes and stops
	paths     map[string]int // the number of each long path, by its attributes and data
	stamps    map[any]int    // the number of each stamp's element
}

// class returns the number of an ink's class.
func (s *svg) class(c ink) int {
	return number(s.inks, c, func(int) { s.order = append(s.order, c) })
}

func (s *svg) background(draw func(c canvas)) { draw(s) }

func (s *svg) stage(middle image.Rectangle, glow, edge ink) {
	fmt.Fprintf(&s.defs, `<radialGradient id="glow" gradientUnits="userSpaceOnUse" cx="%d" cy="%d" r="%s"><stop class="c%d" stop-color="currentColor"/>`+
		`<stop class="c%d" stop-color="currentColor" offset="1"/></radialGradient>`+"\n", (middle.Min.X+middle.Max.X)/2, (middle.Min.Y+middle.Max.Y)/2,
		px(0.35*length(float64(middle.Max.X), float64(middle.Max.Y))), s.class(glow), s.class(edge))
	s.body.WriteString(`<rect fill="url(#glow)" width="100%" height="100%"/>` + "\n")
}

func (s *svg) fill(shape shape, x, y, scale float64, p paint) {
	open := ""
	if !shape.closed {
		open = ` class="o"`
	}
	look := fmt.Sprintf(`class="c%d" stroke-width="%s"`, s.class(p.top), px(shape.width*scale))
	if p.alpha < 1 {
		look += fmt.Sprintf(` opacity="%g"`, p.alpha)
	}
	d := pathOf(shape, 0, 0, scale)
	const long = 200 // bytes; the outlines of a whole board are drawn several times
	switch {
	case p.top != p.bottom: // of a closed shape
		low, high := shape.bounds()
		id := s.gradient(s.class(p.top), s.class(p.bottom), y+low.y*scale, y+high.y*scale)
		fmt.Fprintf(s.body, `<path %s style="fill:url(#g%d);stroke:url(#g%[2]d)" d="%s"/>`+"\n", look, id, pathOf(shape, x, y, scale))
	case len(d) > long:
		id := number(s.paths, open+d, func(id int) { fmt.Fprintf(&s.defs, `<path id="p%d"%s d="%s"/>`+"\n", id, open, d) })
		fmt.Fprintf(s.body, `<use href="#p%d" x="%s" y="%s" %s/>`+"\n", id, px(x), px(y), look)
	default:
		if !shape.closed {
			look = strings.Replace(look, `class="`, `class="o `, 1)
		}
		fmt.Fprintf(s.body, `<path %s d="%s"/>`+"\n", look, pathOf(shape, x, y, scale))
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
func pathOf(s shape, x, y, scale float64) string {
	var b []byte
	for _, line := range s.lines {
		var atX, atY float64 // rounded, so that rounding errors do not add up
		for i, p := range line {
			toX, toY := math.Round((x+p.x*scale)*10), math.Round((y+p.y*scale)*10)
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
		if s.closed {
			b = append(b, 'z')
		}
	}
	return string(b)
}

// gradient returns the number of a gradient between the inks of two classes.
func (s *svg) gradient(top, bottom int, from, to float64) int {
	stops := fmt.Sprintf(`gradientUnits="userSpaceOnUse" x2="0" y1="%s" y2="%s"><stop class="c%d" stop-color="currentColor"/>`+
		`<stop class="c%d" stop-color="currentColor" offset="1"/>`, px(from), px(to), top, bottom)
	return number(s.gradients, stops, func(id int) {
		fmt.Fprintf(&s.defs, `<linearGradient id="g%d" %s</linearGradient>`+"\n", id, stops)
	})
}

func (s *svg) write(l label, x, y float64, c ink) {
	class := fmt.Sprintf("c%d", s.class(c))
	if l.face.bold {
		class += " b"
	}
	anchor := map[float64]string{0.5: ` text-anchor="middle"`, 1: ` text-anchor="end"`}[l.anchor]
	fmt.Fprintf(s.body, `<text class="%s" x="%s" y="%s" font-size="%s"%s>%s</text>`+"\n",
		class, px(x), px(y), px(l.size), anchor, html.EscapeString(l.text))
}

func (s *svg) stamp(key any, at image.Point, _ float64, draw func(c canvas)) {
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
