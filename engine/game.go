// Package engine defines the contract between a game's rules and the code that
// runs them.
//
// A [Game] is a pure state machine: the same setup and the same inputs give the
// same results and the same bytes, on every machine and in every later version. It
// has no goroutines, clocks, logs, files or sockets; its owner calls it from one
// goroutine. Each game is a package below this one, and package enginetest holds the
// suite that every game passes.
package engine

import "fmt"

// PlayerID identifies a player of a match. IDs have no gaps: special players come
// first, from 0, then the ordinary ones.
type PlayerID int32

// NoPlayer is the PlayerID that stands for no player, such as when no player leads.
const NoPlayer PlayerID = -1

// PlayerSet is the set of players that must answer before a turn can end. It is a
// plain value, so that naming the players of the next turn costs nothing.
type PlayerSet int32

// The sets that hold all players and no player.
const (
	Everyone PlayerSet = -1
	NoOne    PlayerSet = -2
)

// Only returns the set that holds p alone.
func Only(p PlayerID) PlayerSet { return PlayerSet(p) }

// Has reports whether s holds p, which must be the ID of a player.
func (s PlayerSet) Has(p PlayerID) bool { return s == Everyone || s == PlayerSet(p) }

// Lapse is the reason why an input holds no actions of the player. Lapses are
// recorded and judged by the rules: a game may ignore or punish them.
type Lapse uint8

// The lapses.
const (
	Answered  Lapse = iota // no lapse: the player answered
	TimedOut               // the turn ended first
	Gone                   // the player is disconnected
	Malformed              // the answer was unreadable
)

var lapseNames = [...]string{"answered", "timed out", "gone", "malformed"}

func (l Lapse) String() string {
	if int(l) < len(lapseNames) {
		return lapseNames[l]
	}
	return fmt.Sprintf("lapse %d", uint8(l))
}

// Setup holds what a game needs to start, beyond its own board.
type Setup struct {
	Players  int    // ordinary players
	Specials int    // special players, with the IDs 0 to Specials-1
	Turns    int    // the most turns that are played
	Seed     uint64 // for games with random events
}

// Input is one player's part of a turn. A turn's inputs are in the order in which
// they are to be applied; a player may have several, or none.
type Input struct {
	Player  PlayerID
	Turn    int    // the turn that the player answered
	Actions []byte // should be a JSON array, may be anything; not retained
	Lapse   Lapse
	// Valid reports that Actions is known to be one JSON value without surrounding
	// white space, so that the game need not check it again.
	Valid bool
	// Prepared is the result of [Preparer.Prepare] for Actions, or nil.
	Prepared any
	// Micros is the time that the player took, in microseconds, as measured by the
	// match from asking to receiving the whole answer, if the player was the only one
	// awaited. It is recorded, so that games with clocks can be replayed.
	Micros int64
}

// Refusal is one action that had no effect.
type Refusal struct {
	Player PlayerID
	Input  int    // index into the inputs of the turn
	Action int    // index into that input's array; -1 for the whole input
	Reason string // a short constant text, such as "no such cell"
}

// Preparer is a Game that can parse actions before their turn. Large arrays of
// actions take long to parse, and many players may send them at once.
type Preparer interface {
	// Prepare parses actions that are Valid and returns the value for
	// [Input.Prepared]. It depends on nothing else and may be called from any
	// goroutine, also during a Step.
	Prepare(actions []byte) any
}

// Abridger is a Game that can shorten answers that had no effect.
type Abridger interface {
	// AppendAbridged appends a shorter form of in, the i-th input of the last step:
	// kept actions in at most limit bytes; limit is at least 256. If the step is
	// repeated with them in place of the original actions, the game refuses each of
	// them for the same reason as its original, and nothing else changes. ok is false
	// if any of the original actions had an effect.
	AppendAbridged(dst []byte, i int, in *Input, limit int) (out []byte, kept int, ok bool)
}

// Explainer is a Game that can tell what is wrong with actions that it refused.
type Explainer interface {
	// Explain returns in one line what the reason for which an action of in was refused leaves
	// out: the field at fault and its value, such as
	// "movement": unknown value "up"; it is one of "move", "bomb" or "revive", or the action if
	// no single field is at fault. It returns "" if there is nothing to add, or if players cannot
	// avoid the refusal. Long values are cut. It depends on the rules and the arguments only.
	Explain(in *Input, r *Refusal) string
}

// Describer is a Game that can tell in words what an action does.
type Describer interface {
	// Describe returns a sentence in one line about an action of an answer, such as
	// character 3 moves x+, or "" if the action has not the form that the rules know. Whether the
	// action is possible does not matter. It depends on the rules and the argument only.
	Describe(action []byte) string
}

// Bomber is a Game in which bombs of players kill characters.
type Bomber interface {
	// AppendBombers appends the players whose bombs killed characters of p in the last step, in
	// order of id. p may be one of them.
	AppendBombers(dst []PlayerID, p PlayerID) []PlayerID
}

// Result reports what a step led to.
type Result struct {
	Await   PlayerSet // the players that must answer next
	Winner  PlayerID  // the leader, or the winner once the game is over; NoPlayer without one
	Over    bool      // the rules ended the game before the last turn
	Reason  string    // why the game is over, such as "forfeit"
	Refused []Refusal // in the order of the inputs; valid until the next step
}

// Count is one named figure of a player's tally, such as {"cells", 12}.
type Count struct {
	Name  string
	Value int64
}

// Game is one game between some players. It is started once; a second game needs a
// new Game.
type Game interface {
	// Rules returns the name and version of the rules, such as "hexabomb/1". Inputs
	// recorded under one name replay to the same states in every later version.
	Rules() string

	// Start sets up the board. It returns an error if the board cannot seat the
	// players. It is called once, before the other methods.
	Start(Setup) (Result, error)

	// Step plays one turn. It cannot fail: input that makes no sense is refused. The
	// first step of a match comes before any player was asked and has no inputs,
	// whatever Start awaits: the missing answers are no lapses. Steps after the end of
	// the game have no effect.
	Step([]Input) Result

	// AppendState appends the whole state in the form that clients read: one JSON
	// object without line feeds.
	AppendState([]byte) []byte

	// AppendDelta appends what the last step changed, as one JSON object; before the
	// first step, what Start set up.
	AppendDelta([]byte) []byte

	// AppendTally appends p's counts so far. All players have the same names in the
	// same order; players are ranked by the first.
	AppendTally(dst []Count, p PlayerID) []Count
}

// Restorer is a Game that can go on from the state of another match.
type Restorer interface {
	Game

	// Restore puts the game, whether it has started or not, into the state that AppendState gave
	// after a number of steps of a match with that setup; clients receive it with the turn steps-1,
	// or, if steps is 0, before the first turn. The next steps give the same results and states as
	// in that match; tallies count from here for all that a state does not show. AppendDelta gives
	// the whole of what changes, as after Start. A state that the rules cannot lead to is an error,
	// and changes nothing.
	Restore(setup Setup, steps int, state []byte) (Result, error)

	// Copy returns a game in the same position, which does not change with this one.
	Copy() Game
}
