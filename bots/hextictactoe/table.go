package hextictactoe

import "math/bits"

// table is a transposition table. A position replaces any other in its slot.
type table []entry

// entry holds the result for a position, for the side to move.
type entry struct {
	key   uint64
	move  pair
	value int32
	depth int8
	bound bound
}

// bound says how a value relates to the exact one.
type bound uint8

const (
	exact   bound = 1 + iota
	atLeast       // a cut-off: the search ended with a move that was good enough
	atMost        // no move reached the lower bound
)

// Sizes of the table, in entries of 24 bytes. It is cleared for each answer, so it must
// be small if few nodes are searched.
const (
	leastTable = 1 << 10
	mostTable  = 1 << 17
)

// newTable returns an empty table for a search of that number of nodes.
func newTable(nodes int) table {
	return make(table, min(max(leastTable, 1<<bits.Len(uint(nodes/4))), mostTable))
}

// at returns the slot of a position.
func (t table) at(key uint64) *entry { return &t[key&uint64(len(t)-1)] }
