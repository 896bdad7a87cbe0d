package hextictactoe

import (
	"sync/atomic"
	"time"
)

// Timer ends a search of threat by the clock. Its answers depend on the machine, and Spent repeats
// them.
type Timer struct {
	start     time.Time
	tree, all time.Duration // from the start to the end of the tree, and of the search
	last      time.Duration // when the search asked before
	stalled   time.Duration // the longest time between two such moments
	machine   *Machine
}

// Machine is what searches with a Timer have shown of the machine. The zero value is an old or busy
// one. It may be used from several goroutines.
type Machine struct {
	speed  atomic.Int64 // nodes in a second
	stalls atomic.Int64 // the longest time for which other programs ran of late, in nanoseconds
}

// Spent says how a search with a Timer or a limit went. A question with the Spent of an answer gets
// the same answer, however long that takes.
type Spent struct {
	Plan  int  // nodes that the search had, or that the time was expected to be enough for
	Tree  int  // nodes after which the time for the tree was over
	All   int  // nodes after which the time was over; 0: the search ended before
	Fixed bool // the search had no Timer: it ended after Plan nodes, unless the limit cut it off
}

// Nodes returns the numbers of s, as recordings hold them: all three if there was a Timer, else
// Plan and, if the limit cut the search off, All.
func (s Spent) Nodes() []int {
	switch {
	case !s.Fixed:
		return []int{s.Plan, s.Tree, s.All}
	case s.All > 0:
		return []int{s.Plan, s.All}
	}
	return []int{s.Plan}
}

// SpentOf returns the Spent with such numbers; ok is false if no search has them.
func SpentOf(nodes []int) (s Spent, ok bool) {
	switch len(nodes) {
	case 1:
		s = Spent{Plan: nodes[0], Fixed: true}
	case 2:
		s = Spent{Plan: nodes[0], All: nodes[1], Fixed: true}
	case 3:
		s = Spent{Plan: nodes[0], Tree: nodes[1], All: nodes[2]}
	}
	return s, s.Plan >= leastNodes && s.Plan <= mostNodes && s.Tree >= 0 && s.All >= 0
}

// SetTimer is like SetTime, but threat searches until its time is over. The time begins now.
func (q *Question) SetTimer(c Clock, m *Machine) {
	q.SetTime(c)
	all := c.share()
	if c.PerMove {
		reserve := max(c.Left/reserveShare, leastReserve, stallsKept*m.stalled())
		all = min(c.Left-min(reserve, c.Left/2), mostThinking)
	}
	all = max(all, 0)
	q.Limit = max(q.Limit, all)
	q.Timer = &Timer{start: time.Now(), tree: all - all/confirmShare, all: all, machine: m}
	q.Spent.Plan = min(max(int(all.Seconds()*m.nodesPerSecond()), leastNodes), mostNodes)
}

const (
	// reserveShare is the divisor of a move's time that is left for the way of the answer, and for
	// other programs that the machine runs meanwhile; leastReserve is the least of it.
	reserveShare = 20
	leastReserve = 4 * time.Millisecond
	// stallsKept is the number of the longest stalls that fit into the reserve: one before the search
	// begins, and one at its end.
	stallsKept = 2
	// confirmShare is the divisor of the time that is left after the tree.
	confirmShare = 25
)

// over reports whether the time for the tree, and for the search, is over.
func (t *Timer) over() (tree, all bool) {
	now := time.Since(t.start)
	t.stalled = max(t.stalled, now-t.last)
	t.last = now
	return now >= t.tree, now >= t.all
}

func (m *Machine) nodesPerSecond() float64 {
	if n := m.speed.Load(); n > 0 {
		return float64(n)
	}
	return nodesPerSecond
}

// usualStall is the time for which a busy system often runs other programs before it runs the bot
// again.
const usualStall = 8 * time.Millisecond

func (m *Machine) stalled() time.Duration {
	if d := m.stalls.Load(); d > 0 {
		return time.Duration(d)
	}
	return usualStall
}

// measure keeps what a search that has ended showed of the machine. A stall counts less and less.
func (t *Timer) measure(nodes int) {
	t.over()
	t.machine.stalls.Store(int64(max(t.stalled, t.machine.stalled()*7/8)))
	if nodes >= enoughToMeasure {
		t.machine.speed.Store(int64(float64(nodes) / t.last.Seconds()))
	}
}

// enoughToMeasure is the least number of nodes that show the speed: a search of fewer may meet no
// stall, or last hardly longer than one.
const enoughToMeasure = 1 << 12
