package match

import (
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
)

// Role is the part that a client takes in a match.
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

// Seat is how a match reaches a client, over whatever wire. The match calls it from
// its own goroutine, and its methods must not block.
type Seat interface {
	// Welcome tells the client that it has a seat. From then on its answers go to p.
	Welcome(p *Place)
	// Begin tells the client that the match starts, and its id, which is engine.NoPlayer
	// for a visualization.
	Begin(f *Frame, id engine.PlayerID)
	// Offer sends the newest frame. It replaces a frame that the seat could not send
	// yet.
	Offer(f *Frame)
	// Kick says goodbye after everything that was offered. The reason is ErrFinished,
	// ErrAborted or ErrReplaced; each wire has its own words for it.
	Kick(reason error)
}

// Candidate describes a client that asks for a seat.
type Candidate struct {
	Role     Role
	Nickname string
	Remote   string // the client's address
	Key      string // identifies a client that reconnects; if empty, nickname and address do
	Builtin  bool   // a bot of this program, which has no name of its own
	Reserved bool   // one of the seats that Options.Reserved keeps is for the client
	Version  string // a digest of its code, as the client says; may be empty
	Language string // in which it is written, as the client says; may be empty
	// of the random choices of a bot that was started for the seat; 0: drawn from the series
	Seed     uint64
	Debugger bool // a debugger is attached to it, as the client says
	Person   bool // a person plays, who is not asked what was decided in the past
	// no deadline holds for it: turns wait for its answers, whose times are not measured
	Untimed bool
	Number  int // orders the players of a match whose ids are not drawn; see Options.InOrder

	Since time.Time // when it logged in; zero: it is of one match only
}

// Replaces reports whether a client may have the place of another one with its key: a connection
// that stays, and comes again after a match, does not replace a later login.
func (c *Candidate) Replaces(other *Candidate) bool { return !c.Since.Before(other.Since) }

// Namer chooses the names of players. The match's goroutine calls it.
type Namer interface {
	// Name returns the name for a candidate, which asks for Nickname, in a match in
	// which the names in taken are in use.
	Name(c Candidate, taken []string) string
}

// SeatInfo is what others are told about a seat.
type SeatInfo struct {
	Candidate
	ID        engine.PlayerID // engine.NoPlayer until the match starts, and for visualizations
	Connected bool
	Reason    string // why it is not connected any more
}

// Place is a taken seat as the match keeps it, and the seat's way back to the
// match. Its fields belong to the match's goroutine.
type Place struct {
	SeatInfo
	match *Match
	seat  Seat
	asked string // the nickname that the client asked for
	// answered is the number of the newest TURN that the player answered.
	answered int
	// the newest TURN whose time was over before the player answered, while the turn stayed open
	missed int
	left   time.Time    // when it left
	lapse  engine.Lapse // what a turn that a disconnected player owes counts as
}

// Log returns the match's log, whose lines name the match.
func (p *Place) Log() zerolog.Logger { return p.match.opts.Log }

// Answer passes in the actions for a turn and what the player shows beside them (nil
// for nothing). Each must be one valid JSON value without surrounding white space. The
// match keeps both until it has offered the second TURN after the newest one, and they must not be
// changed before that. took is how long the player thought, as measured by its wire;
// for a player that is awaited alone, the match's own clock counts. Answers of a
// visualization are ignored. Large actions are parsed before Answer returns, in the
// caller's goroutine.
func (p *Place) Answer(turn int, actions, debug []byte, took time.Duration) {
	if p.Role == Visualization { // Role never changes, so any goroutine may read it
		return
	}
	e := event{
		kind: answered, place: p, turn: turn, actions: actions, debug: debug, took: took, at: time.Now(),
	}
	if r := p.match.preparer.Load(); r != nil && len(actions) > prepareFrom {
		e.ready = (*r).Prepare(actions)
	}
	p.match.post(e)
}

// prepareFrom is the size of actions, in bytes, from which on the caller of Answer
// parses them. Smaller ones, as ordinary players send them, are parsed faster than
// passed on.
const prepareFrom = 1 << 10

// Leave reports that the client is gone, and why.
func (p *Place) Leave(reason string) {
	p.match.post(event{kind: left, place: p, lapse: engine.Gone, reason: reason})
}

// Vacate is like Leave, and returns when the seat is free: who learns of it afterwards finds the
// match without the client.
func (p *Place) Vacate(reason string) {
	p.match.ask(func() { p.match.leave(p, engine.Gone, reason) })
}

// Forfeit is like Leave for a player whose answer could not be parsed or that broke
// its wire's protocol: the turn that it owes counts as malformed.
func (p *Place) Forfeit(reason string) {
	p.match.post(event{kind: left, place: p, lapse: engine.Malformed, reason: reason})
}
