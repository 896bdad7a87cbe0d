// Package samples holds games of hexagonal tic-tac-toe in the notation, for tests and
// examples. The file games.txt can also be read by `hexarena play --openings`. Tags say
// how the games end.
package samples

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/hexarena/hexarena/protocol/htttx"
)

//go:embed games.txt
var text string

// Games returns the games of the file in order.
func Games() []htttx.Record {
	var games []htttx.Record
	for _, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		r, err := htttx.ParseNotation(part)
		if err != nil {
			panic(fmt.Sprintf("game %d of games.txt: %v", len(games)+1, err)) // cannot happen: a test parses the file
		}
		games = append(games, r)
	}
	return games
}
