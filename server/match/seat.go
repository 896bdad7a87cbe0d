package match

import (
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
)

// Role is what somebody who joins a match wants to be.
type Role uint8

// The roles.
const (
	Player Role = iota
	Special
	Visualization
)

func (r Role) String() string {
	return [...]string{"player", "special player", "visualization"}[r]
}

// Seat is how a match reaches somebody who takes part, over whatever wire. The
// match calls it from its own goroutine, and none of its methods may block.
type Seat interface {
	// Welcome says that the seat is taken. Answers go to the place from then on.
	Welcome(p *Place)
	// Begin says that the match starts, and as whom the seat plays: Nobody
	// for a visualization.
	Begin(f *Frame, id engine.PlayerID)
	// Offer hands over the newest frame. A frame that the seat could not send
	// yet gives way to it.
	Offer(f *Frame)
	// Kick says goodbye after all that was offered. The reason is ErrFinished,
	// ErrAborted or ErrReplaced; wires have their own words for it.
	Kick(reason error)
}

// Candidate is who asks for a seat.
type Candidate struct {
	Role     Role
	Nickname string
	Remote   string // the address it came from
	Key      string // who comes back with it gets its seat; empty: by nickname and address
}

// Namer says what players are called. It is called by the match's own goroutine.
type Namer interface {
	// Name returns what a candidate, which asks for Nickname, is called in a match in
	// which these names are taken.
	Name(c Candidate, taken []string) string
}

// SeatInfo is what others are told of a seat.
type SeatInfo struct {
	Candidate
	ID        engine.PlayerID // Nobody until the match starts, and for visualizations
	Connected bool
	Reason    string // why it is not connected any more
}

// Place is a taken seat as the match keeps it, and the seat's way back to the
// match. Its fields belong to the match's goroutine.
type Place struct {
	SeatInfo
	match *Match
	seat  Seat
	asked string // the nickname that it asked for
	// answered is the number of the newest TURN that the player answered.
	answered int
	left     time.Time    // when it left
	lapse    engine.Lapse // what a turn that the player owes counts as, once it is gone
}

// Log is the match's log, whose lines say which match it is.
func (p *Place) Log() zerolog.Logger { return p.match.log }

// Answer hands in the actions for a turn, and what the player shows beside them,
// nil for nothing: each one JSON value without white space around it, which its wire
// has made sure of. They are kept until the match has offered the next turn but
// one, and must not be changed before that. took is how long the player thought,
// as its wire saw it; for whoever is awaited alone, the match's own clock counts.
// What a visualization answers is nobody's business. Large actions are read before it
// returns, so that the match does not have to.
func (p *Place) Answer(turn int, actions, debug []byte, took time.Duration) {
	if p.Role == Visualization { // which never changes, so that any goroutine may ask
		return
	}
	e := event{kind: answered, place: p, turn: turn, actions: actions, debug: debug, took: took, at: time.Now()}
	if r := p.match.preparer; r != nil && len(actions) > prepareFrom {
		e.ready = r.Prepare(actions)
	}
	p.match.post(e)
}

// prepareFrom is the size of actions, in bytes, from which on they are read by the
// caller of Answer: those of honest players are read faster than handed over.
const prepareFrom = 1 << 10

// Leave says that nobody is at the other end any more, and why.
func (p *Place) Leave(reason string) {
	p.match.post(event{kind: left, place: p, lapse: engine.Gone, reason: reason})
}

// Forfeit is Leave for a player whose answer could not be read, or who broke the
// rules of its wire: what it owes counts as malformed.
func (p *Place) Forfeit(reason string) {
	p.match.post(event{kind: left, place: p, lapse: engine.Malformed, reason: reason})
}
