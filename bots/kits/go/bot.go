// A bot for hexabomb, which uses hexarena.go and hexabomb.go: change Turn and play.
//
//	hexarena play bot.go painter random random
//	go run bot.go hexarena.go hexabomb.go [HOST [PORT]]
package main

import "log"

func main() {
	Run(func(m *Match, _ State) *MyBot { return &MyBot{match: m} })
}

// MyBot paints, drops a bomb now and then, and steps out of danger.
type MyBot struct{ match *Match }

// Turn returns at most one action for each of my characters.
func (b *MyBot) Turn(state State) []Action {
	board := NewBoard(b.match, state)
	for _, c := range board.Mine {
		here, safe := c.At(), board.Free.Minus(board.Danger)
		_, canFlee := b.match.FirstStep(here, board.Free, safe.Minus(board.Blast(here, 3)), 2)
		switch {
		case c.BombCount > 0 && !board.Danger[here] && b.match.Random.Float64() < 0.3 && canFlee:
			board.DropBomb(c, 3, 3) // now and then, if I can step out of its reach in time
		case board.Danger[here]:
			board.Walk(c, board.Free, safe) // out of danger
		default:
			board.Walk(c, safe, board.NotMine) // to the nearest cell that is not mine
		}
	}
	b.match.Debug.Values["cells in danger"] = float64(len(board.Danger))
	return board.Actions
}

// End prints the result.
func (b *MyBot) End(state State, _ int) {
	log.Printf("The match is over. I was player %d, the scores are %v", b.match.PlayerID, state.Score)
}
