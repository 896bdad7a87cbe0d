package sim

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/engine/hexgrid"
	"github.com/hexarena/hexarena/server/games"
)

// plan is what happens in a world, as far as it is drawn before it begins.
type plan struct {
	players int
	radius  int // of the board
	turns   int
}

// newPlan draws a plan.
func newPlan(rng *rand.Rand) *plan {
	return &plan{players: 5 + rng.IntN(5), radius: 2 + rng.IntN(2), turns: 5 + rng.IntN(11)}
}

func (p *plan) String() string {
	return fmt.Sprintf("%d players, a board of radius %d, %d turns", p.players, p.radius, p.turns)
}

// cast starts the actors.
func (p *plan) cast(w *World) {
	w.act("operator", operate(p))
	for i := range p.players {
		host := fmt.Sprintf("10.0.1.%d", 1+i/2)
		w.act(fmt.Sprintf("bot%02d", i), honest(host, anyQuality(w.rand(fmt.Sprint("quality ", i)))))
	}
}

// anyQuality draws how good a connection is.
func anyQuality(rng *rand.Rand) quality {
	least := between(rng, 10*time.Microsecond, 20*time.Millisecond)
	return quality{
		least: least, most: least + between(rng, 10*time.Microsecond, 20*time.Millisecond),
		window: 512 << rng.IntN(8), split: rng.IntN(5),
	}
}

// game returns what is played.
func (p *plan) game() games.Instance {
	b := board(p.radius, p.players)
	return games.Instance{New: func() engine.Game { return hexabomb.New(b) }}
}

// board returns a hexagon of that radius with one character for each player.
func board(radius, players int) *hexabomb.Map {
	b := &hexabomb.Map{}
	for q := -radius; q <= radius; q++ {
		for r := -radius; r <= radius; r++ {
			c := hexgrid.Coord{Q: q, R: r}
			if hexgrid.Distance(c, hexgrid.Coord{}) > radius {
				continue
			}
			b.Cells = append(b.Cells, c)
			if len(b.Starts) < players {
				b.Starts = append(b.Starts, []hexgrid.Coord{c})
			}
		}
	}
	return b
}
