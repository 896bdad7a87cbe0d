package hextictactoe

import "math/bits"

// table remembers positions that were searched. A position replaces the one that
// had its place.
type table []entry

// entry is what is known of a position, for the side that was to move.
type entry struct {
	key   uint64
	move  pair
	value int32
	depth int8
	bound bound
}

// bound says what a value means.
type bound uint8

const (
	exact   bound = 1 + iota
	atLeast       // a move was good enough to look no further
	atMost        // no move was better
)

// Sizes of the table, in entries of 24 bytes: it is cleared for each answer, so
// that it has to be small where few nodes are searched.
const (
	leastTable = 1 << 10
	mostTable  = 1 << 17
)

// newTable returns an empty table for a search of the given number of nodes.
func newTable(nodes int) table {
	return make(table, min(max(leastTable, 1<<bits.Len(uint(nodes/4))), mostTable))
}

// at returns the place of a position.
func (t table) at(key uint64) *entry { return &t[key&uint64(len(t)-1)] }
