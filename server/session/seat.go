package session

import (
	"errors"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
)

// Welcome implements match.Seat.
func (s *Session) Welcome(p *match.Place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.place, s.waits = p, false
	if s.state == gone {
		return // the reader will leave the place
	}
	first := s.state == fresh
	s.state, s.asked, s.over = logged, -1, -1
	s.nickname = p.Nickname // may differ from the requested one
	s.log = s.logOf(p.Log())
	s.form = playerForm
	if p.Role == match.Visualization {
		s.form = visualizationForm
	}
	if first { // otherwise the LOGIN_ACK was sent earlier
		s.send(netorcai.AppendLoginAck(nil), nil)
	}
}

// Begin implements match.Seat.
func (s *Session) Begin(f *match.Frame, id engine.PlayerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == gone {
		return
	}
	s.state = ready
	s.player = int(id)
	if id != engine.NoPlayer && !s.opts.Netorcai {
		s.log = s.log.With().Int("player_id", int(id)).Logger()
	}
	msg, err := s.form.gameStarts(f, id, s.stays, s.place.Seed)
	if err != nil {
		s.departLocked(netorcai.KickSendGameStarts + err.Error())
		return
	}
	s.traceSent("GAME_STARTS to client", msg)
	s.send(msg, nil)
}

// Offer implements match.Seat. A client that is thinking, or that has not yet read what
// it was sent, gets the newest TURN later; the end of the game is sent at once.
func (s *Session) Offer(f *match.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.state == gone:
	case f.Moment == match.Ended:
		s.dropKept()
		s.sendFrame(f, netorcai.KickSendGameEnds)
	case s.state == thinking || s.out.writing:
		s.dropKept()
		f.Retain()
		s.kept = f
		s.tellOver()
	default:
		s.dropKept() // the TURN that would be sent after an answer which is being handled
		s.ask(f)
	}
}

// ErrTooMany is the reason to kick a connection that has not logged in when its port has
// too many connections.
var ErrTooMany = errors.New("too many connections")

var errLogicTaken = errors.New("a game logic is already connected")

// ErrOperator is the reason to kick a client that the operator does not want to have connected.
var ErrOperator = errors.New("the operator has disconnected the bot")

// ErrVersion is the reason to kick a client that says another version than the one that plays for
// it.
var ErrVersion = errors.New("another version plays here, which was frozen")

// Kick implements match.Seat. After an abort, and when a connection makes room for
// another one, the client has only a short time to read it.
func (s *Session) Kick(reason error) {
	drain := max(s.opts.DrainTimeout, s.opts.Linger)
	if reason == match.ErrAborted || reason == ErrTooMany {
		drain = min(drain, abortTime)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if reason == match.ErrFinished && s.stays && s.place != nil && s.state != gone &&
		s.awaitNextMatch() {
		return
	}
	s.kickLocked(reasons[reason], drain)
}

// KickReplaced is the reason for a KICK when the player has connected again.
const KickReplaced = "Another connection took the seat"

// reasons maps the match's reasons to netorcai's texts.
var reasons = map[error]string{
	match.ErrStarted:  netorcai.KickStarted,
	match.ErrPlayers:  netorcai.KickPlayersFull,
	match.ErrSpecials: netorcai.KickSpecialPlayersFull,
	match.ErrVisus:    netorcai.KickVisusFull,
	errLogicTaken:     netorcai.KickGameLogicTaken,
	match.ErrFinished: netorcai.KickFinished,
	match.ErrAborted:  netorcai.KickAbort,
	match.ErrReplaced: KickReplaced,
	ErrTooMany:        "Too many connections",
	ErrOperator:       "The operator has disconnected the bot",
	ErrVersion: "Versions are frozen, and the bot says another one than the one that plays: " +
		"connect that one",
}

// refusalOf returns the kick reason for a client that does not get a seat.
func refusalOf(err error) string {
	if text, known := reasons[err]; known {
		return text
	}
	return kickDenied + err.Error()
}

// askKept sends the TURN that was kept, if the client is ready for it. The caller holds
// mu.
func (s *Session) askKept() {
	if f := s.kept; f != nil && s.state == ready && !s.out.writing {
		s.kept = nil
		s.ask(f)
		f.Release()
	}
}

// ask sends a TURN. The caller holds mu.
func (s *Session) ask(f *match.Frame) {
	now := time.Now() // before the client can answer
	if s.sendFrame(f, netorcai.KickSendTurn) {
		s.state, s.asked, s.askedAt = thinking, f.Turn, now
	}
}

// tellOver tells a client that wants to know it that its turn is over, once. The caller holds mu.
func (s *Session) tellOver() {
	if s.turnOver && s.state == thinking && s.over != s.asked {
		s.over = s.asked
		s.send(netorcai.AppendTurnOver(nil, s.asked), nil)
	}
}

// sendFrame sends a frame in the session's form and reports whether it could. If the
// frame cannot be encoded, the client departs with fault and the error as the reason.
// The caller holds mu.
func (s *Session) sendFrame(f *match.Frame, fault string) bool {
	msg, err := f.In(s.form)
	if err != nil {
		s.departLocked(fault + err.Error())
		return false
	}
	if f.Moment == match.Ended {
		s.traceSent("GAME_ENDS to client", msg)
	} else {
		s.traceSent("TURN to client", msg)
	}
	s.send(msg, f)
	return true
}

// dropKept drops the TURN that was kept. The caller holds mu.
func (s *Session) dropKept() {
	if s.kept != nil {
		s.kept.Release()
		s.kept = nil
	}
}
