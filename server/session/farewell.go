package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/netconn"
)

// A connection ends so that its last bytes arrive: after the KICK the write side is
// closed, and input is read and dropped until the peer closes its side. Closing a socket
// with unread input would reset the connection, and the peer might lose the KICK.
const (
	// default of Options.CloseTimeout; netorcai's process is gone by then
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 32 << 20
	// lingerStep is how often a session that is to finish checks whether its client has
	// acknowledged everything: often enough not to delay the end of the process.
	lingerStep = 5 * time.Millisecond
	// ackTime is the time that the program netorcai waits at its end for a client to acknowledge what
	// it was sent: systems delay that by 40 ms.
	ackTime = 50 * time.Millisecond
	// quietTime is for how long a client that owed an answer has sent nothing when the answer is taken
	// to be whole: systems send a lost packet again after 200 ms.
	quietTime = 250 * time.Millisecond
	// drainTime is the default of Options.DrainTimeout, and abortTime limits it if the match was
	// aborted.
	drainTime = 5 * time.Second
	abortTime = 500 * time.Millisecond
)

// kickDenied is the start of the reasons for which a LOGIN is refused.
const kickDenied = "LOGIN denied: "

// kickFailed is the reason when serving the client panicked.
const kickFailed = "Internal error: see the server's log"

var longAgo = time.Unix(1, 0)

// kick kicks the client with the given reason.
func (s *Session) kick(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kickLocked(reason, s.opts.DrainTimeout)
}

// kickLocked sends the client a KICK, once, and gives it the time drain to read it. It
// never blocks; the reader then stops. The caller holds mu.
func (s *Session) kickLocked(reason string, drain time.Duration) {
	if s.state == gone {
		return
	}
	s.markGone(reason)
	s.sendKick(drain)
}

// sendKick logs why the client is gone and sends it a KICK. The reason is logged before the client
// can know. The caller holds mu.
func (s *Session) sendKick(drain time.Duration) {
	s.leaving = false
	s.logFarewell(s.farewell)
	s.opts.Meter.Kicked(s.farewell)
	s.drainedBy = time.Now().Add(drain)
	_ = s.conn.SetWriteDeadline(s.drainedBy)
	_ = s.conn.SetReadDeadline(longAgo) // wakes the reader
	s.send(netorcai.AppendKick(nil, s.farewell), nil)
	if !s.out.writing {
		_ = s.conn.CloseWrite()
		s.flushed()
	}
}

// depart records that the client is gone because of a fault, unless it is gone already, and returns
// the reason for which it is gone. kickDeparted then tells the log and the client.
func (s *Session) depart(fault string) (reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.departLocked(fault)
	return s.farewell
}

// departLocked is depart for a caller that holds mu. If that is not the reader, it makes the reader
// leave.
func (s *Session) departLocked(fault string) {
	if s.state == gone {
		return
	}
	s.markGone(fault)
	s.leaving = true
	_ = s.conn.SetReadDeadline(longAgo) // wakes the reader
}

// kickDeparted kicks a client that departed and has given up its seat: when the log shows that a
// client is gone, another one can take its seat.
func (s *Session) kickDeparted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.leaving && s.silent:
		s.drop()
	case s.leaving:
		s.sendKick(s.opts.DrainTimeout)
	}
	if s.dropped > 1 {
		s.log.Warn().Str("nickname", s.nickname).Int("answers", s.dropped).Msg(
			"Ignored debug of a client")
	}
}

// Farewell returns the reason for which the client was kicked or dropped, "" if it was not.
func (s *Session) Farewell() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.farewell
}

// logFarewell logs why the client is kicked: as a warning, unless all clients are kicked
// because the match is over. The caller holds mu.
func (s *Session) logFarewell(reason string) {
	level, text := zerolog.WarnLevel, "Kicking client"
	if !s.opts.Netorcai && (reason == netorcai.KickFinished || reason == netorcai.KickAbort) {
		level, text = zerolog.InfoLevel, "Disconnecting client"
	}
	line := s.log.WithLevel(level).Str("nickname", s.nickname).Str("reason", s.opts.Lines.Clip(reason))
	if !s.opts.Netorcai && (reason == netorcai.KickPlayersFull || reason == netorcai.KickStarted) {
		// the KICK keeps the text that clients know
		line = line.Str("hint", "hexarena event has rounds in which all bots play")
	}
	line.Msg(text)
}

// dropSilently ends a session without a KICK, since its client does not read. The caller
// holds mu.
func (s *Session) dropSilently(reason string) {
	if s.state != gone {
		s.silent = true
		s.departLocked(reason)
	}
}

// drop logs why the client is gone, which gets no KICK. The caller holds mu.
func (s *Session) drop() {
	s.leaving = false
	level := zerolog.WarnLevel
	if s.spare {
		level = zerolog.InfoLevel
	}
	s.log.WithLevel(level).Str("nickname", s.nickname).Str("reason",
		s.opts.Lines.Clip(s.farewell)).Msg("Dropping client")
	s.opts.Meter.Kicked(s.farewell)
	if !s.out.writing {
		_ = s.conn.CloseWrite()
		s.flushed()
	}
}

// markGone records that the client is gone. The caller holds mu.
func (s *Session) markGone(reason string) {
	s.behind = s.state == thinking && reason == netorcai.KickFinished
	s.state = gone
	s.opts.Slot.Leave()
	s.flushedAt = time.Now() // unless output is still queued
	s.farewell = reason
	s.dropKept()
}

// refuse ends a connection that sent no LOGIN. A connection that closes without sending
// a byte, such as a port scanner's, is not logged, except under the name netorcai.
func (s *Session) refuse(err error) {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		reason := fmt.Sprintf(kickDenied+"No LOGIN received within %v", s.opts.LoginTimeout)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.spare { // a browser that begins a request now would read a KICK as its answer
			s.dropSilently(reason)
		} else {
			s.kickLocked(reason, s.opts.DrainTimeout)
		}
	case errors.Is(err, io.EOF) && !s.opts.Netorcai:
		s.log.Debug().Msg("Connection closed without a LOGIN")
		s.mu.Lock()
		defer s.mu.Unlock()
		s.markGone("")
	default:
		s.kick(netorcai.KickFirstMessage + err.Error())
	}
}

// flushed records that all output was written, which starts the time that the peer has to
// close the connection. The caller holds mu.
func (s *Session) flushed() {
	s.flushedAt = time.Now()
	if s.lingering {
		_ = s.conn.SetReadDeadline(longAgo) // wakes the reader
	}
}

// Finish ends the session of a kicked client as soon as the client's system has
// acknowledged everything, because the server is about to end.
func (s *Session) Finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finishing = true
	if s.lingering {
		_ = s.conn.SetReadDeadline(longAgo) // wakes the reader
	}
}

// Owes reports whether the client needs more time to read the end of a match: it still
// owes an answer, or has not read everything that it was sent.
func (s *Session) Owes() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.farewell == netorcai.KickFinished && (s.behind || s.out.writing)
}

// linger reads and drops input until the peer closes the connection, its time is over
// or, if the server is about to end, the peer has acknowledged everything. A client that
// was behind no longer is when it has sent something and is silent for quietTime.
func (s *Session) linger() {
	var received time.Time // last
	for s.keepLingering() {
		bytes, err := s.conn.Discard(lingerBytes)
		switch {
		case err == nil:
			return
		case bytes > 0:
			received = time.Now()
		case !received.IsZero() && time.Since(received) >= quietTime:
			s.mu.Lock()
			s.behind = false
			s.mu.Unlock()
		}
	}
}

// keepLingering reports whether the session is to wait longer for its peer, and sets the
// deadline for reading.
func (s *Session) keepLingering() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lingering = true
	now := time.Now()
	until := s.lingerUntil()
	if !now.Before(until) || s.finishing && s.acknowledged() {
		return false
	}
	if step := now.Add(lingerStep); s.finishing && step.Before(until) {
		until = step
	}
	_ = s.conn.SetReadDeadline(until)
	return true
}

// lingerUntil returns when the peer's time to close the connection is over. A client
// that owes an answer at the end of the game sends it before it reads on; if the socket
// were closed by then, the answer could destroy what the client has not read yet. The
// caller holds mu.
func (s *Session) lingerUntil() time.Time {
	switch {
	case s.out.writing: // the end of writing wakes the reader earlier
		return s.drainedBy.Add(s.opts.CloseTimeout)
	case s.finishing && s.opts.Netorcai:
		return s.flushedAt.Add(ackTime)
	case s.behind:
		return s.flushedAt.Add(max(s.opts.Linger, s.opts.CloseTimeout))
	}
	return s.flushedAt.Add(s.opts.CloseTimeout)
}

// acknowledged reports whether the peer has received everything and owes no answer that
// it is to be given time for. The caller holds mu.
func (s *Session) acknowledged() bool {
	if s.out.writing || s.behind && s.opts.Linger > 0 {
		return false
	}
	bytes, known := netconn.Unacked(s.conn.NetConn())
	return known && bytes == 0
}

// Close closes the connection at once and drops unsent output.
func (s *Session) Close() { _ = s.conn.Close() }
