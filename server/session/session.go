// Package session is one netorcai connection on the server's side: it logs a
// client in, takes a seat for it, and carries frames out and answers in, as the
// metaprotocol says. It knows its wire and the protocol's states, and no game.
//
// A session has one goroutine, the caller of [Session.Serve], which reads. The
// match writes through it without ever waiting: what the socket does not take
// at once is written by a second goroutine, which Serve waits for.
package session

import (
	"net"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/loglimit"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
)

// Door is where a client that has logged in asks for a seat. The error is one
// of the match's reasons, or one whose text is for the client.
type Door interface {
	Join(match.Seat, match.Candidate) (*match.Place, error)
}

// Gate knows who may log in. The error's text is for the client; it, the
// nickname and the key repeat no secret.
type Gate interface {
	Login(netorcai.Login) (nickname, key string, err error)
}

// Slot is a connection's place in the budget of its port.
type Slot interface {
	Keep() bool // the client has logged in; false: its place was given to another connection
	Leave()     // the client has been told to go
}

// noSlot is the slot of a connection that is not counted.
type noSlot struct{}

func (noSlot) Keep() bool { return true }
func (noSlot) Leave()     {}

// Options are what all sessions of a server share, but for Slot.
type Options struct {
	Slot         Slot // nil: the connection is not counted
	Door         Door
	Gate         Gate // nil: everybody may
	Codec        *Codec
	Logic        *Logic         // where a game logic belongs; nil with a built-in game
	LoginTimeout time.Duration  // from the connection to its first message
	Web          func(net.Conn) // takes connections that speak HTTP; nil: they are kicked
	WebTLS       bool           // it takes those that speak TLS as well
	// Netorcai has a session do what the program netorcai does: a TURN_ACK's debug is an
	// unknown field, a connection that hangs up without a byte is kicked like all others,
	// each farewell is a warning, and none takes longer than lingerTime.
	Netorcai     bool
	WriteTimeout time.Duration // for a client to read what it is sent; 0: for ever
	Linger       time.Duration // after a match, for a client that owes an answer to read the end
	Allow        Allowances    // of those who have logged in
	Buffers      *Budget       // of large messages; nil: no bound
	Meter        Meter
	Log          zerolog.Logger
	Lines        *loglimit.Limiter // bounds what a peer has written there; nil: nothing does
}

// Session is one connection. It implements match.Seat.
type Session struct {
	opts Options
	conn Conn
	log  zerolog.Logger // the reader's until Welcome and Begin, which add to it under mu, have returned

	// The reader's.
	in       inbox
	dropped  int // debugs that could not be shown
	may      Allowance
	second   time.Time // that began with the first message in it
	messages int       // in that

	mu       sync.Mutex // guards all below
	state    state
	form     match.Form
	asked    int // the newest TURN sent, -1 before the first
	askedAt  time.Time
	kept     *match.Frame // the newest TURN, for a client that is not ready for it
	out      outbox
	nickname string
	farewell string // why the client is gone

	// Of a client that is gone.
	lingers   bool      // the reader waits for the peer to hang up
	finishes  bool      // it does not wait for a peer that has taken all
	behind    bool      // the client has owed an answer since the game was over
	drainedBy time.Time // when all has to be written
	flushedAt time.Time // when it was
}

// state is a client's state. Every step leads down this list, but for thinking
// and ready, which take turns.
type state uint8

const (
	fresh    state = iota // has not logged in
	logged                // has a seat
	ready                 // the match has started, or it has answered
	thinking              // was sent a TURN
	gone                  // was kicked: nothing it sends counts any more
)

// New makes a session for a connection, which it owns from then on.
func New(conn Conn, o Options) *Session {
	if o.Slot == nil {
		o.Slot = noSlot{}
	}
	s := &Session{opts: o, conn: conn, asked: -1}
	s.in.init(o.Buffers)
	s.log = s.logOf(o.Log)
	return s
}

// logOf is a log whose lines say whose connection this is.
func (s *Session) logOf(log zerolog.Logger) zerolog.Logger {
	return s.opts.Lines.About(log, s.conn.RemoteAddr().String())
}

// Serve reads until the connection is over, and closes it when what was sent
// has arrived. It returns at once from a connection that the web server took. A
// panic ends the connection, and harms nobody else.
func (s *Session) Serve() {
	taken := false
	p := panics.Catch(func() {
		s.allow(time.Now().Add(s.opts.LoginTimeout))
		if taken = s.handOver(); !taken {
			s.stay()
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

// stay serves a client until all that it was sent has arrived.
func (s *Session) stay() {
	s.opts.Meter.Connected()
	defer s.opts.Meter.Disconnected()
	s.attend()
	s.in.close()
	s.linger()
	s.out.writers.Wait()
}

func (s *Session) failed(p *panics.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.Error().Str("nickname", s.nickname).EmbedObject(p).Msg("Session failed")
}

// attend logs the client in and listens to it until it is gone. A panic on its
// account kicks it, and harms nobody else.
func (s *Session) attend() {
	leave := s.kick
	p := panics.Catch(func() {
		listen, quit := s.login()
		if listen == nil {
			return
		}
		leave = quit
		fault := ""
		for fault == "" {
			fault = listen()
		}
		leave(fault)
	})
	if p != nil {
		s.failed(p)
		leave(kickFailed)
	}
}

// login reads the first message and takes the seat that it asks for. It returns
// how one message is taken in, and how the client leaves for the fault in one;
// nil when it was told why it gets no seat.
func (s *Session) login() (listen func() (fault string), leave func(fault string)) {
	content, err := s.read(netorcai.FirstLimit)
	if err != nil {
		s.turnAway(err)
		return nil, nil
	}
	login, err := netorcai.ParseLogin(content)
	if err != nil {
		s.kick(netorcai.KickFirstMessage + err.Error())
		return nil, nil
	}
	s.allow(time.Time{})
	s.may = s.opts.Allow.of(login.Role)
	key := ""
	if s.opts.Gate != nil {
		if login.Nickname, key, err = s.opts.Gate.Login(login); err != nil {
			s.kick(kickDenied + err.Error())
			return nil, nil
		}
	}
	if !s.opts.Slot.Keep() { // a seat taken now could start a match without its player
		s.Kick(ErrTooMany)
		return nil, nil
	}
	s.mu.Lock()
	s.nickname = login.Nickname
	s.mu.Unlock()
	if login.Role == netorcai.RoleGameLogic {
		return s.refereeLogin()
	}
	place, err := s.opts.Door.Join(s, match.Candidate{
		Role:     roles[login.Role],
		Nickname: login.Nickname,
		Remote:   s.conn.RemoteAddr().String(),
		Key:      key,
	})
	if err != nil {
		s.kick(refusalOf(err))
		return nil, nil
	}
	return func() string { return s.listen(place) }, func(fault string) {
		reason := fault
		defer func() { place.Leave(reason) }() // also when kicking it panics
		reason = s.part(fault)
	}
}

// allow lets the reader wait until then, unless it was told to stop.
func (s *Session) allow(until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != gone {
		_ = s.conn.SetReadDeadline(until)
	}
}

// refereeLogin is login for a game logic. With a built-in game there is one
// already.
func (s *Session) refereeLogin() (listen func() (fault string), leave func(fault string)) {
	l, err := s.opts.Logic, errLogicTaken
	if l != nil {
		err = l.join(s)
	}
	if err != nil {
		s.kick(reasons[err])
		return nil, nil
	}
	s.in.trust()
	listen = func() string {
		content, err := s.receive()
		return l.hear(content, err)
	}
	return listen, func(fault string) { l.lose(s, fault) }
}

var roles = map[netorcai.Role]match.Role{
	netorcai.RolePlayer:        match.Player,
	netorcai.RoleSpecialPlayer: match.Special,
	netorcai.RoleVisualization: match.Visualization,
}

// listen hands in an answer, and then sends the TURN that was kept: a write takes long
// enough for others to answer first who answered later.
func (s *Session) listen(place *match.Place) (fault string) {
	ack, took, fault := s.hear()
	if fault != "" {
		return fault
	}
	place.Answer(ack.Turn, ack.Actions, s.debugOf(&ack), took)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.askKept()
	return ""
}

// part kicks a client for a fault, and says why it is gone: whoever was first to
// kick it knows.
func (s *Session) part(fault string) (reason string) {
	s.kick(fault)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dropped > 1 {
		s.log.Warn().Str("nickname", s.nickname).Int("answers", s.dropped).Msg("Ignored debug of a client")
	}
	return s.farewell
}

// debugOf is what an answer shows beside its actions, nil if that is nothing. It
// is no part of the rules, so that one which cannot be shown is told once, and
// counted, and does the client no harm.
func (s *Session) debugOf(ack *netorcai.TurnAck) []byte {
	if ack.Debug == nil || s.opts.Netorcai {
		return nil
	}
	err := netorcai.CheckDebug(ack.Debug)
	if err == nil {
		return ack.Debug
	}
	if s.dropped++; s.dropped == 1 {
		s.log.Warn().Str("nickname", s.nickname).Int("turn", ack.Turn).Err(err).Msg("Ignoring debug of a client")
	}
	return nil
}

// hear waits for one answer, and says how long the client thought. A fault is
// what the client is to be kicked for.
func (s *Session) hear() (ack netorcai.TurnAck, took time.Duration, fault string) {
	content, err := s.receive()
	if err != nil {
		return ack, 0, netorcai.TurnAckReason(err)
	}
	now := time.Now()
	if fault := s.tooFast(now); fault != "" {
		return ack, 0, fault
	}
	s.mu.Lock()
	asked := s.asked
	s.mu.Unlock()
	ack, err = parseAnswer(content, asked)
	if err = s.tooDeep(content, err); err != nil {
		return ack, 0, netorcai.TurnAckReason(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// What was read before the newest TURN went out cannot be the answer to it.
	if s.state != thinking || now.Before(s.askedAt) {
		return ack, 0, netorcai.KickNotThinking
	}
	took = now.Sub(s.askedAt)
	s.state = ready
	return ack, took, ""
}

// read reads the content of one message of at most limit bytes.
func (s *Session) read(limit int) ([]byte, error) {
	content, err := s.in.read(s.conn, limit)
	s.opts.Meter.Received(len(content))
	return content, err
}
