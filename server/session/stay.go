package session

import (
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
)

// enter has a client that stays wait for its first seat. It reports false if there will be
// no more matches.
func (s *Session) enter(c match.Candidate) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == gone {
		return true // the reader finds out
	}
	s.stays, s.candidate = true, c
	s.state = logged
	s.log.Info().Str("nickname", c.Nickname).Stringer("role", c.Role).Msg("Client waits for matches") // before it can know
	s.send(netorcai.AppendLoginAck(nil), nil)
	return s.wait()
}

// wait has the client wait for a seat. The caller holds mu.
func (s *Session) wait() bool {
	s.waits = true
	return s.opts.Door.(Lobby).Wait(s, s.candidate)
}

// rest takes a client that stays out of a match that is over. One that still owes an answer
// waits for its next seat when it has sent that, for which it has as long as others have to
// read the end of a match: else its answer could be taken for one in the next match. It
// reports false if there will be no more matches. The caller holds mu.
func (s *Session) rest() bool {
	s.place = nil
	s.dropKept()
	if s.state == thinking {
		_ = s.conn.SetReadDeadline(time.Now().Add(max(s.opts.Linger, lingerTime)))
		return true
	}
	s.state = logged
	return s.wait()
}

// answeredLate handles the answer to the last TURN of a match that is over, which counts no
// more.
func (s *Session) answeredLate() (fault string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == gone || s.waits {
		return ""
	}
	_ = s.conn.SetReadDeadline(time.Time{})
	s.state = logged
	if !s.wait() {
		return netorcai.KickFinished
	}
	return ""
}
