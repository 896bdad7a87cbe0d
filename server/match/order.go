package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Order is the order in which the answers of a turn are applied.
type Order uint8

const (
	// Arrival is the original rule: who answers first comes first.
	Arrival Order = iota
	// Seeded draws a permutation of the players from the seed for each turn,
	// so that the speed of a bot's wire does not matter and a match can be
	// played again.
	Seeded
)

// ParseOrder is the order with that name, "arrival" or "seeded".
func ParseOrder(name string) (Order, error) {
	switch name {
	case "arrival":
		return Arrival, nil
	case "seeded":
		return Seeded, nil
	}
	return 0, fmt.Errorf("order %q is neither arrival nor seeded", name)
}

// The streams that are drawn from a match's seed. Turn t has stream t.
const idStream = 1 << 63

// lots draws the order of the players, turn by turn.
type lots struct {
	pcg  *rand.PCG
	rng  *rand.Rand
	rank []int // of each player, in this turn
}

func newLots(players int) *lots {
	pcg := rand.NewPCG(0, 0)
	return &lots{pcg: pcg, rng: rand.New(pcg), rank: make([]int, players)}
}

// sort puts the answers of a turn into an order that depends on nothing but the
// seed, the turn and who answered. Of two answers by one player, the older one
// comes first.
func (l *lots) sort(seed uint64, turn int, answers []Answer) {
	l.pcg.Seed(seed, uint64(turn))
	for i := range l.rank {
		l.rank[i] = i
	}
	l.rng.Shuffle(len(l.rank), func(i, j int) { l.rank[i], l.rank[j] = l.rank[j], l.rank[i] })
	slices.SortStableFunc(answers, func(a, b Answer) int {
		if d := l.rank[a.Player] - l.rank[b.Player]; d != 0 {
			return d
		}
		return a.Turn - b.Turn
	})
}
