package session

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
)

// ErrLogicFailed ends a match whose game logic broke the protocol or disconnected.
var ErrLogicFailed = errors.New("game logic failed")

// Logic is a referee at the other end of a connection: a client that has logged
// in as game logic. It implements match.Referee.
//
// The match calls it from its goroutine, the client's session from another. No method
// waits for the client.
type Logic struct {
	// Match is the match's number in its series, sent in DO_INIT with the seed. With 0 neither is
	// sent, and our extensions of the answers are ignored: that is how netorcai plays.
	Match int
	// Ends is called when the game logic has failed, with the reason. If it returns false, the log
	// does not tell of the failure: the process is already stopping for another reason. Ends may be
	// nil.
	Ends func(error) bool

	timeout time.Duration // for a turn; 0: no limit
	log     zerolog.Logger
	changed func()      // called when a game logic has logged in
	started func() bool // reports whether the match has started
	results chan match.Outcome

	mu      sync.Mutex // guards the fields below
	client  *Session   // nil until a game logic has logged in
	state   logicState
	players int         // including special players; fixed before the first acknowledgement
	turns   int         // left to play
	early   []byte      // the content of a DO_TURN_ACK that came before its DO_TURN
	board   []byte      // the game's state, JSON
	spare   []byte      // memory for the next one; belongs to who parses the awaited acknowledgement
	timer   *time.Timer // of the awaited message
	inputs  []netorcai.PlayerActions
	message []byte

	reported report // beside the states
}

// kickEarlyTwice is the reason to kick a game logic that answers twice before it is asked.
const kickEarlyTwice = "Received a second DO_TURN_ACK before the DO_TURN"

// kickNoDoTurnAck returns the reason to kick a game logic that did not answer DO_TURN in time.
func kickNoDoTurnAck(limit time.Duration) string {
	return fmt.Sprintf("Did not receive DO_TURN_ACK after %v.", limit)
}

// logicState is what the match waits for.
type logicState uint8

const (
	idle            logicState = iota // the match has not started
	awaitDoInitAck                    // DO_INIT was sent
	playersThinking                   // an early DO_TURN_ACK is kept
	awaitDoTurnAck                    // DO_TURN was sent
	done                              // the last turn was played, or the match is over
)

// isAck reports whether an acknowledgement is awaited.
func (s logicState) isAck() bool { return s == awaitDoInitAck || s == awaitDoTurnAck }

// NewLogic returns the referee for a match whose rules are run by a client. timeout
// limits the time that it may take for a turn; 0 is no limit.
func NewLogic(timeout time.Duration, log zerolog.Logger) *Logic {
	return &Logic{
		timeout:  timeout,
		log:      log,
		changed:  func() {},
		started:  func() bool { return false },
		reported: report{inputs: map[engine.PlayerID]int{}, texts: map[string]string{}},
		results:  make(chan match.Outcome, 2), // an outcome, and then the loss of the client
	}
}

// Attach sets the function that is called when a game logic has logged in, and the one that reports
// whether the match has started.
func (l *Logic) Attach(changed func(),
	started func() bool,
) {
	l.changed, l.started = changed, started
}

// Ready implements match.Referee.
func (l *Logic) Ready() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client == nil {
		return match.ErrNoReferee
	}
	return nil
}

// Results implements match.Referee.
func (l *Logic) Results() <-chan match.Outcome { return l.results }

// AppendState implements match.Referee. The state is in netorcai's notation, because clients in C++
// and D do not read others.
func (l *Logic) AppendState(dst []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append(dst, l.board...)
}

// AppendDelta implements match.Referee. It appends nothing: the protocol has no deltas.
func (l *Logic) AppendDelta(dst []byte) []byte { return dst }

// Begin implements match.Referee.
func (l *Logic) Begin(setup engine.Setup) (match.Outcome, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client == nil {
		return match.Outcome{Err: match.ErrNoReferee}, true
	}
	l.players, l.turns = setup.Players+setup.Specials, setup.Turns
	l.send("DO_INIT to game logic", netorcai.AppendDoInit(l.message[:0], netorcai.DoInit{
		NbPlayers: setup.Players, NbSpecialPlayers: setup.Specials, NbTurnsMax: setup.Turns,
		Match: l.Match, Seed: setup.Seed & netorcai.MaxSeed,
	}))
	l.await(awaitDoInitAck, netorcai.DoInitTimeout, netorcai.KickNoDoInitAck)
	return match.Outcome{}, false
}

// Play implements match.Referee. It leaves out lapses, which netorcai does not have.
func (l *Logic) Play(inputs []engine.Input) (match.Outcome, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inputs = l.inputs[:0]
	clear(l.reported.inputs)
	for i, in := range inputs {
		if in.Lapse == engine.Answered {
			l.inputs = append(l.inputs,
				netorcai.PlayerActions{PlayerID: int(in.Player), Turn: in.Turn, Actions: in.Actions})
			l.reported.inputs[in.Player] = i
		}
	}
	message, err := netorcai.AppendDoTurn(l.message[:0], l.inputs)
	if err != nil {
		return match.Outcome{Err: fmt.Errorf("cannot send DO_TURN: %w", err)}, true
	}
	l.send("DO_TURN to game logic", message)
	if early := l.early; early != nil {
		l.early = nil
		a, fault := parseAck(awaitDoTurnAck, early, l.players, l.spare[:0])
		if fault != "" {
			return l.fail(fault), true
		}
		return l.take(awaitDoTurnAck, a), true
	}
	l.await(awaitDoTurnAck, l.timeout, kickNoDoTurnAck(l.timeout))
	return match.Outcome{}, false
}

// Close implements match.Referee.
func (l *Logic) Close(err error) {
	l.mu.Lock()
	l.await(done, 0, "")
	client := l.client
	l.mu.Unlock()
	switch {
	case client == nil:
	case err != nil:
		client.Kick(match.ErrAborted)
	default:
		client.Kick(match.ErrFinished)
	}
}

// send sends a message, which the trace calls what. Its buffer is reused if all of it was written.
// The caller holds mu.
func (l *Logic) send(what string, message []byte) {
	l.message = message
	if !l.client.deliver(what, message) {
		l.message = nil
	}
}

// await sets the state. If limit is not 0 and the awaited message does not arrive in
// time, the game logic is kicked with the given reason. The caller holds mu.
func (l *Logic) await(state logicState, limit time.Duration, fault string) {
	stop(l.timer)
	l.timer, l.state = nil, state
	if limit <= 0 {
		return
	}
	client := l.client
	var timer *time.Timer
	timer = panics.AfterFunc(limit, func() {
		l.mu.Lock()
		late := l.timer == timer
		l.mu.Unlock()
		if late {
			l.lose(client, fault)
		}
	}, func(p *panics.Error) { // before there was an outcome, which is the last step
		client.failed(p)
		l.results <- match.Outcome{Err: fmt.Errorf("%w: %s", ErrLogicFailed, fault)}
	})
	l.timer = timer
}

// join seats a game logic. A second one learns that the match has started as soon as that is in the
// log, which is before the first one is sent a DO_INIT.
func (l *Logic) join(s *Session) error {
	err := l.admit(s)
	if err == errLogicTaken && l.started() {
		err = match.ErrStarted
	}
	if err != nil {
		return err
	}
	l.changed()
	return nil
}

func (l *Logic) admit(s *Session) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.state != idle:
		return match.ErrStarted
	case l.client != nil:
		return errLogicTaken
	}
	l.client = s
	s.log.Info().Str("nickname", s.nickname).Msg("Game logic accepted") // before the client can know
	s.deliver("", netorcai.AppendLoginAck(nil))
	return nil
}

// receive handles a message of the game logic, or the error of reading it. It returns
// the reason to kick the game logic, or an empty string.
func (l *Logic) receive(content []byte, err error) (fault string) {
	awaited, fault := l.begin(content, err)
	if !awaited.isAck() {
		return fault
	}
	// large ones take long, so mu is free
	a, fault := parseAck(awaited, content, l.players, l.spare[:0])
	if fault != "" {
		return fault
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == done {
		return netorcai.KickFinished
	}
	l.results <- l.take(awaited, a)
	return ""
}

// begin handles a message, or the error of reading it, unless it is an acknowledgement that is
// awaited: then it returns the state. Such a message is in time, however long it is parsed.
func (l *Logic) begin(content []byte, err error) (awaited logicState, fault string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.state {
	case idle:
		if err == nil {
			err = netorcai.CheckObject(content)
		}
		if err != nil {
			return idle, netorcai.KickGameLogic + err.Error()
		}
		return idle, netorcai.KickGameLogicTooSoon
	case playersThinking:
		if err != nil {
			return playersThinking, netorcai.DoTurnAckReason(err)
		}
		if l.early != nil {
			return playersThinking, kickEarlyTwice
		}
		l.early = append([]byte{}, content...)
		return playersThinking, ""
	case done:
		return done, netorcai.KickFinished
	}
	switch {
	case err == nil:
		stop(l.timer)
		l.timer = nil
		return l.state, ""
	case l.state == awaitDoInitAck:
		return done, netorcai.DoInitAckReason(err)
	}
	return done, netorcai.DoTurnAckReason(err)
}

// take makes the state of an acknowledgement the newest one, and returns the outcome. The caller
// holds mu.
func (l *Logic) take(awaited logicState, a ack) match.Outcome {
	o := match.Outcome{Result: engine.Result{Await: engine.Everyone, Winner: engine.NoPlayer}}
	if l.board, l.spare = a.state, l.board; cap(l.spare) > logicSize {
		l.spare = nil
	}
	if awaited == awaitDoInitAck {
		if l.Match > 0 {
			l.note(l.reported.begin(&a.init, l.players))
		}
	} else {
		o.Winner = engine.PlayerID(a.turn.WinnerPlayerID)
		l.turns--
		if l.Match > 0 {
			l.note(l.reported.turn(&a.turn, l.players))
			o.Refused = l.reported.refused
		}
	}
	if l.turns > 0 {
		l.await(playersThinking, 0, "")
	} else {
		l.await(done, 0, "") // the game logic may close the connection before the KICK
	}
	return o
}

// lose ends the connection of a game logic and with it the match, even before the start:
// a server whose only game logic failed has nothing left to host.
func (l *Logic) lose(s *Session, fault string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client != s || l.state == done {
		s.kick(fault)
		return
	}
	l.results <- l.fail(fault)
}

// fail kicks the game logic and returns the outcome that ends the match. The caller holds mu.
func (l *Logic) fail(fault string) match.Outcome {
	l.client.kick(fault)
	if l.state == idle {
		l.client = nil // none of the clients that are kicked when the match ends
	}
	l.await(done, 0, "")
	err := fmt.Errorf("%w: %s", ErrLogicFailed, fault)
	if l.Ends == nil || l.Ends(err) {
		l.log.Warn().Msg("Game logic failed. Aborting.")
	}
	return match.Outcome{Err: err}
}
