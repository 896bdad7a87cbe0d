// A bot for hexabomb, which uses hexarena.go: change Turn and play.
//
//	hexarena play bot.go painter random random
//	go run bot.go hexarena.go [HOST [PORT]]
package main

import (
	"fmt"
	"math"
	"os"
)

func main() {
	Run(func(m *Match, _ State) *MyBot { return &MyBot{match: m} })
}

// MyBot paints, drops a bomb now and then, and steps out of danger.
type MyBot struct{ match *Match }

// Turn returns at most one action for each of my characters.
func (b *MyBot) Turn(state State) (actions []Action) {
	mine := b.match.PlayerID + 1 // my colour
	board, notMine, taken, danger := Cells{}, Cells{}, Cells{}, Cells{}
	for _, c := range state.Cells {
		board[c.At()] = true
		notMine[c.At()] = c.Color != mine
	}
	for _, c := range state.Characters {
		if c.Alive {
			taken[c.At()] = true
		}
	}
	for _, bomb := range state.Bombs {
		taken[bomb.At()] = true
		for c := range blast(bomb.At(), bomb.Range, board) {
			danger[c] = true // sooner or later
		}
	}

	for _, c := range state.Characters {
		here := c.At()
		switch {
		case c.Color != mine:
			continue
		case !c.Alive:
			if c.ReviveDelay == 0 && b.match.NbSpecialPlayers == 0 {
				actions = append(actions, Revive{ID: c.ID})
			}
			continue
		}
		free := board.Minus(taken)

		// Drop a bomb now and then, if I could step out of its reach in time.
		reach := blast(here, 3, board)
		_, canFlee := b.match.FirstStep(here, free, free.Minus(danger, reach), 2)
		if c.BombCount > 0 && canFlee && !danger[here] && b.match.Random.Float64() < 0.3 {
			actions = append(actions, DropBomb{ID: c.ID, BombRange: 3, BombDelay: 3})
			for c := range reach {
				danger[c] = true
			}
			continue
		}

		// Get out of danger; otherwise walk to the nearest cell that is not mine.
		safe := free.Minus(danger)
		direction, ok := b.match.FirstStep(here, safe, notMine, math.MaxInt)
		if danger[here] {
			direction, ok = b.match.FirstStep(here, free, safe, math.MaxInt)
		}
		if ok {
			actions = append(actions, Move{ID: c.ID, Direction: direction})
			taken[here.Neighbour(direction)] = true
		}
	}
	b.match.Debug.Values["cells in danger"] = float64(len(danger))
	return actions
}

// End prints the result.
func (b *MyBot) End(state State, _ int) {
	fmt.Fprintf(os.Stderr, "The match is over. I was player %d, the scores are %v\n", b.match.PlayerID, state.Score)
}

// blast returns the cells that a bomb covers: its own and six lines.
func blast(bomb Coord, reach int, board Cells) Cells {
	covered := Cells{bomb: true}
	for _, d := range Directions {
		for _, c := range bomb.Ray(d, reach, board) {
			covered[c] = true
		}
	}
	return covered
}
