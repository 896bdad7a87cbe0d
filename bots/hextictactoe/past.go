package hextictactoe

// Past holds the nodes of a game's answers, by the number of pieces that were on the board.
// Questions with as many pieces repeat these answers. The zero value repeats none.
type Past map[int]Spent

// Repeat gives a question the nodes of the game's answer, whatever its clock, and no limit; ok is
// false if the past has no answer to it.
func (p Past) Repeat(q *Question) (ok bool) {
	s, ok := p[len(q.Board.Pieces())]
	if ok {
		q.Spent, q.Nodes, q.Timer, q.Limit = s, s.Plan, nil, 0
	}
	return ok
}
