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
	s.form = s.opts.Codec.player
	if p.Role == match.Visualization {
		s.form = s.opts.Codec.visualization
	}
	s.send(netorcai.AppendLoginAck(nil), nil)
}

// Begin implements match.Seat.
func (s *Session) Begin(f *match.Frame, id engine.PlayerID) {
	s.mu.Lock()
	if s.state == gone {
		s.mu.Unlock()
		return
	}
	s.state = ready
	msg, err := s.opts.Codec.gameStarts(f, id, s.form)
	if err == nil {
		s.send(msg, nil)
	}
	s.mu.Unlock()
	if err != nil {
		s.kick(netorcai.KickSendGameStarts + err.Error())
	}
}

// Offer implements match.Seat: a client that thinks gets the newest TURN when
// it has answered, and the end of the game at once.
func (s *Session) Offer(f *match.Frame) {
	s.mu.Lock()
	var err error
	switch {
	case s.state == gone:
	case f.Moment == match.Ended:
		s.forget()
		err = s.show(f)
	case s.state == thinking:
		s.forget()
		f.Retain()
		s.kept = f
	default:
		err = s.ask(f)
	}
	s.mu.Unlock()
	if err != nil {
		what := netorcai.KickSendTurn
		if f.Moment == match.Ended {
			what = netorcai.KickSendGameEnds
		}
		s.kick(what + err.Error())
	}
}

var errLogicTaken = errors.New("there is a game logic already")

// Kick implements match.Seat.
func (s *Session) Kick(reason error) { s.kick(reasons[reason]) }

// reasons are the match's reasons in netorcai's words.
var reasons = map[error]string{
	match.ErrStarted:  netorcai.KickStarted,
	match.ErrPlayers:  netorcai.KickPlayersFull,
	match.ErrSpecials: netorcai.KickSpecialPlayersFull,
	match.ErrVisus:    netorcai.KickVisusFull,
	errLogicTaken:     netorcai.KickGameLogicTaken,
	match.ErrFinished: netorcai.KickFinished,
	match.ErrAborted:  netorcai.KickAbort,
}

// ask sends a TURN. The caller holds mu.
func (s *Session) ask(f *match.Frame) error {
	now := time.Now() // before the client can answer
	err := s.show(f)
	if err == nil {
		s.state, s.asked, s.askedAt = thinking, f.Turn, now
	}
	return err
}

// show sends a frame in the session's form. The caller holds mu.
func (s *Session) show(f *match.Frame) error {
	msg, err := f.In(s.form)
	if err == nil {
		s.send(msg, f)
	}
	return err
}

// forget drops the TURN that was kept. The caller holds mu.
func (s *Session) forget() {
	if s.kept != nil {
		s.kept.Release()
		s.kept = nil
	}
}
