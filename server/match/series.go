package match

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/hexarena/hexarena/engine"
)

// Series is a match's place in a series of matches.
type Series struct {
	Name   string // may be empty
	Number int    // the match's number, from 1; 0: no series
}

// seedBits is the size of the seeds that clients get: JavaScript numbers represent all such
// integers exactly.
const seedBits = 53

// Seed returns the seed of a player in the match, an integer below 2^53. It depends only on
// the series, the match and the player's id. A player that derives all its random numbers
// from it plays each match independently of earlier ones.
func (s Series) Seed(id engine.PlayerID) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %d", s.Name, s.Number, id))
	return binary.BigEndian.Uint64(sum[:]) >> (64 - seedBits)
}
