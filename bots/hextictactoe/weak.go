package hextictactoe

import (
	"context"
	"slices"

	"github.com/hexarena/hexarena/engine/hexgrid"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// nearest is a weak bot that takes the cells closest to the first piece of the board.
type nearest struct{}

// Move implements Bot.
func (nearest) Move(_ context.Context, q Question) Answer {
	random := q.random()
	var move []rules.Coord
	center := q.Board.Pieces()[0].Coord
	for radius := 1; len(move) < 2; radius++ {
		ring := ringOf(center, radius)
		random.Shuffle(len(ring), func(i, j int) { ring[i], ring[j] = ring[j], ring[i] })
		for _, c := range ring {
			if len(move) < 2 && q.free(c, move) {
				move = append(move, c)
			}
		}
	}
	return q.plainAnswer(move)
}

// Judge implements Bot. It always returns the zero Evaluation.
func (nearest) Judge(context.Context, Question) Evaluation { return Evaluation{} }

// random is a weak bot that takes any cells within two steps of others.
type random struct{}

// Move implements Bot.
func (random) Move(ctx context.Context, q Question) Answer {
	random := q.random()
	pieces := q.Board.Pieces()
	var move []rules.Coord
	for range 1000 {
		from := pieces[random.IntN(len(pieces))].Coord
		c := from.Add(rules.Coord{Q: random.IntN(5) - 2, R: random.IntN(5) - 2})
		if q.free(c, move) {
			if move = append(move, c); len(move) == 2 {
				return q.plainAnswer(move)
			}
		}
	}
	return nearest{}.Move(ctx, q) // the pieces leave no hole
}

// Judge implements Bot. It always returns the zero Evaluation.
func (random) Judge(context.Context, Question) Evaluation { return Evaluation{} }

// free reports whether a piece can be placed on c after those of the move.
func (q *Question) free(c rules.Coord, move []rules.Coord) bool {
	if q.Board.At(c) != rules.None || slices.Contains(move, c) || !rules.OnBoard(c) {
		return false
	}
	return q.Board.Near(c, q.View) || slices.ContainsFunc(move, func(m rules.Coord) bool {
		return hexgrid.Distance(m, c) <= q.View
	})
}

// fillerCell returns a cell for a second piece that makes no difference after one on c.
func (q *Question) fillerCell(c rules.Coord) rules.Coord {
	for radius := 1; ; radius++ {
		for _, other := range ringOf(c, radius) {
			if q.free(other, []rules.Coord{c}) {
				return other
			}
		}
	}
}

// plainAnswer returns an answer without evaluation.
func (q *Question) plainAnswer(move []rules.Coord) Answer {
	o := Option{Pieces: move}
	return Answer{Option: o, Considered: []Option{o}}
}

// ringOf returns the cells at that distance from a cell.
func ringOf(center rules.Coord, radius int) (ring []rules.Coord) {
	c := center.Add(rules.Coord{Q: radius})
	for i := range hexgrid.NumDirs {
		for range radius {
			ring = append(ring, c)
			c = c.Step(hexgrid.Dirs[(i+2)%hexgrid.NumDirs])
		}
	}
	return ring
}
