package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// How a connection ends: the last bytes must arrive. After the KICK the write
// side is closed, and input is read and thrown away until the peer hangs up;
// closing a socket with unread input would take the KICK back.
const (
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 32 << 20
	// lingerStep is how often a session that is to finish looks whether its client has
	// acknowledged all: often enough for the end of a process not to seem late.
	lingerStep = 5 * time.Millisecond
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
	s.tellFarewell(reason)
	s.opts.Meter.Kicked(reason)
	s.drainedBy = time.Now().Add(drain)
	_ = s.conn.SetWriteDeadline(s.drainedBy)
	_ = s.conn.SetReadDeadline(longAgo) // wakes the reader
	s.send(netorcai.AppendKick(nil, reason), nil)
	if !s.out.writing {
		_ = s.conn.CloseWrite()
		s.flushed()
	}
}

// tellFarewell logs why the client has to go: a warning, unless all clients go since the
// match is over. The caller holds mu.
func (s *Session) tellFarewell(reason string) {
	level, text := zerolog.WarnLevel, "Kicking client"
	if !s.opts.Netorcai && (reason == netorcai.KickFinished || reason == netorcai.KickAbort) {
		level, text = zerolog.InfoLevel, "Disconnecting client"
	}
	s.log.WithLevel(level).Str("nickname", s.nickname).Str("reason", s.opts.Lines.Clip(reason)).Msg(text)
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
	s.flushedAt = time.Now() // unless something is still to be written
	s.farewell = reason
	s.forget()
}

// turnAway ends a connection that sent no first message. One that says nothing
// at all and hangs up, as port scanners do, is not worth a line in the log, but for
// netorcai it is.
func (s *Session) turnAway(err error) {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.kick(fmt.Sprintf(kickDenied+"No LOGIN received within %v", s.opts.LoginTimeout))
	case errors.Is(err, io.EOF) && !s.opts.Netorcai:
		s.log.Debug().Msg("Connection closed without a LOGIN")
		s.mu.Lock()
		defer s.mu.Unlock()
		s.retire("")
	default:
		s.kick(netorcai.KickFirstMessage + err.Error())
	}
}

// flushed notes that the last byte is on its way, from which on the peer's time to hang
// up counts. The caller holds mu.
func (s *Session) flushed() {
	s.flushedAt = time.Now()
	if s.lingers {
		_ = s.conn.SetReadDeadline(longAgo) // wakes the reader
	}
}

// Finish has the session of a client that was kicked end as soon as the client's system
// has acknowledged all that it was sent, since the server is to end.
func (s *Session) Finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finishes = true
	if s.lingers {
		_ = s.conn.SetReadDeadline(longAgo) // wakes the reader
	}
}

// Owes reports whether the client is to have more time to read the end of a match: it
// still owes an answer, or has not taken what it was sent.
func (s *Session) Owes() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.farewell == netorcai.KickFinished && (s.behind || s.out.writing)
}

// linger throws input away until the peer hangs up, has used up its time or, if the
// server is to end, has taken all. A client that was behind is not any more when it
// has sent something and is silent again.
func (s *Session) linger() {
	heard := false
	for s.waitOn() {
		bytes, err := s.conn.Discard(lingerBytes)
		if err == nil {
			return
		}
		heard = heard || bytes > 0
		if heard && bytes == 0 {
			s.mu.Lock()
			s.behind = false
			s.mu.Unlock()
		}
	}
}

// waitOn reports whether the session is to wait on for its peer, and until when, as the
// deadline for reading.
func (s *Session) waitOn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lingers = true
	now := time.Now()
	until := s.lingerUntil()
	if !now.Before(until) || s.finishes && s.taken() {
		return false
	}
	if step := now.Add(lingerStep); s.finishes && step.Before(until) {
		until = step
	}
	_ = s.conn.SetReadDeadline(until)
	return true
}

// lingerUntil is when the peer's time to hang up is over. One that owes an answer when
// the game is over reads on only when it has sent that, and an answer to a closed socket
// could take back what it has not read. The caller holds mu.
func (s *Session) lingerUntil() time.Time {
	switch {
	case s.out.writing: // what ends that wakes the reader, which it should not need
		return s.drainedBy.Add(lingerTime)
	case s.behind:
		return s.flushedAt.Add(max(s.opts.Linger, lingerTime))
	}
	return s.flushedAt.Add(lingerTime)
}

// taken reports whether the peer has all that it was sent, and owes nothing that it is to
// have time for. The caller holds mu.
func (s *Session) taken() bool {
	if s.out.writing || s.behind && s.opts.Linger > 0 {
		return false
	}
	bytes, known := s.conn.Unacked()
	return known && bytes == 0
}

// Close ends the connection at once, whatever is still to be sent.
func (s *Session) Close() { _ = s.conn.Close() }
