package hextictactoe

import (
	"cmp"
	"context"
)

// search looks ahead. It stops when its budget of nodes is used up or its context ends; what it
// has found by then is valid.
type search struct {
	*grid
	ctx   context.Context
	nodes int  // nodes left
	cut   bool // the context ended before the nodes were used up
	since int  // nodes since the context was looked at

	table table
	moves [][]rated // by ply
	met   []int32
	limit int // depth of the tree in plies
	solver
}

// nodesBetween is the number of nodes between two looks at the context: few, as a limit may be some
// milliseconds.
const nodesBetween = 64

// spend uses one node and reports whether one was left.
func (s *search) spend() bool {
	if s.cut || s.nodes <= 0 {
		return false
	}
	s.use(1)
	return !s.cut
}

// use uses nodes, and notices the end of the context.
func (s *search) use(nodes int) {
	s.nodes -= nodes
	if s.since += nodes; s.since >= nodesBetween {
		s.since = 0
		s.cut = s.ctx.Err() != nil
	}
}

// rated is a move with its value for the side that plays it.
type rated struct {
	pair
	value int32
}

// sort orders the cells by their numbers, so that equal moves are equal values.
func (p *pair) sort() {
	if p[0] > p[1] {
		p[0], p[1] = p[1], p[0]
	}
}

// compareRated orders moves by decreasing value.
func compareRated(a, b rated) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.pair[0], b.pair[0]),
		cmp.Compare(a.pair[1], b.pair[1]))
}
