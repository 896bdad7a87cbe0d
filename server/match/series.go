package match

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/engine"
)

// Series is a match's place in a series of matches.
type Series struct {
	Name   string // may be empty
	Number int    // the match's number, from 1; 0: no series
}

// SeriesOf returns the place in a series that a match's labels say. The matches at each table of
// each round are a series of their own, so that no two players have the same seed. The number is
// that of the match or, without one, of the round. A match without labels is the first of its own.
func SeriesOf(labels map[string]string) Series {
	name := strings.TrimRight(labels["series"]+" "+labels["round"]+" "+labels["table"], " ")
	n, err := strconv.Atoi(cmp.Or(labels["match"], labels["round"]))
	if err != nil || n < 1 {
		n = 1
	}
	return Series{Name: name, Number: n}
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
