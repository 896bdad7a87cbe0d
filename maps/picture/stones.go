package picture

import (
	"github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/maps"
)

// stone is the appearance of a cell of hexagonal tic-tac-toe, or of a mark on it; it identifies its
// sprite.
type stone struct {
	side    hextictactoe.Side // None: an empty cell
	level   uint8             // opacity of an empty cell in percent
	outline bool              // only an outline
	faded   bool              // drawn faded, as older pieces and outlines are
}

// Measures of a stone, in radii of a cell.
const (
	stoneLine    = 0.09
	symbolWidth  = 0.20
	outlineAt    = 0.97
	outlineWidth = 0.12
	dashWidth    = 0.09
	stoneReach   = 1.1
)

func (d *hextictactoeDrawing) stone(s stone) sprite {
	return d.sprites.get(s, func() sprite {
		return newSprite(stoneReach, d.window.radius, func(p pen) { d.drawStone(p, s) })
	})
}

func (d *hextictactoeDrawing) drawStone(p pen, s stone) {
	corners := d.window.corners(p.scale)
	tile := tileShape(corners)
	hexagon := inflated(scaled(corners, outlineAt), 0)
	switch {
	case s.outline && s.faded:
		p.fill(intersection(outlined(hexagon, dashWidth), dashes(12)), d.accent(), 0.6)
	case s.outline:
		p.fill(outlined(hexagon, outlineWidth), d.accent(), 1)
	case s.side == hextictactoe.None:
		empty := maps.Hex(0x212734)
		if d.paints.light {
			empty = maps.Hex(0xDDE2EA)
		}
		p.fill(tile, empty, float64(s.level)/100)
	default:
		back := func(c maps.Color) maps.Color {
			if s.faded {
				return c.Mix(d.paints.Stage, 0.4)
			}
			return c
		}
		slot := int(s.side.Player())
		p.fill(tile, back(d.paints.fill(slot)), 1)
		p.fill(outlined(tile, stoneLine), back(d.paints.line(slot)), 1)
		p.fill(symbol(s.side), back(d.ink(s.side)), 1)
	}
}

// symbol returns the cross or the circle.
func symbol(side hextictactoe.Side) distance {
	if side == hextictactoe.X {
		return cross(0.3, symbolWidth)
	}
	return outlined(disc(0, 0, 0.35), symbolWidth)
}

// ink returns the colour of a symbol on its stone.
func (d *hextictactoeDrawing) ink(side hextictactoe.Side) maps.Color {
	if d.paints.light && side == hextictactoe.O {
		return maps.Hex(0x4A2500)
	}
	return white
}
