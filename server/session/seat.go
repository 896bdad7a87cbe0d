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
	if s.state == gone {
		return
	}
	s.state = logged
	s.nickname = p.Nickname // which may not be the one that it asked for
	s.log = s.logOf(p.Log())
	s.form = s.opts.Codec.player
	if p.Role == match.Visualization {
		s.form = s.opts.Codec.visualization
	}
	s.send(netorcai.AppendLoginAck(nil), nil)
}

// Begin implements match.Seat.
func (s *Session) Begin(f *match.Frame, id engine.PlayerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == gone {
		return
	}
	s.state = ready
	if id != engine.Nobody {
		s.log = s.log.With().Int("player_id", int(id)).Logger()
	}
	msg, err := s.opts.Codec.gameStarts(f, id, s.form)
	if err != nil {
		s.dismiss(netorcai.KickSendGameStarts+err.Error(), drainTime)
		return
	}
	s.send(msg, nil)
}

// Offer implements match.Seat: a client that thinks, or that has not read yet
// what it was sent, gets the newest TURN later, and the end of the game at once.
func (s *Session) Offer(f *match.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.state == gone:
	case f.Moment == match.Ended:
		s.forget()
		s.show(f, netorcai.KickSendGameEnds)
	case s.state == thinking || s.out.writing:
		s.forget()
		f.Retain()
		s.kept = f
	default:
		s.forget() // what an answer was about to bring
		s.ask(f)
	}
}

// ErrTooMany is why a connection that has not logged in is told to go when its port is
// full.
var ErrTooMany = errors.New("too many connections")

var errLogicTaken = errors.New("there is a game logic already")

// Kick implements match.Seat. After an abort, and when a connection has to make room
// for another, there is no time to lose.
func (s *Session) Kick(reason error) {
	drain := max(drainTime, s.opts.Linger)
	if reason == match.ErrAborted || reason == ErrTooMany {
		drain = abortTime
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dismiss(reasons[reason], drain)
}

// reasons are the match's reasons in netorcai's words.
var reasons = map[error]string{
	match.ErrStarted:  netorcai.KickStarted,
	match.ErrPlayers:  netorcai.KickPlayersFull,
	match.ErrSpecials: netorcai.KickSpecialPlayersFull,
	match.ErrVisus:    netorcai.KickVisusFull,
	errLogicTaken:     netorcai.KickGameLogicTaken,
	match.ErrFinished: netorcai.KickFinished,
	match.ErrAborted:  netorcai.KickAbort,
	match.ErrReplaced: "Another connection took the seat",
	ErrTooMany:        "Too many connections",
}

// refusalOf is what a client is told that gets no seat.
func refusalOf(err error) string {
	if text, known := reasons[err]; known {
		return text
	}
	return kickDenied + err.Error()
}

// askKept sends the TURN that was kept, if the client is ready for it. The
// caller holds mu.
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
	if s.show(f, netorcai.KickSendTurn) {
		s.state, s.asked, s.askedAt = thinking, f.Turn, now
	}
}

// show sends a frame in the session's form. A client to whom it cannot be sent
// is kicked for that. The caller holds mu.
func (s *Session) show(f *match.Frame, fault string) bool {
	msg, err := f.In(s.form)
	if err != nil {
		s.dismiss(fault+err.Error(), drainTime)
		return false
	}
	s.send(msg, f)
	return true
}

// forget drops the TURN that was kept. The caller holds mu.
func (s *Session) forget() {
	if s.kept != nil {
		s.kept.Release()
		s.kept = nil
	}
}
