package session

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
)

// ErrLogicFailed ends a match whose game logic broke the rules or was lost.
var ErrLogicFailed = errors.New("game logic failed")

// Logic is a referee at the other end of a connection: a client that has logged
// in as game logic. It implements match.Referee.
//
// The match calls it from its goroutine, and the client's session from its own.
// Nothing here waits for the client.
type Logic struct {
	timeout time.Duration // for a turn; 0: none
	log     zerolog.Logger
	changed func() // tells the match that a game logic has come
	results chan match.Outcome

	mu      sync.Mutex // guards all below
	client  *Session   // nil: nobody has logged in
	owes    debt
	players int    // special ones included
	turns   int    // left to play
	early   []byte // the content of a DO_TURN_ACK that came before its DO_TURN
	state   []byte
	timer   *time.Timer // of what is owed
	inputs  []netorcai.PlayerActions
	message []byte
}

// debt is what the match waits for.
type debt uint8

const (
	silence   debt = iota // the match has not started
	doInitAck             // DO_INIT was sent
	patience              // the players think; an early DO_TURN_ACK is kept
	doTurnAck             // DO_TURN was sent
	nothing               // the last turn was played, or the match is over
)

// NewLogic makes the referee for a match whose rules are to connect. timeout is
// how long they may take for a turn, 0 for as long as they like.
func NewLogic(timeout time.Duration, log zerolog.Logger) *Logic {
	return &Logic{
		timeout: timeout,
		log:     log,
		changed: func() {},
		results: make(chan match.Outcome, 2), // an outcome, and the loss of the client after it
	}
}

// Attach names what is to be told when a game logic has logged in.
func (l *Logic) Attach(changed func()) { l.changed = changed }

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

// AppendState implements match.Referee: the state goes out as it came in.
func (l *Logic) AppendState(dst []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append(dst, l.state...)
}

// AppendDelta implements match.Referee: only the game knows what it changed.
func (l *Logic) AppendDelta(dst []byte) []byte { return dst }

// Begin implements match.Referee.
func (l *Logic) Begin(setup engine.Setup) (match.Outcome, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client == nil {
		return match.Outcome{Err: match.ErrNoReferee}, true
	}
	l.players, l.turns = setup.Players+setup.Specials, setup.Turns
	l.send(netorcai.AppendDoInit(l.message[:0], netorcai.DoInit{
		NbPlayers: setup.Players, NbSpecialPlayers: setup.Specials, NbTurnsMax: setup.Turns,
	}))
	l.expect(doInitAck, netorcai.DoInitTimeout, netorcai.KickNoDoInitAck)
	return match.Outcome{}, false
}

// Play implements match.Referee. Lapses are not told: netorcai has none.
func (l *Logic) Play(inputs []engine.Input) (match.Outcome, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inputs = l.inputs[:0]
	for _, in := range inputs {
		if in.Lapse == engine.Answered {
			l.inputs = append(l.inputs, netorcai.PlayerActions{PlayerID: int(in.Player), Turn: in.Turn, Actions: in.Actions})
		}
	}
	message, err := netorcai.AppendDoTurn(l.message[:0], l.inputs)
	if err != nil {
		return match.Outcome{Err: fmt.Errorf("cannot send DO_TURN: %w", err)}, true
	}
	l.send(message)
	if early := l.early; early != nil {
		l.early = nil
		o, fault := l.judge(early)
		if fault != "" {
			o = l.fail(fault)
		}
		return o, true
	}
	l.expect(doTurnAck, l.timeout, fmt.Sprintf("Did not receive DO_TURN_ACK after %v.", l.timeout))
	return match.Outcome{}, false
}

// Close implements match.Referee.
func (l *Logic) Close(err error) {
	l.mu.Lock()
	l.expect(nothing, 0, "")
	client := l.client
	l.mu.Unlock()
	if client == nil {
		return
	}
	if err != nil {
		client.Kick(match.ErrAborted)
	} else {
		client.Kick(match.ErrFinished)
	}
}

// send sends a message; its buffer is used again if nothing of it has to wait.
// The caller holds mu.
func (l *Logic) send(message []byte) {
	l.message = message
	if !l.client.deliver(message) {
		l.message = nil
	}
}

// expect notes what the game logic owes. Unless it comes within the limit, if
// there is one, the game logic is kicked. The caller holds mu.
func (l *Logic) expect(d debt, limit time.Duration, fault string) {
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
	l.owes = d
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
	}, func(p *panics.Error) { // before there was an outcome, which comes last
		client.failed(p)
		l.results <- match.Outcome{Err: fmt.Errorf("%w: %s", ErrLogicFailed, fault)}
	})
	l.timer = timer
}

// join seats a game logic.
func (l *Logic) join(s *Session) error {
	l.mu.Lock()
	switch {
	case l.owes != silence:
		l.mu.Unlock()
		return match.ErrStarted
	case l.client != nil:
		l.mu.Unlock()
		return errLogicTaken
	}
	l.client = s
	s.log.Info().Str("nickname", s.nickname).Msg("Game logic accepted") // before the client can know
	s.deliver(netorcai.AppendLoginAck(nil))
	l.mu.Unlock()
	l.changed()
	return nil
}

// hear takes in what the game logic sent. A fault is what it is to be kicked
// for.
func (l *Logic) hear(content []byte, err error) (fault string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.owes {
	case silence:
		if err == nil {
			err = netorcai.CheckObject(content)
		}
		if err != nil {
			return netorcai.KickGameLogic + err.Error()
		}
		return netorcai.KickGameLogicTooSoon
	case patience:
		if err != nil {
			return netorcai.DoTurnAckReason(err)
		}
		if l.early != nil {
			return "Received a second DO_TURN_ACK before the DO_TURN"
		}
		l.early = append([]byte{}, content...)
		return ""
	case nothing:
		return netorcai.KickFinished
	}
	if err != nil && l.owes == doInitAck {
		return netorcai.DoInitAckReason(err)
	}
	if err != nil {
		return netorcai.DoTurnAckReason(err)
	}
	o, fault := l.judge(content)
	if fault == "" {
		l.results <- o
	}
	return fault
}

// judge reads the acknowledgement that is owed. The caller holds mu.
func (l *Logic) judge(content []byte) (o match.Outcome, fault string) {
	o.Await = engine.Everyone
	o.Winner = engine.Nobody
	if l.owes == doInitAck {
		state, err := netorcai.ParseDoInitAck(content)
		if err != nil {
			return o, netorcai.DoInitAckReason(err)
		}
		l.state = append(l.state[:0], state...)
	} else {
		ack, err := netorcai.ParseDoTurnAck(content, l.players)
		if err != nil {
			return o, netorcai.DoTurnAckReason(err)
		}
		o.Winner = engine.PlayerID(ack.WinnerPlayerID)
		l.state = append(l.state[:0], ack.State...)
		l.turns--
	}
	if l.turns > 0 {
		l.expect(patience, 0, "")
	} else {
		l.expect(nothing, 0, "") // it may hang up before it is told goodbye
	}
	return o, ""
}

// lose ends the game logic's part, and with it the match, be it before the start:
// a server whose only game logic failed has nothing left to host.
func (l *Logic) lose(s *Session, fault string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client != s || l.owes == nothing {
		s.kick(fault)
		return
	}
	l.results <- l.fail(fault)
}

// fail kicks the game logic and is how the match ends. The caller holds mu.
func (l *Logic) fail(fault string) match.Outcome {
	l.client.kick(fault)
	l.expect(nothing, 0, "")
	l.log.Warn().Msg("Game logic failed. Aborting.")
	return match.Outcome{Err: fmt.Errorf("%w: %s", ErrLogicFailed, fault)}
}
