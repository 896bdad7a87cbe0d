package hextictactoe

import (
	"math/bits"

	"github.com/hexarena/hexarena/engine/hexgrid"
)

// Board is an unbounded board with its pieces. The zero value is an empty board.
//
// The cost of a query depends on the distance it asks about, not on the number of pieces:
// each span holds 64 cells of a row as one bit per cell and side, and the spans with pieces
// are kept in an open-addressed hash table.
type Board struct {
	pieces []Piece
	spans  []span // hash table; its length is a power of two, at least half of it free
	used   int    // spans with pieces
}

// span is 64 cells of a row. A span without pieces is a free slot of the table.
type span struct {
	key   uint64
	taken [2]uint64 // cells taken by x and by o, one bit for each
}

const (
	spanBits  = 6
	spanCells = 1 << spanBits
	minSpans  = 16
)

// keyOf returns the key of a span: its row, and its column among the spans of that row.
func keyOf(column, r int) uint64 { return uint64(uint32(r))<<32 | uint64(uint32(column)) }

// Pieces returns the pieces in the order in which they were placed. The slice must not be
// modified and is valid until the next piece is placed.
func (b *Board) Pieces() []Piece { return b.pieces }

// At returns the side with a piece on c, None if c is empty.
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

// Place puts a piece on a cell, which must be empty and within MaxCoord.
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

// Near reports whether a piece is at most distance cells away from c.
func (b *Board) Near(c Coord, distance int) bool {
	if b.near(c, 0, distance) {
		return true
	}
	for d := 1; d <= distance; d++ { // from the inside out: most pieces are close to others
		if b.near(c, d, distance) || b.near(c, -d, distance) {
			return true
		}
	}
	return false
}

// near reports whether a piece is within distance of c in the row c.R+up.
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

// axes holds the directions of the three lines through a cell.
var axes = [...]hexgrid.Dir{hexgrid.XPlus, hexgrid.ZMinus, hexgrid.YPlus}

// AppendRows appends the cells of every row of at least n pieces of p's side that contains
// p, or would contain it if it were placed. It appends nothing if there is no such row.
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

// find returns the span with that key, or nil if it has no pieces.
func (b *Board) find(key uint64) *span {
	if len(b.spans) == 0 {
		return nil
	}
	if s := &b.spans[b.slot(key)]; !s.free() {
		return s
	}
	return nil
}

// slot returns the index of the span with that key, or of the free slot for it.
func (b *Board) slot(key uint64) int {
	last := len(b.spans) - 1
	i := int(key * 0x9e3779b97f4a7c15 >> (64 - bits.Len(uint(last)))) // Fibonacci hashing
	for s := &b.spans[i]; s.key != key && !s.free(); s = &b.spans[i] {
		i = (i + 1) & last
	}
	return i
}

// grow doubles the table's size.
func (b *Board) grow() {
	old := b.spans
	b.spans = make([]span, max(minSpans, 2*len(old)))
	for _, s := range old {
		if !s.free() {
			b.spans[b.slot(s.key)] = s
		}
	}
}
