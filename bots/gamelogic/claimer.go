//go:build ignore

// A bot for the game of logic.go, which uses hexarena.go: it claims any free cell. Change Turn and
// play.
//
//	hexarena play --game external --logic logic.go claimer.go claimer.go
package main

type board struct {
	Cells []struct{ Owner int }
}

type claim struct {
	Claim int `json:"claim"`
}

func main() {
	Run(func(m *Match, _ board) *claimer { return &claimer{match: m} })
}

type claimer struct{ match *Match }

// Turn returns the number of a free cell.
func (c *claimer) Turn(state board) []claim {
	var free []claim
	for number, cell := range state.Cells {
		if cell.Owner < 0 {
			free = append(free, claim{number})
		}
	}
	if len(free) == 0 {
		return nil
	}
	i := c.match.Random.IntN(len(free))
	return free[i : i+1]
}
