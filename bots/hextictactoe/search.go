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
	cut   bool // the context or the time ended before the nodes were used up
	since int  // nodes since the context was looked at

	timer   *Timer // may be nil
	again   Spent  // the search that is repeated, if timer is nil
	spent   Spent
	used    int  // nodes in all
	growing bool // the tree is searched

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

// use uses nodes, and notices the end of the context and of the time.
func (s *search) use(nodes int) {
	s.nodes -= nodes
	s.used += nodes
	if s.since += nodes; s.since >= nodesBetween {
		s.since = 0
		s.look()
	}
}

// look ends the tree or the search if its time is over, and the search if its context has ended.
func (s *search) look() {
	if s.timed() {
		tree, all := s.again.Tree > 0 && s.used >= s.again.Tree, s.again.All > 0 && s.used >= s.again.All
		if s.timer != nil {
			tree, all = s.timer.over()
		}
		if tree && s.growing {
			s.spent.Tree, s.nodes, s.growing = s.used, 0, false
		}
		if all {
			s.spent.All, s.cut = s.used, true
			return
		}
	}
	s.cut = s.ctx.Err() != nil || s.again.All > 0 && s.used >= s.again.All
	if s.cut && s.spent.Plan > 0 {
		s.spent.All = s.used
	}
}

// timed reports whether the time of this search, or of the one that it repeats, is limited.
func (s *search) timed() bool { return s.spent.Plan > 0 && !s.spent.Fixed }

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
	switch { // faster than cmp.Or, which the tree would notice
	case a.value != b.value:
		return cmp.Compare(b.value, a.value)
	case a.pair[0] != b.pair[0]:
		return cmp.Compare(a.pair[0], b.pair[0])
	}
	return cmp.Compare(a.pair[1], b.pair[1])
}
