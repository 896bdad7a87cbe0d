package picture

import (
	"math"

	"github.com/hexarena/hexarena/engine/hextictactoe"
)

// stone is the appearance of a cell of hexagonal tic-tac-toe, or of a mark on it.
type stone struct {
	side    hextictactoe.Side // None: an empty cell
	level   uint8             // opacity of an empty cell in percent
	outline bool              // only an outline
	faded   bool              // drawn faded, as older pieces and outlines are
}

// stoneReach is the greatest extent of a stone from its centre, in radii of a cell.
const stoneReach = 1.2

func (d *hextictactoeDrawing) drawStone(p Pen, s stone) {
	const (
		outlineAt    = 0.97
		outlineWidth = 0.12
		dashWidth    = 0.09
		edgeAt       = 0.93
		edgeWidth    = 0.09
	)
	switch {
	case s.outline && s.faded:
		p.Fill(dashed(dashWidth, 12, d.hexagon(outlineAt)), accentInk, 0.6)
	case s.outline:
		p.Fill(loop(outlineWidth, d.hexagon(outlineAt)), accentInk, 1)
	case s.side == hextictactoe.None:
		p.Fill(d.tile(), emptyInk, float64(s.level)/100)
	default:
		back := func(c Ink) Ink {
			if s.faded {
				return c.Mix(stageInk, 0.4)
			}
			return c
		}
		symbolInk := white
		if s.side == hextictactoe.O {
			symbolInk = circleInk
		}
		slot := int(s.side.Player())
		p.Fill(d.tile(), back(fillOf(slot)), 1)
		p.Fill(loop(edgeWidth, d.hexagon(edgeAt)), back(lineOf(slot)), 1)
		p.Fill(symbol(s.side), back(symbolInk), 1)
	}
}

// symbol returns the cross or the circle.
func symbol(side hextictactoe.Side) Shape {
	const width = 0.20
	if side == hextictactoe.X {
		return cross(0.3, width)
	}
	return loop(width, arc(0, 0, 0.35, 0, 2*math.Pi))
}

// capsule is a line around the row of cells from the origin to a point.
func capsule(to Point) Shape {
	const radius, width = 0.98, 0.15
	along := math.Atan2(to.Y, to.X)
	return loop(width, append(arc(to.X, to.Y, radius, along-math.Pi/2, along+math.Pi/2),
		arc(0, 0, radius, along+math.Pi/2, along+3*math.Pi/2)...))
}
