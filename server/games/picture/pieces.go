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

func drawPiece(p Pen, q piece) {
	switch q.kind {
	case alive:
		drawAlive(p, q)
	case dead, deadForGood, revivable:
		drawDead(p, q)
	case bomb:
		drawBomb(p, q)
	case dots:
		drawDots(p, int(q.number), int(q.of))
	case badge:
		drawBadge(p, strconv.Itoa(int(q.number)), q.of == 1)
	case hollow:
		drawBadge(p, "×", false)
	case clash:
		p.Fill(cross(0.2, 0.09), textInk, 1)
	}
}

// drawBody draws a slot's shape with its rim and a shadow of that opacity.
func drawBody(p Pen, slot int, shadow float64) {
	s := shapeOf(slot).Shape
	body, rim, rimInk := bodyOf(slot), s.grown(0.21), white
	if slot < 0 {
		rim, rimInk = s.grown(0.18), ghostLineInk
	}
	if shadow > 0 {
		p.At(0, 0.16, 1).Fill(rim, black, shadow)
	}
	p.Fill(rim, rimInk, 1)
	if slot < 0 {
		p.Fill(s, body, 1)
		p.Fill(union(disc(-0.36, -0.28, 0.18), disc(0.36, -0.28, 0.18)), ghostLineInk, 1)
		return
	}
	p.Shade(s, body.Mix(white, 0.12), body)
}

func drawAlive(p Pen, q piece) {
	slot, size, shadow := int(q.slot), sizeAlive, 0.0
	if slot < 0 {
		size = sizeGhost
	}
	if q.small {
		size = sizeOnBomb
	}
	if p.Scale >= radiusRim {
		shadow = 0.35
	}
	numbered := p.Scale >= radiusNumber
	number := strconv.Itoa(int(q.number))
	p = p.At(0, 0, size)
	drawBody(p, slot, shadow)
	s := shapeOf(slot)
	if slot >= maps.NumLooks { // another player has the same look
		p.Fill(loop(0.14, scaled(s.edge, 0.72)), black, 0.5)
	}
	switch {
	case !numbered:
	case slot < 0:
		p.At(0, 0.4, 1).Center(number, 0.72, ghostLineInk)
	default:
		height := [...]float64{1: 1.14, 2: 0.96, 3: 0.72, 4: 0.6, 5: 0.5}[min(len(number), 5)]
		p.At(0, s.numberDown, 1).Center(number, height, same(maps.PlayerLook(slot).Ink))
	}
}

func drawDead(p Pen, q piece) {
	s, alpha := shapeOf(int(q.slot)), 1.0
	if q.kind == deadForGood {
		alpha = 0.55
	}
	body := p.At(0, 0, sizeDead)
	body.Fill(s.Shape, backInk, 0.5*alpha)
	if q.kind == revivable {
		body.Fill(loop(0.22, s.edge), white, 1)
		shaft := line(0.09, Point{0, 0.2}, Point{0, -0.2})
		p.Fill(union(shaft, line(0.09, Point{-0.15, -0.05}, Point{0, -0.2}, Point{0.15, -0.05})), white,
			1)
		return
	}
	body.Fill(dashed(0.22, 12, s.edge), white, alpha)
	p.Fill(cross(0.15, 0.09), white, alpha)
}

// drawDots draws a row of dots for bombs held or turns to wait.
func drawDots(p Pen, filled, of int) {
	for i := range of {
		dot := disc((float64(i)-float64(of-1)/2)*0.22, 0, 0.085)
		if i < filled {
			p.Fill(dot.grown(0.03), backInk, 0.5)
			p.Fill(dot, white, 1)
		} else {
			p.Fill(dot.grown(0.02), white, 0.69)
			p.Fill(dot.grown(-0.02), backInk, 0.9)
		}
	}
}

// drawBomb draws a bomb with its remaining time in the ring.
func drawBomb(p Pen, q piece) {
	ring := 0.60
	if q.small {
		ring = 0.80
	}
	p.Fill(disc(0, 0.06, ring+0.14), black, 0.25)
	p.Fill(disc(0, 0, ring+0.12), bombInk, 1)
	delay, hot := int(q.number), q.number <= 1
	left := bombLine(int(q.slot))
	burnt := left.Mix(black, 0.62)
	if hot {
		left = coreInk
	}
	segments := max(2, min(12, int(q.of)))
	lit := max(1,
		min(segments, int(math.Ceil(float64(delay)/math.Max(1, float64(q.of))*float64(segments)))))
	gap := min(0.1/ring, 0.9/float64(segments))
	for i := range segments {
		share := 2 * math.Pi / float64(segments)
		from := float64(i)*share - math.Pi/2 // from the top
		c := burnt
		if i < lit {
			c = left
		}
		p.Fill(band(ring, 0.18, from+gap/2, from+share-gap/2), c, 1)
	}
	if p.Scale < radiusRim || q.small {
		return
	}
	c, size := white, 0.66
	if hot {
		c = coreInk
	}
	if delay > 9 {
		size = 0.52
	}
	p.Center(strconv.Itoa(delay), size, c)
}

// bombLine returns the ink of a bomb's ring.
func bombLine(slot int) Ink {
	if slot < 0 {
		return ghostInk
	}
	return Ink{lineOf(slot).Dark, bodyOf(slot).Light}
}

func drawBadge(p Pen, text string, hot bool) {
	p.Fill(disc(0, 0, 0.32), white, 1)
	p.Fill(disc(0, 0, 0.262), badgeInk, 1)
	c, size := white, 0.38
	if hot {
		c = flameInk
	}
	if len(text) > 1 && text != "×" {
		size = 0.30
	}
	p.Center(text, size, c)
}
