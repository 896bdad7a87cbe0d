package hextictactoe

import (
	"math/bits"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Board is a board without end and the pieces on it. The zero value is empty.
//
// What it answers costs time in proportion to the distance that is asked about,
// whatever the number of pieces: cells lie in spans, 64 of one row in a word for
// each side, and the spans that hold a piece in a table that is open-addressed.
type Board struct {
	pieces []Piece
	spans  []span // a power of two of them, at least half of them free
	used   int
}

// span is 64 cells of a row. One without a piece is a free place in the table.
type span struct {
	key   uint64
	taken [2]uint64 // by x and by o, a bit for each cell
}

const (
	spanBits  = 6
	spanCells = 1 << spanBits
	minSpans  = 16
)

// keyOf names a span: the row, and which of the row's spans it is, from 0 up and
// down.
func keyOf(column, r int) uint64 { return uint64(uint32(r))<<32 | uint64(uint32(column)) }

// Pieces are the pieces in the order in which they were placed. They are only
// to be read, and valid until the next one is placed.
func (b *Board) Pieces() []Piece { return b.pieces }

// At is who has a piece on c.
func (b *Board) At(c Coord) Side {
	s := b.find(keyOf(c.Q>>spanBits, c.R))
	bit := uint64(1) << (c.Q & (spanCells - 1))
	switch {
	case s == nil:
		return None
	case s.taken[0]&bit != 0:
		return X
	case s.taken[1]&bit != 0:
		return O
	}
	return None
}

// Place puts a piece on a cell that is empty and within MaxCoord.
func (b *Board) Place(p Piece) {
	if 2*(b.used+1) > len(b.spans) {
		b.grow()
	}
	key := keyOf(p.Q>>spanBits, p.R)
	s := &b.spans[b.slot(key)]
	if s.free() {
		s.key = key
		b.used++
	}
	s.taken[p.Side-X] |= 1 << (p.Q & (spanCells - 1))
	b.pieces = append(b.pieces, p)
}

// Near reports whether a piece is at most that many cells away from c.
func (b *Board) Near(c Coord, distance int) bool {
	if b.near(c, 0, distance) {
		return true
	}
	for d := 1; d <= distance; d++ { // most pieces are close to others
		if b.near(c, d, distance) || b.near(c, -d, distance) {
			return true
		}
	}
	return false
}

// near looks at one row of what is within the distance of c: its row number up.
func (b *Board) near(c Coord, up, distance int) bool {
	from := c.Q + max(-distance, -up-distance)
	to := c.Q + min(distance, -up+distance)
	for column := from >> spanBits; column <= to>>spanBits; column++ {
		s := b.find(keyOf(column, c.R+up))
		if s == nil {
			continue
		}
		asked := ^uint64(0)
		if column == from>>spanBits {
			asked &= ^uint64(0) << (from & (spanCells - 1))
		}
		if column == to>>spanBits {
			asked &= ^uint64(0) >> (spanCells - 1 - to&(spanCells-1))
		}
		if (s.taken[0]|s.taken[1])&asked != 0 {
			return true
		}
	}
	return false
}

// axes are the directions of the three lines through a cell.
var axes = [...]hexgrid.Dir{hexgrid.XPlus, hexgrid.ZMinus, hexgrid.YPlus}

// AppendRows appends the cells of each row of at least n pieces of one side that
// p is part of, or would be if it were placed: nothing if there is none. The cell
// of p is in every one of them.
func (b *Board) AppendRows(dst []Coord, p Piece, n int) []Coord {
	for _, axis := range axes {
		start, length := p.Coord, 1
		for next := start.Step(axis.Opposite()); b.At(next) == p.Side; next = next.Step(axis.Opposite()) {
			start = next
			length++
		}
		for next := p.Step(axis); b.At(next) == p.Side; next = next.Step(axis) {
			length++
		}
		if length < n {
			continue
		}
		for c := start; length > 0; length-- {
			dst = append(dst, c)
			c = c.Step(axis)
		}
	}
	return dst
}

func (s *span) free() bool { return s.taken[0]|s.taken[1] == 0 }

// find is the span of that name, nil if no piece is in it.
func (b *Board) find(key uint64) *span {
	if len(b.spans) == 0 {
		return nil
	}
	if s := &b.spans[b.slot(key)]; !s.free() {
		return s
	}
	return nil
}

// slot is where the span of that name is, or would be.
func (b *Board) slot(key uint64) int {
	last := len(b.spans) - 1
	i := int(key * 0x9e3779b97f4a7c15 >> (64 - bits.Len(uint(last)))) // Fibonacci hashing
	for s := &b.spans[i]; s.key != key && !s.free(); s = &b.spans[i] {
		i = (i + 1) & last
	}
	return i
}

// grow doubles the table.
func (b *Board) grow() {
	old := b.spans
	b.spans = make([]span, max(minSpans, 2*len(old)))
	for _, s := range old {
		if !s.free() {
			b.spans[b.slot(s.key)] = s
		}
	}
}
