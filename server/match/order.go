package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Order is the order in which the answers of a turn are applied.
type Order uint8

const (
	// Arrival is netorcai's rule: the answer that arrives first is applied first.
	Arrival Order = iota
	// Seeded applies them in a permutation of the players that is drawn from the seed
	// for each turn, so that a bot's network latency does not matter and a match can be
	// replayed.
	Seeded
)

// ParseOrder returns the order with the given name, "arrival" or "seeded".
func ParseOrder(name string) (Order, error) {
	switch name {
	case "arrival":
		return Arrival, nil
	case "seeded":
		return Seeded, nil
	}
	return 0, fmt.Errorf("order %q is neither arrival nor seeded", name)
}

// The random streams of a match's seed: turn t has stream t, the ids have idStream.
const idStream = 1 << 63

// shuffler draws the order of the players, turn by turn.
type shuffler struct {
	pcg  *rand.PCG
	rng  *rand.Rand
	rank []int // of each player, in this turn
}

func newShuffler(players int) *shuffler {
	pcg := rand.NewPCG(0, 0)
	return &shuffler{pcg: pcg, rng: rand.New(pcg), rank: make([]int, players)}
}

// sort sorts the answers of a turn into an order that depends only on the seed, the
// turn and the players that answered. Of two answers by one player, the older one
// comes first.
func (s *shuffler) sort(seed uint64, turn int, answers []Answer) {
	s.pcg.Seed(seed, uint64(turn))
	for i := range s.rank {
		s.rank[i] = i
	}
	s.rng.Shuffle(len(s.rank), func(i, j int) { s.rank[i], s.rank[j] = s.rank[j], s.rank[i] })
	slices.SortStableFunc(answers, func(a, b Answer) int {
		if d := s.rank[a.Player] - s.rank[b.Player]; d != 0 {
			return d
		}
		return a.Turn - b.Turn
	})
}
