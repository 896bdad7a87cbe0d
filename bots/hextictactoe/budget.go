package hextictactoe

import (
	"context"
	"math/bits"
	"time"
)

// level is how much a bot looks ahead.
type level struct {
	depth int // moves of the tree
	most  int // nodes
}

// Levels of threat. The strongest uses the time that it has.
var (
	easy   = level{depth: 1, most: 256}
	medium = level{depth: 2, most: 1 << 12}
	hard   = level{depth: Deepest, most: mostNodes}
)

// Bounds of a budget, in nodes.
const (
	leastNodes = 1 << 7  // to look at each move once
	usualNodes = 1 << 16 // when nothing is known of the time
	mostNodes  = 1 << 22 // the longest thinking, on a machine faster than any
)

// nodes returns how many nodes the bot may use for a question.
func (l level) nodes(q *Question) int {
	n := q.Nodes
	if n == 0 {
		n = usualNodes
	}
	return min(max(n, leastNodes), l.most)
}

// Clock is the time that a bot has, as far as it knows.
type Clock struct {
	Left      time.Duration // for the next move, or for all moves that are to come
	Increment time.Duration // that each move adds to what is left
	PerMove   bool          // Left is for the next move alone
}

const (
	// movesToGo is how many moves a side may still have to make: in most games it makes
	// 10 to 20, in few more than 40.
	movesToGo = 40
	// mostThinking is how long people like to wait for a move.
	mostThinking = 2 * time.Second
	// nodesPerSecond is what a core tries that is not new, or not free: others are
	// faster, and the time that they do not use keeps answers reproducible.
	nodesPerSecond = 200_000
	// slack is how much longer than planned an answer may take before it is cut off.
	slack = 4
)

// SetTime gives a question the nodes that a clock allows, and a limit on top for
// machines that need too long for them. Equal clocks give equal nodes; clocks that
// differ a little mostly do.
func (q *Question) SetTime(c Clock) {
	plan, most := c.Left/movesToGo+c.Increment*3/4, c.Left/4
	if c.PerMove {
		plan, most = c.Left/slack, c.Left*3/4
	}
	plan = min(plan, mostThinking, most)
	q.Nodes = stepped(int(plan.Seconds() * nodesPerSecond))
	q.Limit = min(max(slack*plan, time.Millisecond), most)
}

// stepped returns n rounded down to a power of two, or to one and a half of it.
func stepped(n int) int {
	n = max(n, leastNodes)
	power := 1 << (bits.Len(uint(n)) - 1)
	if n >= power+power/2 {
		return power + power/2
	}
	return power
}

// Within returns a context that ends with the question's limit as well.
func (q *Question) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	if q.Limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, q.Limit)
}
