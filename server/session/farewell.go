package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// How a connection ends: the last bytes must arrive. After the KICK the write
// side is closed, and input is read and thrown away until the peer hangs up;
// closing a socket with unread input would take the KICK back.
const (
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 32 << 20
	// drainTime is how long a peer may take to read what it was sent, when
	// there is time; after an abort there is none.
	drainTime = 5 * time.Second
	abortTime = 500 * time.Millisecond
)

// kickDenied begins the reasons for which a LOGIN is refused.
const kickDenied = "LOGIN denied: "

// kickFailed is why a client has to go for whom the server panicked.
const kickFailed = "Internal error: the server's log says more"

var longAgo = time.Unix(1, 0)

// kick tells the client why it has to go.
func (s *Session) kick(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dismiss(reason, drainTime)
}

// dismiss tells the client why it has to go, once, and gives it some time to
// read that. It never waits; the reader then stops listening. The caller holds
// mu. The log has the line before the client can know.
func (s *Session) dismiss(reason string, drain time.Duration) {
	if s.state == gone {
		return
	}
	s.behind = s.state == thinking && reason == netorcai.KickFinished
	s.retire(reason)
	s.log.Warn().Str("nickname", s.nickname).Str("reason", s.opts.Lines.Clip(reason)).Msg("Kicking client")
	s.opts.Meter.Kicked(reason)
	_ = s.conn.SetWriteDeadline(time.Now().Add(drain))
	_ = s.conn.SetReadDeadline(longAgo) // wakes the reader
	s.send(netorcai.AppendKick(nil, reason), nil)
	if !s.out.writing {
		_ = s.conn.CloseWrite()
		s.flushed()
	}
}

// drop ends a session whose client cannot be told why, since it does not read.
// The caller holds mu.
func (s *Session) drop(reason string) {
	if s.state == gone {
		return
	}
	s.retire(reason)
	s.log.Warn().Str("nickname", s.nickname).Str("reason", s.opts.Lines.Clip(reason)).Msg("Dropping client")
	s.opts.Meter.Kicked(reason)
	_ = s.conn.SetReadDeadline(longAgo) // wakes the reader
}

// retire notes that the client is gone. The caller holds mu.
func (s *Session) retire(reason string) {
	s.state = gone
	s.opts.Slot.Leave()
	s.farewell = reason
	s.forget()
}

// turnAway ends a connection that sent no first message. One that says nothing
// at all and hangs up, as port scanners do, is not worth a line in the log.
func (s *Session) turnAway(err error) {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.kick(fmt.Sprintf(kickDenied+"No LOGIN received within %v", s.opts.LoginTimeout))
	case errors.Is(err, io.EOF):
		s.log.Debug().Msg("Connection closed without a LOGIN")
		s.mu.Lock()
		defer s.mu.Unlock()
		s.retire("")
	default:
		s.kick(netorcai.KickFirstMessage + err.Error())
	}
}

// flushed bounds the peer's time to hang up, when the last byte is on its way.
// The caller holds mu.
func (s *Session) flushed() {
	if s.lingers {
		_ = s.conn.SetReadDeadline(time.Now().Add(s.lingerTime()))
	}
}

// lingerTime is for the peer to hang up, when all it was sent is on its way. One that
// owes an answer when the game is over reads on only when it has sent that, and an
// answer to a closed socket would take back what it has not read. The caller holds mu.
func (s *Session) lingerTime() time.Duration {
	if s.behind {
		return drainTime
	}
	return lingerTime
}

// linger throws input away until the peer hangs up.
func (s *Session) linger() {
	s.mu.Lock()
	s.lingers = true
	wait := s.lingerTime()
	if s.out.writing {
		wait += drainTime
	}
	_ = s.conn.SetReadDeadline(time.Now().Add(wait))
	s.mu.Unlock()
	s.conn.Discard(lingerBytes)
}

// Close ends the connection at once, whatever is still to be sent.
func (s *Session) Close() { _ = s.conn.Close() }
