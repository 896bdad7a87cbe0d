package picture

import (
	"math"
	"strconv"

	"github.com/hexarena/hexarena/maps"
)

// Sizes of characters, in radii of a cell.
const (
	sizeAlive  = 0.60
	sizeGhost  = 0.56
	sizeOnBomb = 0.46
	sizeDead   = 0.50
)

// piece is something on a cell; it identifies its sprite.
type piece struct {
	kind   kind
	slot   int32
	number int32 // number of a character, delay of a bomb, count of dots or dead characters
	of     int32 // the number of a bomb's segments or of dots
	small  bool  // a character inside the ring of a bomb, or a bomb around one
}

type kind uint8

const (
	alive kind = iota + 1
	dead
	deadForGood
	revivable
	bomb
	dots
	badge
	hollow // the badge of a dead character under a living one
	clash  // a cell reached by bombs of several owners at once
)

// pieceReach is the greatest extent of a piece from its centre, in radii.
const pieceReach = 1.1

func (d *hexabombDrawing) sprite(p piece) sprite {
	return d.sprites.get(p, func() sprite {
		return newSprite(pieceReach, d.layout.radius, func(pen pen) { d.drawPiece(pen, p) })
	})
}

func (d *hexabombDrawing) drawPiece(p pen, q piece) {
	switch q.kind {
	case alive:
		d.drawAlive(p, q)
	case dead, deadForGood, revivable:
		d.drawDead(p, q)
	case bomb:
		d.drawBomb(p, q)
	case dots:
		drawDots(p, int(q.number), int(q.of))
	case badge:
		d.drawBadge(p, strconv.Itoa(int(q.number)), q.of == 1)
	case hollow:
		d.drawBadge(p, "×", false)
	case clash:
		p.fill(cross(0.2, 0.09), d.paints.Text, 1)
	}
}

// shape returns the shape of a slot; its unit is its own radius.
func (d *hexabombDrawing) shape(slot int) distance { return d.shapes[slotIndex(slot)] }

// slotIndex returns the index of a slot's shape.
func slotIndex(slot int) int {
	if slot < 0 {
		return maps.NumLooks
	}
	return slot % maps.NumLooks
}

func allShapes() []distance {
	var list []distance
	for i := range maps.NumLooks + 1 {
		s := maps.GhostShape
		if i < maps.NumLooks {
			s = maps.PlayerShape(i)
		}
		list = append(list, moved(inflated(parsePath(s.Path), s.Width/2), 0, 0, 0.01))
	}
	return list
}

// grown is a shape extended by a distance.
func grown(d distance, by float64) distance {
	return func(x, y float64) float64 { return d(x, y) - by }
}

func (d *hexabombDrawing) drawAlive(p pen, q piece) {
	slot, shape := int(q.slot), d.shape(int(q.slot))
	size := sizeAlive
	if slot < 0 {
		size = sizeGhost
	}
	if q.small {
		size = sizeOnBomb
	}
	r := p.scale
	p = p.at(0, 0, size)
	rim, rimColor := grown(shape, 0.21), white
	if slot < 0 {
		rim, rimColor = grown(shape, 0.18), d.paints.GhostLine
	}
	if r >= radiusRim {
		p.fill(moved(rim, 0, 0.16, 1), black, 0.35)
	}
	p.fill(rim, rimColor, 1)
	number := strconv.Itoa(int(q.number))
	if slot < 0 {
		p.fill(shape, d.paints.Ghost, 1)
		for _, x := range []float64{-0.36, 0.36} {
			p.fill(disc(x, -0.28, 0.18), d.paints.GhostLine, 1)
		}
		if r >= radiusNumber {
			d.bold.center(p.at(0, 0.4, 1), number, 0.72, d.paints.GhostLine)
		}
		return
	}
	look := maps.PlayerLook(slot)
	body := d.paints.Tones(look).Body
	p.shade(shape, 1, func(y float64) maps.Color { return body.Mix(white, 0.12*min(1, max(0, (1.2-y)/2.4))) })
	if slot >= maps.NumLooks { // another player has the same look
		p.fill(outlined(grown(shape, -0.28), 0.14), black, 0.5)
	}
	if r < radiusNumber {
		return
	}
	height := 1.14
	if len(number) > 1 {
		height = [...]float64{2: 0.96, 3: 0.72, 4: 0.6, 5: 0.5}[min(len(number), 5)]
	}
	d.bold.center(p.at(0, maps.PlayerShape(slot).NumberDown, 1), number, height, look.Ink)
}

func (d *hexabombDrawing) drawDead(p pen, q piece) {
	shape, alpha := d.shape(int(q.slot)), 1.0
	if q.kind == deadForGood {
		alpha = 0.55
	}
	s := p.at(0, 0, sizeDead)
	s.fill(shape, maps.Hex(0x0B0E14), 0.5*alpha)
	rim := outlined(shape, 0.22)
	if q.kind != revivable {
		rim = intersection(rim, dashes(16))
	}
	s.fill(rim, white, alpha)
	if q.kind == revivable {
		p.fill(union(line(point{0, 0.2}, point{0, -0.2}, 0.09), line(point{-0.15, -0.05}, point{0, -0.2}, 0.09),
			line(point{0.15, -0.05}, point{0, -0.2}, 0.09)), white, 1)
		return
	}
	p.fill(cross(0.15, 0.09), white, alpha)
}

// dashes is n sectors of the plane with gaps of the same size.
func dashes(n int) distance {
	return func(x, y float64) float64 {
		turns := math.Atan2(y, x) / (2 * math.Pi) * float64(n)
		_, part := math.Modf(turns + float64(n))
		return (math.Abs(part-0.5) - 0.3) / float64(n) * 2 * math.Pi * length(x, y)
	}
}

func cross(half, width float64) distance {
	return union(line(point{-half, -half}, point{half, half}, width), line(point{-half, half}, point{half, -half}, width))
}

// drawDots draws a row of dots for bombs held or turns to wait.
func drawDots(p pen, filled, of int) {
	for i := range of {
		dot := disc((float64(i)-float64(of-1)/2)*0.22, 0, 0.085)
		if i < filled {
			p.fill(grown(dot, 0.03), maps.Hex(0x0B0E14), 0.5)
			p.fill(dot, white, 1)
		} else {
			p.fill(grown(dot, 0.02), white, 0.69)
			p.fill(grown(dot, -0.02), maps.Hex(0x0B0E14), 0.9)
		}
	}
}

// drawBomb draws a bomb with its remaining time in the ring.
func (d *hexabombDrawing) drawBomb(p pen, q piece) {
	ring := 0.60
	if q.small {
		ring = 0.80
	}
	p.fill(disc(0, 0.06, ring+0.14), black, 0.25)
	p.fill(disc(0, 0, ring+0.12), d.paints.Bomb, 1)
	delay, hot := int(q.number), q.number <= 1
	left := d.bombLine(int(q.slot))
	burnt := left.Mix(black, 0.62)
	if hot {
		left = d.paints.Core
	}
	segments := max(2, min(12, int(q.of)))
	lit := max(1, min(segments, int(math.Ceil(float64(delay)/math.Max(1, float64(q.of))*float64(segments)))))
	gap := min(0.1/ring, 0.9/float64(segments))
	for i := range segments {
		from, to := float64(i)/float64(segments)*2*math.Pi+gap/2, float64(i+1)/float64(segments)*2*math.Pi-gap/2
		c := burnt
		if i < lit {
			c = left
		}
		p.fill(arc(ring, 0.18, from, to), c, 1)
	}
	if p.scale < radiusRim || q.small {
		return
	}
	c, size := white, 0.66
	if hot {
		c = d.paints.Core
	}
	if delay > 9 {
		size = 0.52
	}
	d.bold.center(p, strconv.Itoa(delay), size, c)
}

// bombLine returns the colour of a bomb's ring.
func (d *hexabombDrawing) bombLine(slot int) maps.Color {
	switch {
	case slot < 0:
		return d.paints.Ghost
	case d.paints.light:
		return d.paints.Tones(maps.PlayerLook(slot)).Body
	}
	return d.paints.line(slot)
}

func (d *hexabombDrawing) drawBadge(p pen, text string, hot bool) {
	p.fill(disc(0, 0, 0.32), white, 1)
	p.fill(disc(0, 0, 0.262), maps.Hex(0x0A0C11), 1)
	c, size := white, 0.38
	if hot {
		c = d.paints.Flame
	}
	if len(text) > 1 && text != "×" {
		size = 0.30
	}
	d.bold.center(p, text, size, c)
}
