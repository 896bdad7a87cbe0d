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

// Shuffler draws the order of the players, turn by turn.
type Shuffler struct {
	pcg  *rand.PCG
	rng  *rand.Rand
	rank []int // of each player, in this turn
}

// NewShuffler returns a Shuffler for a number of players.
func NewShuffler(players int) *Shuffler {
	pcg := rand.NewPCG(0, 0)
	return &Shuffler{pcg: pcg, rng: rand.New(pcg), rank: make([]int, players)}
}

// sort sorts the answers of a turn into an order that depends only on the seed, the
// turn and the players that answered. Of two answers by one player, the older one
// comes first.
func (s *Shuffler) sort(seed uint64, turn int, answers []Answer) {
	s.Rank(seed, turn)
	slices.SortStableFunc(answers, func(a, b Answer) int {
		if d := s.rank[a.Player] - s.rank[b.Player]; d != 0 {
			return d
		}
		return a.Turn - b.Turn
	})
}

// Rank returns the rank of each player in a turn, which counts the steps before it. The slice is
// valid until the next call.
func (s *Shuffler) Rank(seed uint64, turn int) []int {
	s.pcg.Seed(seed, uint64(turn))
	for i := range s.rank {
		s.rank[i] = i
	}
	s.rng.Shuffle(len(s.rank), func(i, j int) { s.rank[i], s.rank[j] = s.rank[j], s.rank[i] })
	return s.rank
}
