// Package session serves one netorcai connection: it logs the client in, takes a seat
// for it, sends it frames and passes on its answers, following the metaprotocol. It
// knows its wire and the states of the protocol, but no game.
//
// A session has one goroutine, the caller of [Session.Serve], which reads. The match
// writes through the session without blocking: what the socket does not accept at once
// is written by a second goroutine, which Serve waits for.
package session

import (
	"cmp"
	"net"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
)

// Options are the settings of a session. All sessions of a server share them, except Slot.
type Options struct {
	Slot *limits.Slot // nil: the connection is not counted
	Door Door
	Gate Gate // nil: every client may log in
	Hold bool // all clients wait in the Lobby for a seat, not only those that stay
	// Logic returns the referee that the game logic at an address connects to, nil if there is none.
	// It may be nil.
	Logic func(remote string) *Logic
	// Arrived is called with the address of each client that is not a browser, and with the reason why
	// it may not log in, nil if it may. Arrived may be nil.
	Arrived      func(remote string, refused error)
	LoginTimeout time.Duration  // from the connection to its first message; 0: no limit
	Web          func(net.Conn) // takes over connections that speak HTTP; nil: they are kicked
	WebTLS       bool           // Web also takes connections that speak TLS
	// Netorcai makes a session do what the program netorcai does: a TURN_ACK's debug is an
	// unknown field, a connection that closes without sending a byte is kicked like all
	// others, every kick is logged as a warning, and none lingers longer than CloseTimeout.
	Netorcai     bool
	WriteTimeout time.Duration // for a client to read what it is sent; 0: no limit
	Linger       time.Duration // after a match, for a client that owes an answer to read the end
	// for other clients that were kicked to close the connection; 0: half a second
	CloseTimeout time.Duration
	DrainTimeout time.Duration // for a client to read what it was sent before its KICK; 0: 5 s
	Allow        Allowances    // limits for clients that have logged in
	Buffers      *Budget       // for large messages; nil: no limit
	Meter        Meter
	Log          zerolog.Logger
	Lines        *limits.Log // limits the log lines that a peer causes; nil: no limit
}

// Session is one connection. It implements match.Seat.
type Session struct {
	opts Options
	conn Conn
	// belongs to the reader once Welcome and Begin, which extend it under mu, have returned
	log zerolog.Logger

	// Used by the reader only.
	in        inbox
	dropped   int // number of debug values that could not be shown
	allowance Allowance
	second    time.Time // when the current second of counting began
	messages  int       // number of messages in it

	mu      sync.Mutex // guards the fields below
	state   state
	form    *form
	asked   int // number of the newest TURN sent, -1 before the first
	askedAt time.Time
	// number of the newest TURN_OVER sent, -1 before the first; of a client that wants them
	over     int
	kept     *match.Frame // the newest TURN, while the client is not ready for it
	out      outbox
	spare    bool // it has sent nothing to a port for browsers too, which open connections ahead
	nickname string
	player   int          // id of the player, for the log; noPlayer before the start
	farewell string       // the reason for which the client is gone
	place    *match.Place // nil if the client has no seat

	// Set by login for a client that waits for its seat in the lobby.
	stays     bool // a client that is only held is kicked after its match
	candidate match.Candidate
	waits     bool // in the lobby; guarded by mu
	turnOver  bool // it wants TURN_OVER

	// Set when the client is gone.
	leaving   bool      // its seat is given up first, then the log and the client are told
	silent    bool      // it does not read: it gets no KICK
	lingering bool      // the reader waits for the peer to close the connection
	finishing bool      // the reader does not wait for a peer that has acknowledged everything
	behind    bool      // the client still owed an answer when the game was over
	drainedBy time.Time // the deadline for writing everything
	flushedAt time.Time // when everything was written
}

// state is a client's state. It only moves down this list, except that ready and thinking
// alternate.
type state uint8

const (
	fresh    state = iota // has not logged in
	logged                // has a seat
	ready                 // the match has started, or the client has answered
	thinking              // was sent a TURN
	gone                  // was kicked; its messages are ignored
)

// New returns a session for a connection and takes ownership of the connection.
func New(conn Conn, o Options) *Session {
	o.CloseTimeout, o.DrainTimeout = cmp.Or(o.CloseTimeout, lingerTime), cmp.Or(o.DrainTimeout, drainTime)
	s := &Session{opts: o, conn: conn, asked: -1, over: -1, player: noPlayer}
	s.in.init(o.Buffers)
	s.log = s.logOf(o.Log)
	return s
}

// logOf returns a logger whose lines contain the client's address.
func (s *Session) logOf(log zerolog.Logger) zerolog.Logger {
	return s.opts.Lines.About(log, s.conn.RemoteAddr().String())
}

// Serve reads until the session is over, and closes the connection when everything that
// was sent has arrived. If the web server took over the connection, it returns at once.
// A panic ends only this connection.
func (s *Session) Serve() {
	taken := false
	p := panics.Catch(func() {
		if s.opts.LoginTimeout > 0 {
			s.setReadDeadline(time.Now().Add(s.opts.LoginTimeout))
		}
		if taken = s.handOver(); !taken {
			s.serve()
		}
	})
	if p != nil {
		s.failed(p)
	}
	if !taken {
		_ = s.conn.Close()
		s.out.writers.Wait()
	}
}

// serve serves a client until everything that it was sent has arrived.
func (s *Session) serve() {
	s.opts.Meter.Connected()
	defer s.opts.Meter.Disconnected()
	s.trace().Msg("New connection")
	s.readMessages()
	s.in.close()
	s.linger()
	s.out.writers.Wait()
}

// failed logs a panic.
func (s *Session) failed(p *panics.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.Error().Str("nickname", s.nickname).EmbedObject(p).Msg("Session failed")
}

// readMessages logs the client in and handles its messages until it is gone. A panic kicks
// this client only.
func (s *Session) readMessages() {
	defer s.kickDeparted() // also if giving up the seat panics
	leave := s.kick
	p := panics.Catch(func() {
		handle, quit := s.login()
		if handle == nil {
			return
		}
		leave = quit
		fault := ""
		for fault == "" {
			fault = handle()
		}
		leave(fault)
	})
	if p != nil {
		s.failed(p)
		leave(kickFailed)
	}
}

// setReadDeadline sets the reader's deadline, unless the reader was told to stop.
func (s *Session) setReadDeadline(until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != gone {
		_ = s.conn.SetReadDeadline(until)
	}
}

// handleAnswer reads an answer, passes it to the match and then sends the TURN that was
// kept. In this order, because sending takes long enough for later answers of other clients
// to overtake this one.
func (s *Session) handleAnswer() (fault string) {
	ack, place, took, fault := s.readAnswer()
	if fault != "" {
		return fault
	}
	if place == nil { // the match is over
		return s.answeredLate()
	}
	place.Answer(ack.Turn, ack.Actions, s.debugOf(&ack), took)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.askKept()
	return ""
}

// debugOf returns the debug value of an answer, or nil if it has none. Debug is no part
// of the rules: a value that cannot be shown is logged the first time and counted, and has
// no consequences for the client.
func (s *Session) debugOf(ack *netorcai.TurnAck) []byte {
	if ack.Debug == nil || s.opts.Netorcai {
		return nil
	}
	err := netorcai.CheckDebug(ack.Debug)
	if err == nil {
		return ack.Debug
	}
	if s.dropped++; s.dropped == 1 {
		s.mu.Lock() // a client that stays may be getting its next seat
		defer s.mu.Unlock()
		s.log.Warn().Str("nickname", s.nickname).Int("turn", ack.Turn).Err(err).Msg(
			"Ignoring debug of a client")
	}
	return nil
}

// readAnswer reads one answer and returns the place that it is for, nil if the match is
// over, and the time that the client took for it. fault is the reason to kick the client, if
// any.
func (s *Session) readAnswer() (ack netorcai.TurnAck, place *match.Place, took time.Duration, fault string) {
	content, err := s.receive()
	if err != nil {
		return ack, nil, 0, netorcai.TurnAckReason(err)
	}
	now := time.Now()
	if fault := s.countMessage(now); fault != "" {
		return ack, nil, 0, fault
	}
	s.mu.Lock()
	asked := s.asked
	s.mu.Unlock()
	ack, err = parseAnswer(content, asked)
	if err = s.checkDepth(content, err); err != nil {
		return ack, nil, 0, netorcai.TurnAckReason(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.traceAnswer()
	s.behind = false // the client may have been kicked since its answer was read
	// A message that was read before the newest TURN was sent cannot be an answer to it.
	if s.state != thinking || now.Before(s.askedAt) {
		return ack, nil, 0, netorcai.KickNotThinking
	}
	took = now.Sub(s.askedAt)
	s.state = ready
	return ack, s.place, took, ""
}

// read reads the content of one message of at most limit bytes.
func (s *Session) read(limit int) ([]byte, error) {
	content, err := s.in.read(s.conn, limit)
	s.opts.Meter.Received(len(content))
	if err == nil {
		s.traceReceived(content)
	}
	return content, err
}
