package session

import (
	"net"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/match"
)

// enterLobby makes a client wait for its first seat, and for further ones if it stays. It reports
// false if there will be no more matches.
func (s *Session) enterLobby(c match.Candidate, stays bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == gone {
		return true // the reader will notice
	}
	s.stays, s.candidate = stays, c
	netconn.SetKeepAlive(s.conn.NetConn(), keepAlive)
	s.state = logged
	// before the client can know
	s.log.Info().Str("nickname", c.Nickname).Stringer("role", c.Role).Msg("Client waits for matches")
	s.send(netorcai.AppendLoginAck(nil), nil)
	return s.awaitSeat()
}

// Key returns what identifies a client that waits or has waited for a seat, "" for another one.
func (s *Session) Key() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.candidate.Key
}

// Stays reports whether the client keeps its connection between matches.
func (s *Session) Stays() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stays
}

// keepAlive is how the system checks whether a client that stays is still there: between two
// matches nothing is sent that would show it. One whose machine or network is gone is
// disconnected within a minute.
var keepAlive = net.KeepAliveConfig{
	Enable: true, Idle: 30 * time.Second, Interval: 10 * time.Second, Count: 3,
}

// awaitSeat makes the client wait for a seat. It reports false if there will be no more
// matches. The caller holds mu.
func (s *Session) awaitSeat() bool {
	s.waits = true
	return s.opts.Door.(Lobby).Wait(s, s.candidate)
}

// awaitNextMatch removes a client that stays from a finished match and makes it wait for its
// next seat. A client that still owes an answer waits only after it has sent it, since the
// answer could otherwise be mistaken for one in the next match; it has as much time for that
// as other clients have to read the end of a match. awaitNextMatch reports false if there
// will be no more matches. The caller holds mu.
func (s *Session) awaitNextMatch() bool {
	s.place = nil
	s.dropKept()
	if s.state == thinking {
		_ = s.conn.SetReadDeadline(time.Now().Add(max(s.opts.Linger, s.opts.CloseTimeout)))
		return true
	}
	s.state = logged
	return s.awaitSeat()
}

// answeredLate handles the answer to the last TURN of a finished match, which does not count.
func (s *Session) answeredLate() (fault string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == gone || s.waits {
		return ""
	}
	_ = s.conn.SetReadDeadline(time.Time{})
	s.state = logged
	if !s.awaitSeat() {
		return netorcai.KickFinished
	}
	return ""
}
