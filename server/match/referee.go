package match

import (
	"errors"

	"github.com/hexarena/hexarena/engine"
)

// Referee runs the rules for a match. A game in this process answers at once; a game
// logic that is connected over a network answers later, or not at all.
type Referee interface {
	// Ready returns nil if the match can start, or ErrNoReferee.
	Ready() error
	// Begin makes the initial state. If done is false, the outcome is sent on Results.
	Begin(engine.Setup) (o Outcome, done bool)
	// Play plays a turn. If done is false, the outcome is sent on Results.
	Play([]engine.Input) (o Outcome, done bool)
	// Results returns the channel on which delayed outcomes arrive, at most one at a
	// time. It is nil for a referee that always answers at once.
	Results() <-chan Outcome
	// AppendState appends the state after the last outcome.
	AppendState([]byte) []byte
	// AppendDelta appends the change made by the last outcome, in the game's own format,
	// or nothing if that is not known.
	AppendDelta([]byte) []byte
	// Close ends the match. err is nil, or why the match could not go on.
	Close(err error)
}

// Rules are what the watchers of a match ask of its rules, in the match's goroutine and after the
// initial state was made. An [engine.Game] and a [Logic] have them.
type Rules interface {
	// Rules returns the name and version of the rules, as engine.Game does. A game logic may
	// have none.
	Rules() string
	// AppendTally appends a player's counts so far, as engine.Game does. The counts of a game
	// logic are the scores that it sends, if it sends any.
	AppendTally(dst []engine.Count, p engine.PlayerID) []engine.Count
}

// Logic is the rules of a game logic, in a program of their own: a match cannot be repeated
// without it.
type Logic interface {
	Rules
	// View returns how the states are drawn, a netorcai.View as JSON, or nil.
	View() []byte
}

// ErrNoPlayers is returned when a match that has seats for players is started without any.
var ErrNoPlayers = errors.New("no player is connected")

// ErrNoReferee is returned when a match whose rules come from a game logic over the
// network is started while none is connected.
var ErrNoReferee = errors.New("no game logic is connected")

// Outcome is the result of Begin or Play. If Err is set, the match cannot go on.
type Outcome struct {
	engine.Result
	Err error
}

// Local returns a referee for a game in this process. The match owns the game.
func Local(g engine.Game) Referee { return local{g} }

type local struct{ game engine.Game }

func (l local) Ready() error { return nil }

func (l local) Begin(s engine.Setup) (Outcome, bool) {
	r, err := l.game.Start(s)
	return Outcome{Result: r, Err: err}, true
}

func (l local) Play(in []engine.Input) (Outcome, bool) {
	return Outcome{Result: l.game.Step(in)}, true
}

// preparer returns the engine.Preparer of a referee's game, or nil.
func preparer(r Referee) engine.Preparer {
	if l, ok := r.(local); ok {
		if p, ok := l.game.(engine.Preparer); ok {
			return p
		}
	}
	return nil
}

func (l local) Results() <-chan Outcome       { return nil }
func (l local) AppendState(dst []byte) []byte { return l.game.AppendState(dst) }
func (l local) AppendDelta(dst []byte) []byte { return l.game.AppendDelta(dst) }

func (l local) Close(error) {}
