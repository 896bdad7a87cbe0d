package games

import (
	"unsafe"

	"github.com/hexarena/hexarena/engine"
)

// Env describes the states and actions of matches that are alike as arrays.
type Env struct {
	Actions EnvArray   // what all players answer; it has no name
	Arrays  []EnvArray // what shows the state
	About   any        // what does not change, as JSON

	// Play returns the game that is played in place of a new one, with Steps steps for each turn; nil
	// stands for the game itself.
	Play  func(engine.Game) engine.Game
	Steps int

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

// Elements returns the elements of an array, which is aligned for them.
func Elements[T any](b []byte) []T {
	var one T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(one)))
}
