package match

import (
	"errors"

	"github.com/hexarena/hexarena/engine"
)

// Referee runs the rules for a match: a game in this process answers at once,
// one at the other end of a wire later, late or never.
type Referee interface {
	// Ready is ErrNoReferee while the match cannot start.
	Ready() error
	// Begin sets the board. If done is false, the outcome comes on Results.
	Begin(engine.Setup) (o Outcome, done bool)
	// Play plays a turn. If done is false, the outcome comes on Results.
	Play([]engine.Input) (o Outcome, done bool)
	// Results is where outcomes that took their time arrive, with at most one
	// under way. It is nil for a referee that always answers at once.
	Results() <-chan Outcome
	// AppendState appends the state that the last outcome led to.
	AppendState([]byte) []byte
	// AppendDelta appends what the last outcome changed, as the game writes it;
	// nothing if that is not known.
	AppendDelta([]byte) []byte
	// Close says that the match is over: nil, or why it could not go on.
	Close(err error)
}

// ErrNoPlayers is why a match is not started in which players have seats and take none.
var ErrNoPlayers = errors.New("no player is connected")

// ErrNoReferee is why a match cannot start whose rules are to come over a wire
// and have not.
var ErrNoReferee = errors.New("nobody runs the rules yet")

// Outcome is what Begin or Play came to. With Err set the match cannot go on.
type Outcome struct {
	engine.Result
	Err error
}

// Local is the referee for a game in this process. The match owns the game.
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

// preparer returns what reads the actions for a referee before their turn, or nil.
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
