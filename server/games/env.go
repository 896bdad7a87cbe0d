package games

import (
	"iter"
	"math"
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
	// Split returns the inputs of each step of the game that Play returns, for those of a turn.
	Split func(g engine.Game, inputs []engine.Input) [][]engine.Input

	// New returns the view of one match in its part of each array.
	New func(parts [][]byte) EnvView
}

// EnvArray is one array for each match.
type EnvArray struct {
	Name  string
	Type  string // as numpy names it, such as "i4"
	Shape []int
}

// Size returns the size of the array in bytes.
func (a *EnvArray) Size() int {
	size := int(a.Type[1] - '0')
	for _, n := range a.Shape {
		size *= n
	}
	return size
}

// EnvView is one match in arrays.
type EnvView interface {
	// Show writes the state of a game.
	Show(engine.Game)

	// Inputs appends what the players answer in a turn, by id.
	Inputs(dst []engine.Input, actions []byte) []engine.Input

	// Codes sets a player's part of actions, which is 0, to an answer to the state that was shown.
	Codes(actions []byte, in *engine.Input)

	// Alive reports whether a player can still do anything.
	Alive(engine.PlayerID) bool
}

// Elements returns the elements of an array, which is aligned for them.
func Elements[T any](b []byte) []T {
	var one T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(one)))
}

// Leads yields by how much each score is above the best other one.
func Leads(scores []int64) iter.Seq2[int, int64] {
	return func(yield func(int, int64) bool) {
		best, second := int64(math.MinInt64), int64(math.MinInt64)
		for _, n := range scores {
			if n > best {
				best, second = n, best
			} else {
				second = max(second, n)
			}
		}
		for p, n := range scores {
			other := best
			if n == best {
				other = second
			}
			if len(scores) == 1 {
				other = 0
			}
			if !yield(p, n-other) {
				return
			}
		}
	}
}
