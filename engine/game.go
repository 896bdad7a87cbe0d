// Package engine is the contract between a game's rules and everything that
// runs them.
//
// A [Game] is a pure state machine: the same setup and the same inputs give the
// same results and the same bytes, on any machine, for ever. It knows no
// goroutine, clock, log, file or socket; whoever drives it owns it and calls it
// from one goroutine. The packages below this one hold one game each, and
// enginetest holds the suite that each of them passes.
package engine

import "fmt"

// PlayerID numbers the players of a match: special players first, from 0, then
// the others, without gaps.
type PlayerID int32

// NoPlayer is the PlayerID that stands for no player, such as when no player leads.
const NoPlayer PlayerID = -1

// PlayerSet says who has to answer before a turn can end. It is a plain value
// so that naming the players of the next turn costs nothing.
type PlayerSet int32

// The two sets that are not one single player.
const (
	Everyone PlayerSet = -1
	NoOne    PlayerSet = -2
)

// Only is the set that holds p alone.
func Only(p PlayerID) PlayerSet { return PlayerSet(p) }

// Has reports whether p, a valid id, is in s.
func (s PlayerSet) Has(p PlayerID) bool { return s == Everyone || s == PlayerSet(p) }

// Lapse says why an input holds no actions of the player's own making. Lapses
// are recorded, and the rules judge them: a game may ignore or punish one.
type Lapse uint8

// The reasons for which a player did not answer.
const (
	Answered  Lapse = iota // no lapse: the player answered
	TimedOut               // the turn ended first
	Gone                   // the player is disconnected
	Malformed              // the player answered with something unreadable
)

var lapseNames = [...]string{"answered", "timed out", "gone", "malformed"}

func (l Lapse) String() string {
	if int(l) < len(lapseNames) {
		return lapseNames[l]
	}
	return fmt.Sprintf("lapse %d", uint8(l))
}

// Setup is what a game needs to know to begin, beyond its own board.
type Setup struct {
	Players  int    // without the special ones
	Specials int    // special players: ids 0 to Specials-1
	Turns    int    // how many turns are simulated at the most
	Seed     uint64 // for games that draw lots
}

// Input is one player's part of a turn. Inputs come in the order in which they
// are to be applied; a player may appear twice, or not at all.
type Input struct {
	Player  PlayerID
	Turn    int    // the number of the TURN that the player answered
	Actions []byte // JSON array; may be anything at all, and is not retained
	Lapse   Lapse
	// Valid says that Actions is known to be one JSON value without white space
	// around it, so that a game need not check it again.
	Valid bool
	// Prepared is what the game's [Preparer] made of Actions; nil: nothing was made.
	Prepared any
	// Micros is how long the player took, in microseconds, as the match measured
	// it: for whoever is awaited alone, from being asked to the whole answer
	// received. It is recorded, so that games with clocks replay.
	Micros int64
}

// Refusal is one action that had no effect.
type Refusal struct {
	Player PlayerID
	Input  int    // index into the inputs of the turn
	Action int    // index into that input's array; -1 is the input as a whole
	Reason string // short and constant, such as "no such cell"
}

// Preparer is a Game that can read actions before their turn. Actions that are large
// take long to read, and may come from many players at once.
type Preparer interface {
	// Prepare reads actions that are Valid for [Input.Prepared]. It depends on nothing
	// but them, and may be called by any goroutine, also while the game plays.
	Prepare(actions []byte) any
}

// Abridger is a Game that can say less of answers that had no effect.
type Abridger interface {
	// AppendAbridged appends, for the i-th input of the last step, actions of at most
	// limit bytes, kept in number. With these in place of its own, the game refuses them
	// as it refused as many of the input's, for the same reasons, and all else is the
	// same. in is that input. ok is false if any of its actions had an effect. limit
	// is at least 256.
	AppendAbridged(dst []byte, i int, in *Input, limit int) (out []byte, kept int, ok bool)
}

// Result says what a step led to.
type Result struct {
	Await   PlayerSet // who has to answer next
	Winner  PlayerID  // the leader, or the winner of a game that is over; NoPlayer if there is none
	Over    bool      // the game ended by its rules before the last turn
	Reason  string    // why it is over, such as "forfeit"
	Refused []Refusal // in the order of the inputs; valid until the next step
}

// Count is one named figure of a player's account, such as {"cells", 12}.
type Count struct {
	Name  string
	Value int64
}

// Game is one match of one game. A Game is started once; to play again, make
// another one.
type Game interface {
	// Rules names the rules and their version, such as "hexabomb/1". Inputs
	// recorded under one name replay to the same states for ever.
	Rules() string

	// Start puts the pieces on the board. It fails if the board cannot seat
	// the players. It is called once, before anything else.
	Start(Setup) (Result, error)

	// Step plays one turn. It cannot fail: whatever an input holds that makes
	// no sense is refused. Steps after the game is over have no effect.
	Step([]Input) Result

	// AppendState appends the whole state as clients read it: one JSON object
	// without a line feed.
	AppendState([]byte) []byte

	// AppendDelta appends, as one JSON object, what the last step changed;
	// before the first step, what Start set.
	AppendDelta([]byte) []byte

	// AppendTally appends p's account so far. Every player has the same names
	// in the same order; the first is the one that ranks.
	AppendTally(dst []Count, p PlayerID) []Count
}
