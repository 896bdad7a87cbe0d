// Package rating estimates the strengths of bots from the results of matches.
//
// [Fit] makes the table of a contest: the strengths under which the results are most likely,
// with intervals from a bootstrap over blocks. [NewElo] compares one bot with its opponents.
// [Update] keeps standings while matches are played. All results are finite, whatever was played.
package rating

// Result is the result of a match: Bots[i] is the number of a bot and Ranks[i] its rank; lower is
// better, and equal ranks are ties. A bot may have several seats.
type Result struct{ Bots, Ranks []int }

// Block holds the results of the matches of one block, which are not independent.
type Block []Result
