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
	Number int    // of the match, from 1; 0: there is no series
}

// seedBits is the size of seeds that clients are told: all such integers are numbers of
// JavaScript.
const seedBits = 53

// Seed returns the seed of a player in the match, an integer below 2^53. It depends on the
// series, the match and the player's id only, so that a player that draws all its random
// numbers from it plays a match as if there had been none before.
func (s Series) Seed(id engine.PlayerID) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %d", s.Name, s.Number, id))
	return binary.BigEndian.Uint64(sum[:]) >> (64 - seedBits)
}
