package games

import "github.com/hexarena/hexarena/engine"

// Env describes the states and actions of matches that are alike as arrays.
type Env struct {
	Actions []int      // the shape of the actions of all players, a byte each
	Arrays  []EnvArray // what shows the state
	About   any        // what does not change, as JSON

	// New returns the view of one match in its part of each array.
	New func(parts [][]byte) EnvView
}

// EnvArray is one array for each match.
type EnvArray struct {
	Name  string
	Type  string // as numpy names it, such as "i4"
	Shape []int
}

// EnvView is one match in arrays.
type EnvView interface {
	// Show writes the state of a game.
	Show(engine.Game)

	// Inputs appends what the players answer in a turn, by id.
	Inputs(dst []engine.Input, actions []byte) []engine.Input

	// Alive reports whether a player can still do anything.
	Alive(engine.PlayerID) bool
}
