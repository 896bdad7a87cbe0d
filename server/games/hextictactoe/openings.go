package hextictactoe

import (
	_ "embed"
	"fmt"
	"os"

	"github.com/hexarena/hexarena/config"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
)

// balanced is the value of --openings for the positions that come with the game.
const balanced = "balanced"

// balancedOpenings holds 300 positions, one a line, of which none is another one turned or
// mirrored. TestBalancedOpenings of the bots chooses them.
//
//go:embed openings.ndjson
var balancedOpenings string

// BalancedOpenings returns the positions that come with the game.
func BalancedOpenings() []*rules.Position {
	list, err := parseOpenings(balancedOpenings)
	if err != nil {
		panic(err) // they are part of the program
	}
	return list
}

// newCup is games.Game.NewCup: it adds the balanced openings, unless rows are of another length or
// pieces may be placed elsewhere. Then they need not be balanced, or even have no winner.
func newCup(v config.Values) config.Values {
	usual := rules.Defaults()
	if v.Given("openings") || v.Int("view-distance") != usual.ViewDistance ||
		v.Int("win-distance") != usual.WinDistance {
		return v
	}
	return v.Give("openings", balanced, "new cups of the game")
}

// readOpenings reads the positions of a file, or those that come with the game.
func readOpenings(path string) ([]*rules.Position, error) {
	text := balancedOpenings
	if path != balanced {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		text = string(data)
	}
	list, err := parseOpenings(text)
	if err != nil {
		return nil, fmt.Errorf("%s, %w", path, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s contains no position", path)
	}
	return list, nil
}
