package hextictactoe

import (
	"context"
	"math/bits"
	"time"
)

// level limits how far a bot looks ahead.
type level struct {
	depth   int  // depth of the tree in moves
	most    int  // the most nodes
	veto    bool // discard moves after which the other side has an attack
	prove   bool // look for attacks with the solver
	timed   bool // search until a Timer ends it
	learned bool // use the learned evaluation, with LearnedNodes or more
}

// Levels of threat. The strongest uses all of its time.
var (
	easy   = level{depth: 1, most: 256, veto: true}
	medium = level{depth: 2, most: 1 << 12, veto: true}
	hard   = level{
		depth: Deepest, most: mostNodes, veto: true, prove: true, timed: true, learned: true,
	}
)

// Limits of a budget, in nodes.
const (
	leastNodes = 1 << 7  // enough to try each move once
	usualNodes = 1 << 16 // if the time is unknown
	mostNodes  = 1 << 22 // more than any machine needs for the longest time
)

// nodes returns the number of nodes that the bot may use for a question.
func (l level) nodes(q *Question) int {
	n := q.Nodes
	if n == 0 {
		n = usualNodes
	}
	return min(max(n, leastNodes), l.most)
}

// Clock is the time that a bot has, as far as it is known.
type Clock struct {
	Left      time.Duration // for the next move, or for all remaining moves
	Increment time.Duration // added to Left after each move
	PerMove   bool          // Left is for the next move only
}

const (
	// movesToGo is the number of moves that a side may still have to make: in most games it
	// makes 10 to 20, in few more than 40.
	movesToGo = 40
	// mostThinking is the longest time that people like to wait for a move.
	mostThinking = 2 * time.Second
	// nodesPerSecond is the speed of an old or busy core. Faster cores leave time unused, which
	// keeps answers reproducible.
	nodesPerSecond = 200_000
	// slack is the factor by which an answer may exceed its planned time before it is cut off.
	slack = 4
)

// SetTime sets a question's nodes as a clock allows, and a limit for machines that would
// be too slow for them. Equal clocks give equal nodes, and so do most clocks that differ
// a little.
func (q *Question) SetTime(c Clock) {
	plan, most := c.share(), c.Left/4
	if c.PerMove {
		most = c.Left * 3 / 4
		plan = min(c.Left/slack, mostThinking)
	}
	q.Nodes = stepped(int(plan.Seconds() * nodesPerSecond))
	q.Limit = min(max(slack*plan, time.Millisecond), most)
}

// share returns the time for a move of a clock that is for all remaining moves.
func (c Clock) share() time.Duration {
	return min(c.Left/movesToGo+c.Increment*3/4, mostThinking, c.Left/4)
}

// stepped rounds n down to a power of two or one and a half times a power of two.
func stepped(n int) int {
	n = max(n, leastNodes)
	power := 1 << (bits.Len(uint(n)) - 1)
	if n >= power+power/2 {
		return power + power/2
	}
	return power
}

// WithLimit returns a context that also ends at the question's limit.
func (q *Question) WithLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	if q.Limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, q.Limit)
}
