package plan

import "fmt"

// Shard is a part of a contest that is divided among machines: of n shards, number i plays the blocks b
// with b mod n = i-1. As the tables of an adaptive format depend on all results before, such a contest
// cannot be divided.
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

// Next returns the first match from k on that the shard plays, with this many matches in a block.
func (s Shard) Next(k, matches int) int {
	block := k / matches
	ahead := (s.Number - 1 - block%s.Of + s.Of) % s.Of
	if ahead == 0 {
		return k
	}
	return (block + ahead) * matches
}
