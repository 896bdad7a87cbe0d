package hextictactoe

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// TestThousandGames checks that every move is legal in a thousand games between all bots.
func TestThousandGames(t *testing.T) {
	thorough.Long(t)
	games := 1000
	if short() {
		games = 30
	}
	names := Describe()
	seeds := make(chan uint64)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for seed := range seeds {
				c := Contest{Options: rules.Defaults(), Nodes: [2]int{128, 128}, Seed: seed, Turns: 40}
				for side := range c.Bots {
					// Only one game in ten is between two threat bots, which are slow.
					which := int(seed) / (1 + 2*side) % len(names)
					if seed%10 != 0 && side == 1 {
						which = 1 + int(seed)%(len(names)-1)
					}
					c.Bots[side], _ = New(names[which].Name)
				}
				c.Options.Setup = Opening(seed)
				if out, err := c.Play(t.Context()); err != nil || strings.HasPrefix(out.Reason, "forfeit") || len(out.Moves) == 0 {
					t.Errorf("seed %d: %q, %v after %d moves", seed, out.Reason, err, len(out.Moves))
				}
			}
		})
	}
	for seed := range uint64(games) {
		seeds <- seed
	}
	close(seeds)
	workers.Wait()
}

// Opening returns a position after two random moves: x has three pieces, o two, and o is to
// move.
func Opening(seed uint64) *rules.Position {
	random := rand.New(rand.NewPCG(seed, 0x6f70656e))
	p := &rules.Position{ToMove: rules.O, Pieces: []rules.Piece{{Side: rules.X}}}
	for len(p.Pieces) < 5 {
		c := rules.Coord{Q: random.IntN(9) - 4, R: random.IntN(9) - 4}
		side := rules.O
		if len(p.Pieces) >= 3 {
			side = rules.X
		}
		taken := false
		for _, other := range p.Pieces {
			taken = taken || other.Coord == c
		}
		if !taken {
			p.Pieces = append(p.Pieces, rules.Piece{Coord: c, Side: side})
		}
	}
	return p
}
