package match

import (
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Watcher is told what happens in a match, in order, by the match's own goroutine,
// which waits for it. Arguments are valid during the call only, unless stated
// otherwise.
type Watcher interface {
	// Joined and Left report that a seat was taken or given up.
	Joined(SeatInfo, Role)
	Left(SeatInfo, Role)
	// Started reports the initial state.
	Started(*Frame)
	// Played reports a turn and the state after it, including the last one.
	Played(*Play)
	// Updated reports settings that the operator changed.
	Updated(Settings)
	// Ended is the last call. The Ending's Err is nil if the match was played to its end.
	Ended(*Ending)
}

// BaseWatcher is a Watcher that ignores everything. A watcher embeds it to implement only the
// methods that it needs.
type BaseWatcher struct{}

// Joined implements Watcher, as do the other methods.
func (BaseWatcher) Joined(SeatInfo, Role) {}
func (BaseWatcher) Left(SeatInfo, Role)   {}
func (BaseWatcher) Started(*Frame)        {}
func (BaseWatcher) Played(*Play)          {}
func (BaseWatcher) Updated(Settings)      {}
func (BaseWatcher) Ended(*Ending)         {}

// Play is one turn that was played.
type Play struct {
	Step    int      // 1 for the first simulated turn
	Answers []Answer // in the order applied, including lapses
	Result  engine.Result
	Frame   *Frame    // the state after the turn; may be retained
	At      time.Time // when the turn was over, before any client was told

	referee Referee
}

// AppendDelta appends the change made by the turn, in the game's own format, or nothing
// if the game has none.
func (p *Play) AppendDelta(dst []byte) []byte { return p.referee.AppendDelta(dst) }

// Ending describes how a match ended. It may be kept.
type Ending struct {
	Err    error // nil if the game was played to its end
	Steps  int
	Winner engine.PlayerID
	Reason string // set by a game that ended before its last turn
	Seats  []SeatInfo

	Settings Settings // in force at the end
}
