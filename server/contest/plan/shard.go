package plan

import (
	"fmt"
	"math"
)

// Shard is a part of a contest that is divided among machines: of n shards, number i plays the
// stretches s with s mod n = i-1. As the tables of an adaptive format depend on all results before,
// such a contest cannot be divided.
type Shard struct {
	Number int `json:"shard"` // from 1
	Of     int `json:"of"`
}

// Whole is the only shard of a contest that is not divided.
var Whole = Shard{Number: 1, Of: 1}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Number, s.Of) }

// Check returns an error if there is no such shard.
func (s Shard) Check() error {
	if s.Of < 1 || s.Number < 1 || s.Number > s.Of {
		return fmt.Errorf("shard %s: want i/n with 1 ≤ i ≤ n, such as 2/3", s)
	}
	return nil
}

// Next returns the first match from k on that the shard plays, with this many matches in a stretch.
func (s Shard) Next(k, stretch int) int {
	number := k / stretch
	ahead := (s.Number - 1 - number%s.Of + s.Of) % s.Of
	if ahead == 0 {
		return k
	}
	return (number + ahead) * stretch
}

// Matches returns how many of the first matches of a contest the shard plays, with this many
// matches in a stretch.
func (s Shard) Matches(first, stretch int) int {
	whole, rest := first/stretch, first%stretch
	n := (whole + s.Of - s.Number) / s.Of * stretch
	if whole%s.Of == s.Number-1 {
		n += rest
	}
	return n
}

// Of a contest that can be divided, a stretch has as many blocks as give each bot stretchMatches
// matches, so that the three that a bot may fail in before it is not started any more are a tenth
// of them. A small contest has leastStretches all the same, so that a few machines can share it.
const (
	stretchMatches = 30
	leastStretches = 3
)

// Stretch returns how many matches follow each other in a part of a contest that is not divided
// further: whole blocks. Each stretch is independent of all others, also of the failures of bots in
// them, so that the shards of a contest have the results that one run has. A contest that cannot be
// divided is one stretch, as long as an int can say.
func (p *Plan) Stretch() int {
	if p.Count == 0 || p.Format != RoundRobin && p.Format != Gauntlet {
		return math.MaxInt
	}
	blocks := (p.Count + p.Seats - 1) / p.Seats
	usual := (stretchMatches*len(p.Bots) + p.Seats*p.Seats - 1) / (p.Seats * p.Seats)
	return p.Seats * max(1, min(usual, blocks/leastStretches))
}
