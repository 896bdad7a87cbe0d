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

func (d *hexabombDrawing) drawPiece(p pen, q piece) {
	switch q.kind {
	case alive:
		d.drawAlive(p, q)
	case dead, deadForGood, revivable:
		drawDead(p, q)
	case bomb:
		d.drawBomb(p, q)
	case dots:
		drawDots(p, int(q.number), int(q.of))
	case badge:
		d.drawBadge(p, strconv.Itoa(int(q.number)), q.of == 1)
	case hollow:
		d.drawBadge(p, "×", false)
	case clash:
		p.fill(cross(0.2, 0.09), textInk, 1)
	}
}

// drawBody draws a slot's shape with its rim and a shadow of that opacity.
func drawBody(p pen, slot int, shadow float64) {
	s := shapeOf(slot).shape
	body, rim, rimInk := bodyOf(slot), s.grown(0.21), white
	if slot < 0 {
		rim, rimInk = s.grown(0.18), ghostLineInk
	}
	if shadow > 0 {
		p.at(0, 0.16, 1).fill(rim, black, shadow)
	}
	p.fill(rim, rimInk, 1)
	if slot < 0 {
		p.fill(s, body, 1)
		p.fill(union(disc(-0.36, -0.28, 0.18), disc(0.36, -0.28, 0.18)), ghostLineInk, 1)
		return
	}
	p.shade(s, body.mix(white, 0.12), body)
}

func (d *hexabombDrawing) drawAlive(p pen, q piece) {
	slot, size, shadow := int(q.slot), sizeAlive, 0.0
	if slot < 0 {
		size = sizeGhost
	}
	if q.small {
		size = sizeOnBomb
	}
	if p.scale >= radiusRim {
		shadow = 0.35
	}
	numbered := p.scale >= radiusNumber
	number := strconv.Itoa(int(q.number))
	p = p.at(0, 0, size)
	drawBody(p, slot, shadow)
	s := shapeOf(slot)
	if slot >= maps.NumLooks { // another player has the same look
		p.fill(loop(0.14, scaled(s.edge, 0.72)), black, 0.5)
	}
	switch {
	case !numbered:
	case slot < 0:
		p.at(0, 0.4, 1).center(number, d.bold, 0.72, ghostLineInk)
	default:
		height := [...]float64{1: 1.14, 2: 0.96, 3: 0.72, 4: 0.6, 5: 0.5}[min(len(number), 5)]
		p.at(0, s.numberDown, 1).center(number, d.bold, height, same(maps.PlayerLook(slot).Ink))
	}
}

func drawDead(p pen, q piece) {
	s, alpha := shapeOf(int(q.slot)), 1.0
	if q.kind == deadForGood {
		alpha = 0.55
	}
	body := p.at(0, 0, sizeDead)
	body.fill(s.shape, backInk, 0.5*alpha)
	if q.kind == revivable {
		body.fill(loop(0.22, s.edge), white, 1)
		p.fill(union(line(0.09, point{0, 0.2}, point{0, -0.2}), line(0.09, point{-0.15, -0.05}, point{0, -0.2}, point{0.15, -0.05})), white, 1)
		return
	}
	body.fill(dashed(0.22, 12, s.edge), white, alpha)
	p.fill(cross(0.15, 0.09), white, alpha)
}

// drawDots draws a row of dots for bombs held or turns to wait.
func drawDots(p pen, filled, of int) {
	for i := range of {
		dot := disc((float64(i)-float64(of-1)/2)*0.22, 0, 0.085)
		if i < filled {
			p.fill(dot.grown(0.03), backInk, 0.5)
			p.fill(dot, white, 1)
		} else {
			p.fill(dot.grown(0.02), white, 0.69)
			p.fill(dot.grown(-0.02), backInk, 0.9)
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
	p.fill(disc(0, 0, ring+0.12), bombInk, 1)
	delay, hot := int(q.number), q.number <= 1
	left := bombLine(int(q.slot))
	burnt := left.mix(black, 0.62)
	if hot {
		left = coreInk
	}
	segments := max(2, min(12, int(q.of)))
	lit := max(1, min(segments, int(math.Ceil(float64(delay)/math.Max(1, float64(q.of))*float64(segments)))))
	gap := min(0.1/ring, 0.9/float64(segments))
	for i := range segments {
		share := 2 * math.Pi / float64(segments)
		from := float64(i)*share - math.Pi/2 // from the top
		c := burnt
		if i < lit {
			c = left
		}
		p.fill(band(ring, 0.18, from+gap/2, from+share-gap/2), c, 1)
	}
	if p.scale < radiusRim || q.small {
		return
	}
	c, size := white, 0.66
	if hot {
		c = coreInk
	}
	if delay > 9 {
		size = 0.52
	}
	p.center(strconv.Itoa(delay), d.bold, size, c)
}

// bombLine returns the ink of a bomb's ring.
func bombLine(slot int) ink {
	if slot < 0 {
		return ghostInk
	}
	return ink{lineOf(slot).dark, bodyOf(slot).light}
}

func (d *hexabombDrawing) drawBadge(p pen, text string, hot bool) {
	p.fill(disc(0, 0, 0.32), white, 1)
	p.fill(disc(0, 0, 0.262), badgeInk, 1)
	c, size := white, 0.38
	if hot {
		c = flameInk
	}
	if len(text) > 1 && text != "×" {
		size = 0.30
	}
	p.center(text, d.bold, size, c)
}
