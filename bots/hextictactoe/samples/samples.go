// Package samples holds games of hexagonal tic-tac-toe for tests and examples, in
// the notation: games.txt, which `hexarena play --openings` reads as well. Their
// tags say how they end.
package samples

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/protocol/htttx"
)

//go:embed games.txt
var text string

// Games are the games of the file, in its order.
func Games() []htttx.Record {
	var games []htttx.Record
	for _, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		r, err := htttx.ParseNotation(part)
		if err != nil {
			panic(fmt.Sprintf("game %d of games.txt: %v", len(games)+1, err)) // a test reads it
		}
		games = append(games, r)
	}
	return games
}
