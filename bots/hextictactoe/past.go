package hextictactoe

// Past holds the nodes of a game's timed answers, by the number of pieces that were on the board.
// Questions with as many pieces repeat these answers. The zero value repeats none.
type Past map[int]Spent

// Add adds the nodes of a recorded answer, unless they are numbers that no Timer gives.
func (p Past) Add(pieces int, s Spent) {
	if s.Plan >= leastNodes && s.Plan <= mostNodes && s.Tree >= 0 && s.All >= 0 {
		p[pieces] = s
	}
}

// Repeat gives a question the nodes of the game's answer, whatever its clock, and no limit; ok is
// false if the past has no answer to it.
func (p Past) Repeat(q *Question) (ok bool) {
	s, ok := p[len(q.Board.Pieces())]
	if ok {
		q.Spent, q.Timer, q.Limit = s, nil, 0
	}
	return ok
}
