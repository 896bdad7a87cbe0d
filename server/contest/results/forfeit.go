package results

import (
	"cmp"
	"slices"
)

// The kinds of forfeits in rows. A bot that played to the end has none.
const (
	Absent = "absent" // it never logged in
	Crash  = "crash"  // it ended with an error before the match did
	Left   = "left"   // it hung up, or was thrown out
	Hung   = "hung"   // it missed several turns in a row, after which the match did not wait for it
	// Unstarted is the forfeit of a bot that was not started, since it had failed too often.
	Unstarted = "unstarted"
)

// Kinds are the kinds of forfeits, in the order in which tables show them.
var Kinds = []string{Absent, Crash, Left, Hung, Unstarted}

// TookPart reports whether a bot with a forfeit of this kind, "" for none, was there for some of
// the match: others rank below all that were.
func TookPart(kind string) bool { return kind != Absent && kind != Unstarted }

// Failed reports whether a bot with a forfeit of this kind, "" for none, has failed in the match
// itself: one that was not started did so in earlier ones.
func Failed(kind string) bool { return kind != "" && kind != Unstarted }

// New returns the row of a match that has no result yet.
func New(k int, seed uint64, board string, bots []string) *Row {
	n := len(bots)
	return &Row{
		K: k, Seed: seed, Map: board, Bots: bots, Scores: make([]int64, n), Refused: make([]int, n),
		Forfeits: make([]string, n),
	}
}

// Rank sets the rank of each seat, from 1, with ties: those that played to the end by their scores,
// below them those that left, by theirs, and last those that were never there, who tie.
func (r *Row) Rank() {
	r.Ranks = make([]int, len(r.Bots))
	for i := range r.Ranks {
		r.Ranks[i] = 1
		for j := range r.Ranks {
			if r.better(j, i) {
				r.Ranks[i]++
			}
		}
	}
}

// Ranked reports whether the ranks are those that Rank sets.
func (r *Row) Ranked() bool {
	other := *r
	other.Rank()
	return slices.Equal(other.Ranks, r.Ranks)
}

// better reports whether seat i ranks above seat j.
func (r *Row) better(i, j int) bool {
	order := cmp.Compare(class(r.Forfeits[i]), class(r.Forfeits[j]))
	if order == 0 && TookPart(r.Forfeits[i]) {
		order = cmp.Compare(r.Scores[j], r.Scores[i])
	}
	return order < 0
}

// class orders bots by the kinds of their forfeits.
func class(kind string) int {
	switch {
	case kind == "":
		return 0
	case TookPart(kind):
		return 1
	}
	return 2
}
