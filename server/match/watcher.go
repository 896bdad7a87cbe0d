package match

import (
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Watcher is told what happens in a match, in order, by the match's own
// goroutine: what it does, the match waits for. What it is handed is valid
// during the call only, unless it says otherwise.
type Watcher interface {
	// Joined and Left tell of seats taken and given up.
	Joined(SeatInfo, Role)
	Left(SeatInfo, Role)
	// Started shows the board as it is set.
	Started(*Frame)
	// Played shows a turn and the board after it, the last one included.
	Played(*Play)
	// Ended is the last call. The error is nil when the match came to its end.
	Ended(*Ending)
}

// SettingsWatcher is a Watcher that wants to know of settings that the operator
// changes.
type SettingsWatcher interface {
	Watcher
	// Updated tells what they are now.
	Updated(Settings)
}

// Play is one turn that was played.
type Play struct {
	Step    int      // 1 for the first turn that was simulated
	Answers []Answer // in the order applied, lapses included
	Result  engine.Result
	Frame   *Frame    // the board after it; may be retained
	At      time.Time // when it was over, before anybody was told

	referee Referee
}

// AppendDelta appends what the turn changed, as the game writes it, or nothing
// if the game does not say.
func (p *Play) AppendDelta(dst []byte) []byte { return p.referee.AppendDelta(dst) }

// Ending is how a match ended. It may be kept.
type Ending struct {
	Err    error // nil: the game was played to its end
	Steps  int
	Winner engine.PlayerID
	Reason string // of a game that ended before its last turn
	Seats  []SeatInfo

	Settings Settings // in force at the end
}
