package hextictactoe

import (
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
				if out, err := c.Play(t.Context()); err != nil || strings.HasPrefix(out.Reason, "forfeit") ||
					len(out.Moves) == 0 {
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
