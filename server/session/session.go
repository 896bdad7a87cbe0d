// Package session serves one netorcai connection: it logs the client in, takes a seat
// for it, sends it frames and passes on its answers, following the metaprotocol. It
// knows its wire and the states of the protocol, but no game.
//
// A session has one goroutine, the caller of [Session.Serve], which reads. The match
// writes through the session without blocking: what the socket does not accept at once
// is written by a second goroutine, which Serve waits for.
package session

import (
	"net"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/connlimit"
	"github.com/hexarena/hexarena/server/loglimit"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
)

// Door gives seats to clients that have logged in. The error is one of the match's
// reasons, or one whose text is for the client.
type Door interface {
	Join(match.Seat, match.Candidate) (*match.Place, error)
}

// Lobby is a Door that gives clients seats in one match after another. A client that stays
// waits in it for its first seat and, after each match, for the next one.
type Lobby interface {
	Door
	// Wait registers a client that waits for a seat; Welcome is called when it has one. Wait
	// returns at once, and reports false if there will be no more matches.
	Wait(match.Seat, match.Candidate) bool
	// Forget removes a client that is gone. If it is just being given a seat, it leaves the
	// seat for the given reason.
	Forget(seat match.Seat, reason string)
}

// Gate decides which clients may log in. The error's text is for the client. Error,
// nickname and key contain no secret.
type Gate interface {
	Login(netorcai.Login) (nickname, key string, err error)
}

// Options are the settings of a session. All sessions of a server share them, except Slot.
type Options struct {
	Slot         *connlimit.Slot // nil: the connection is not counted
	Door         Door
	Gate         Gate // nil: every client may log in
	Codec        *Codec
	Logic        func() *Logic  // returns the referee that a game logic connects to, nil with built-in rules; may be nil
	LoginTimeout time.Duration  // from the connection to its first message; 0: no limit
	Web          func(net.Conn) // takes over connections that speak HTTP; nil: they are kicked
	WebTLS       bool           // Web also takes connections that speak TLS
	// Netorcai makes a session do what the program netorcai does: a TURN_ACK's debug is an
	// unknown field, a connection that closes without sending a byte is kicked like all
	// others, every kick is logged as a warning, and none lingers longer than lingerTime.
	Netorcai     bool
	WriteTimeout time.Duration // for a client to read what it is sent; 0: no limit
	Linger       time.Duration // after a match, for a client that owes an answer to read the end
	Allow        Allowances    // limits for clients that have logged in
	Buffers      *Budget       // for large messages; nil: no limit
	Meter        Meter
	Log          zerolog.Logger
	Lines        *loglimit.Limiter // limits the log lines that a peer causes; nil: no limit
}

// Session is one connection. It implements match.Seat.
type Session struct {
	opts Options
	conn Conn
	log  zerolog.Logger // belongs to the reader once Welcome and Begin, which extend it under mu, have returned

	// Used by the reader only.
	in        inbox
	dropped   int // number of debug values that could not be shown
	allowance Allowance
	second    time.Time // when the current second of counting began
	messages  int       // number of messages in it

	mu       sync.Mutex // guards the fields below
	state    state
	form     match.Form
	asked    int // number of the newest TURN sent, -1 before the first
	askedAt  time.Time
	kept     *match.Frame // the newest TURN, while the client is not ready for it
	out      outbox
	nickname string
	farewell string       // the reason for which the client is gone
	place    *match.Place // nil if the client has no seat

	// Set by login for a client that stays between matches.
	stays     bool
	candidate match.Candidate
	waits     bool // in the lobby; guarded by mu

	// Set when the client is gone.
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
	s := &Session{opts: o, conn: conn, asked: -1}
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

// login reads the first message and takes the seat that it asks for. It returns a
// function that reads and handles one message, returning a fault, and a function that ends
// the session because of a fault. Both are nil if the client was refused.
func (s *Session) login() (handle func() (fault string), leave func(fault string)) {
	content, err := s.read(netorcai.FirstLimit)
	if err != nil {
		s.refuse(err)
		return nil, nil
	}
	login, err := netorcai.ParseLogin(content)
	if err != nil {
		s.kick(netorcai.KickFirstMessage + err.Error())
		return nil, nil
	}
	s.setReadDeadline(time.Time{})
	s.allowance = s.opts.Allow.of(login.Role)
	key := ""
	if s.opts.Gate != nil {
		if login.Nickname, key, err = s.opts.Gate.Login(login); err != nil {
			s.kick(kickDenied + err.Error())
			return nil, nil
		}
	}
	if !s.opts.Slot.Keep() { // without a check, the match could start with a player that is being kicked
		s.Kick(ErrTooMany)
		return nil, nil
	}
	s.mu.Lock()
	s.nickname = login.Nickname
	s.mu.Unlock()
	if login.Role == netorcai.RoleGameLogic {
		return s.logicLogin()
	}
	candidate := match.Candidate{
		Role:     roles[login.Role],
		Nickname: login.Nickname,
		Remote:   s.conn.RemoteAddr().String(),
		Key:      key,
	}
	if !s.opts.Netorcai {
		candidate.Version, candidate.Language = login.Code, login.Language
	}
	if lobby, ok := s.opts.Door.(Lobby); ok && login.Stay && !s.opts.Netorcai {
		if !s.enterLobby(candidate) {
			s.kick(netorcai.KickFinished)
			return nil, nil
		}
		return s.handleAnswer, func(fault string) { s.leave(fault, func(reason string) { lobby.Forget(s, reason) }) }
	}
	if _, err := s.opts.Door.Join(s, candidate); err != nil {
		s.kick(refusalOf(err))
		return nil, nil
	}
	return s.handleAnswer, func(fault string) { s.leave(fault, nil) }
}

// leave kicks a client for a fault, calls forget unless it is nil, and gives up the
// client's seat, also if kicking panics.
func (s *Session) leave(fault string, forget func(reason string)) {
	reason := fault
	defer func() {
		if forget != nil {
			forget(reason)
		}
		s.mu.Lock()
		place := s.place
		s.mu.Unlock()
		if place != nil {
			place.Leave(reason)
		}
	}()
	reason = s.end(fault)
}

// setReadDeadline sets the reader's deadline, unless the reader was told to stop.
func (s *Session) setReadDeadline(until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != gone {
		_ = s.conn.SetReadDeadline(until)
	}
}

// logicLogin is login for a game logic. It is refused if the game is built in.
func (s *Session) logicLogin() (handle func() (fault string), leave func(fault string)) {
	var l *Logic
	if s.opts.Logic != nil {
		l = s.opts.Logic()
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

// end kicks a client for a fault and returns the reason for which it is gone, which is an
// earlier one if it was already kicked.
func (s *Session) end(fault string) (reason string) {
	s.kick(fault)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dropped > 1 {
		s.log.Warn().Str("nickname", s.nickname).Int("answers", s.dropped).Msg("Ignored debug of a client")
	}
	return s.farewell
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
		s.log.Warn().Str("nickname", s.nickname).Int("turn", ack.Turn).Err(err).Msg("Ignoring debug of a client")
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
	// What was read before the newest TURN was sent cannot be an answer to it.
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
	return content, err
}
