package hextictactoe

import (
	"strings"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
)

// builtinNames returns the names of the built-in players of hexagonal tic-tac-toe.
func builtinNames() (names []string) {
	for _, d := range bots.Describe() {
		names = append(names, d.Name)
	}
	return names
}

// judgeNames returns the built-in players that judge games: each at its strongest.
func judgeNames() (names []string) {
	for _, name := range builtinNames() {
		if !strings.Contains(name, ":") {
			names = append(names, name)
		}
	}
	return names
}
