package session

import (
	"fmt"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
)

// Door gives seats to clients that have logged in. The error is one of the match's
// reasons, or one whose text is for the client.
type Door interface {
	Join(match.Seat, match.Candidate) (*match.Place, error)
}

// Lobby is a Door that gives clients seats in one match after another. A client that stays waits in
// it for its first seat and, after each match, for the next one; one that is held waits for its
// only seat.
type Lobby interface {
	Door
	// Wait registers a client that waits for a seat; Welcome is called when it has one. Wait
	// returns at once, and reports false if there will be no more matches.
	Wait(match.Seat, match.Candidate) bool
	// Forget removes a client that is gone. If it is just being given a seat, it leaves the
	// seat for the given reason, and Forget returns when that is free again.
	Forget(seat match.Seat, reason string)
}

// Gate decides which clients may log in. The error's text is for the client. Error,
// nickname and key contain no secret.
type Gate interface {
	Login(netorcai.Login) (nickname, key string, err error)
}

// login reads the first message and takes the seat that it asks for. It returns a
// function that reads and handles one message, returning a fault, and a function that ends
// the session because of a fault. Both are nil if the client was refused.
func (s *Session) login() (handle func() (fault string), leave func(fault string)) {
	content, err := s.read(netorcai.FirstLimit)
	if err != nil {
		s.arrived(fmt.Errorf("no LOGIN came: %w", err))
		s.refuse(err)
		return nil, nil
	}
	login, err := netorcai.ParseLogin(content)
	if err != nil {
		s.arrived(err)
		s.kick(netorcai.KickFirstMessage + err.Error())
		return nil, nil
	}
	s.setReadDeadline(time.Time{})
	s.allowance = s.opts.Allow.of(login.Role)
	key := ""
	if s.opts.Gate != nil {
		if login.Nickname, key, err = s.opts.Gate.Login(login); err != nil {
			s.arrived(err)
			s.kick(kickDenied + err.Error())
			return nil, nil
		}
	}
	s.arrived(nil)
	// without a check, the match could start with a player that is being kicked
	if !s.opts.Slot.Keep() {
		s.Kick(ErrTooMany)
		return nil, nil
	}
	s.mu.Lock()
	s.nickname, s.turnOver = login.Nickname, login.TurnOver && !s.opts.Netorcai
	s.mu.Unlock()
	if login.Role == netorcai.RoleGameLogic {
		return s.logicLogin()
	}
	candidate := match.Candidate{
		Role:     roles[login.Role],
		Nickname: login.Nickname,
		Remote:   s.conn.RemoteAddr().String(),
		Key:      key,
		Since:    time.Now(),
	}
	if !s.opts.Netorcai {
		candidate.Version, candidate.Language, candidate.Debugger = login.Code, login.Language, login.Debugger
	}
	if lobby, ok := s.opts.Door.(Lobby); ok && (login.Stay || s.opts.Hold) && !s.opts.Netorcai {
		if !s.enterLobby(candidate, login.Stay) {
			s.kick(netorcai.KickFinished)
			return nil, nil
		}
		return s.handleAnswer, func(fault string) {
			s.leave(fault,
				func(reason string) { lobby.Forget(s, reason) })
		}
	}
	if _, err := s.opts.Door.Join(s, candidate); err != nil {
		s.kick(refusalOf(err))
		return nil, nil
	}
	return s.handleAnswer, func(fault string) { s.leave(fault, nil) }
}

// arrived tells that the client is here, and why it may not log in, if it may not.
func (s *Session) arrived(refused error) {
	if s.opts.Arrived != nil {
		s.opts.Arrived(s.conn.RemoteAddr().String(), refused)
	}
}

// leave ends the session of a client for a fault, unless it was kicked before: it calls forget
// unless that is nil, and gives up the client's seat. The caller kicks the client by kickDeparted.
func (s *Session) leave(fault string, forget func(reason string)) {
	reason := s.depart(fault)
	if forget != nil {
		forget(reason)
	}
	s.mu.Lock()
	place := s.place
	s.mu.Unlock()
	if place != nil {
		place.Vacate(reason)
	}
}

// logicLogin is login for a game logic. It is refused if the game is built in.
func (s *Session) logicLogin() (handle func() (fault string), leave func(fault string)) {
	var l *Logic
	if s.opts.Logic != nil {
		l = s.opts.Logic(s.conn.RemoteAddr().String())
	}
	err := errLogicTaken
	if l != nil {
		err = l.join(s)
	}
	if err != nil {
		s.kick(reasons[err])
		return nil, nil
	}
	s.in.trust()
	handle = func() string {
		content, err := s.receive()
		return l.receive(content, err)
	}
	return handle, func(fault string) { l.lose(s, fault) }
}

var roles = map[netorcai.Role]match.Role{
	netorcai.RolePlayer:        match.Player,
	netorcai.RoleSpecialPlayer: match.Special,
	netorcai.RoleVisualization: match.Visualization,
}
