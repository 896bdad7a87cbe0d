//go:build ignore

// A bot for hexabomb that looks ahead: it tries bombs out, and drops those that pay. It uses
// hexarena.go and hexabomb.go.
//
//	hexarena play look_ahead.go painter random random
//	go run look_ahead.go hexarena.go hexabomb.go [HOST [PORT]]
package main

import (
	"log"
	"slices"
	"time"
)

const (
	turns = 5 // that it looks ahead: the turn of a bomb, and its longest delay
	gain  = 8 // cells that a bomb must gain: it may gain more in a later turn
	life  = 8 // cells that a character is worth: while it is dead, it paints none for some turns
)

func main() {
	Run(func(m *Match, _ State) *MyBot {
		simulator, err := NewSimulator(m, "hexabomb")
		must(err)
		return &MyBot{m, simulator}
	})
}

// must ends the bot after an error of the simulator, which says all.
func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// MyBot paints, steps out of danger, and tries each bomb out before it drops one.
type MyBot struct {
	match     *Match
	simulator *Simulator
}

// Turn returns at most one action for each of my characters.
func (b *MyBot) Turn(state State) []Action {
	must(b.simulator.Load())
	must(b.simulator.Save("now"))
	var bombs []Bomb
	best := b.walk(state, nil)
	most := b.worth(best)
	for _, c := range NewBoard(b.match, state).Mine {
		before := bombs
		for delay := 2; delay <= 4 && c.BombCount > 0; delay++ {
			if left, limited := b.match.TimeLeft(); limited && left < 100*time.Millisecond {
				return best
			}
			tried := append(slices.Clone(before), Bomb{Range: 4, Delay: delay, Q: c.Q, R: c.R})
			actions := b.walk(state, tried)
			if worth := b.worth(actions); worth >= most+gain {
				best, bombs, most = actions, tried, worth
			}
		}
	}
	b.match.Debug.Values["lead in five turns"] = float64(most)
	return best
}

// worth returns my lead after some turns, in which I act like this and then walk, and others stand.
func (b *MyBot) worth(actions []Action) int {
	var state State
	me := b.match.PlayerID
	must(b.simulator.Restore("now"))
	for range turns {
		all := make([][]Action, len(b.simulator.Score))
		all[me] = actions
		must(b.simulator.Step(all))
		state = State{}
		must(b.simulator.State(&state))
		if b.simulator.Over {
			break
		}
		actions = b.walk(state, nil)
	}
	most := 0
	for player, n := range state.CellCount {
		if player != me {
			most = max(most, n)
		}
	}
	lead := state.CellCount[me] - most
	for _, c := range state.Characters {
		switch {
		case c.Alive && c.Color == me+1:
			lead += life
		case c.Alive:
			lead -= life
		}
	}
	return lead
}

// walk returns actions that drop my bombs and lead the others out of danger, or to cells that are not
// mine.
func (b *MyBot) walk(state State, bombs []Bomb) []Action {
	board := NewBoard(b.match, state)
	dropped := map[Coord]bool{}
	for _, c := range board.Mine {
		for _, bomb := range bombs {
			if bomb.At() == c.At() {
				board.DropBomb(c, bomb.Range, bomb.Delay)
				dropped[c.At()] = true
			}
		}
	}
	for _, c := range board.Mine {
		here, safe := c.At(), board.Free.Minus(board.Danger)
		switch {
		case dropped[here]:
		case board.Danger[here]:
			board.Walk(c, board.Free, safe)
		default:
			board.Walk(c, safe, board.NotMine)
		}
	}
	return board.Actions
}

// End prints the result.
func (b *MyBot) End(state State, _ int) {
	_ = b.simulator.Close()
	log.Printf("The match is over. I was player %d, the scores are %v", b.match.PlayerID, state.Score)
}
