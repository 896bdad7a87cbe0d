// Package score counts what a match and a block of matches are worth to a bot.
//
// The score of a match is the share of the opponents that the bot has beaten; a tie is half
// of it. A block is one seed and map, on which a bot plays once in each seat. Its matches
// depend on each other, so statistics take the block's mean for one observation, as chess
// testers do with pairs of games.
package score

// Halves returns twice the number of opponents that a player has beaten, with ties as half:
// an integer from 0 to [Most]. Ranks has each player's rank in the match; lower is better, and
// equal ranks are ties.
func Halves(ranks []int, player int) int {
	halves := 0
	for i, rank := range ranks {
		switch {
		case i == player:
		case rank > ranks[player]:
			halves += 2
		case rank == ranks[player]:
			halves++
		}
	}
	return halves
}

// Ahead returns how far a player is ahead of another one, as an integer from 0 to twice [Most],
// which is Most if both have beaten equally many. It compares two bots that play against others.
func Ahead(ranks []int, player, other int) int {
	return Halves(ranks, player) - Halves(ranks, other) + Most(len(ranks), 1)
}

// Most returns the largest sum of Halves in the given number of matches with this many
// players each.
func Most(players, matches int) int { return 2 * (players - 1) * matches }

// Distribution counts block scores: element i is how often the score was i of len-1, such
// as the number of blocks in which the bot had i halves of len-1. With five elements these are
// the pentanomial frequencies of chess testers, with three wins, draws and losses.
type Distribution []float64

// Value returns the score that element i counts, from 0 to 1.
func (d Distribution) Value(i int) float64 { return float64(i) / float64(len(d)-1) }

// Blocks returns the number of blocks.
func (d Distribution) Blocks() float64 {
	sum := 0.0
	for _, count := range d {
		sum += count
	}
	return sum
}

// Moments returns the mean and the variance of a block's score, with the number of blocks,
// and not one less, as divisor. Both are 0 if there are no blocks.
func (d Distribution) Moments() (mean, variance float64) {
	blocks := d.Blocks()
	if blocks == 0 {
		return 0, 0
	}
	for i, count := range d {
		mean += float64(count * d.Value(i))
	}
	mean /= blocks
	for i, count := range d {
		deviation := d.Value(i) - mean
		variance += float64(count * float64(deviation*deviation))
	}
	return mean, variance / blocks
}

// absence is the count that stands for none in [Distribution.Regular]: small enough to move
// no figure that is printed, large enough for a logarithm. It is that of fishtest's
// server/fishtest/stats/LLRcalc.py, whose results are golden values here.
const absence = 1e-3

// Regular returns the distribution with a small count in place of each 0, so that scores
// which have not occurred are possible.
func (d Distribution) Regular() Distribution {
	regular := make(Distribution, len(d))
	for i, count := range d {
		regular[i] = count
		if count == 0 {
			regular[i] = absence
		}
	}
	return regular
}
