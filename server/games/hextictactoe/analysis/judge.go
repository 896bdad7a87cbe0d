package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
)

// judge asks a bot about the positions of a game.
type judge struct {
	opts     Options
	game     *Game
	can      htttx.Socket
	who      Judge
	met      *botapi.Peer            // the first session's, perhaps closed
	sessions map[htttx.Side]*session // one for each side, or one for both under side 0
	failures int                     // in a row
}

// question is a request about one position.
type question struct {
	line       []htttx.Move
	side       htttx.Side // to move
	move, eval bool       // what is asked for
}

// opinion is what the judge thinks of a position.
type opinion struct {
	eval  *htttx.Evaluation // nil: it did not say
	move  []htttx.Cell      // nil: it did not say
	fault string            // why something is missing
}

// Bounds on what a judge can cost.
const (
	grace = 500 * time.Millisecond // beyond the time that a judge was told it has
	// packets that answer no request, while an answer is awaited
	maxUnsolicited = 32
	maxFailures    = 3 // questions in a row that broke a session
)

var errSlow = errors.New("no answer in time")

// meet opens the first session and learns what the judge can do. A bot that cannot be
// shown positions over a WebSocket is asked by stateless requests, if it has them.
func (j *judge) meet(ctx context.Context) error {
	s, err := j.open(j.opts.Dialer.Dial(ctx, j.opts.Address))
	if err != nil {
		return err
	}
	if !s.can.FreeSetup && !s.can.MoveSkips && s.peer.Caps.Stateless != nil {
		s.peer.Close()
		if s, err = j.open(j.opts.Dialer.Redial(ctx, s.peer, true)); err != nil {
			return err
		}
	}
	j.met, j.can = s.peer, s.can
	j.who = Judge{Name: s.peer.Name, Address: s.peer.Address, Stateless: s.peer.Stateless()}
	j.sessions[j.sessionKey(j.game.side(0))] = s
	return nil
}

// sessionKey returns the side under which the session for a side is kept.
func (j *judge) sessionKey(side htttx.Side) htttx.Side {
	if j.can.DualSided {
		return 0
	}
	return side
}

// open returns a session with a peer that was dialled.
func (j *judge) open(p *botapi.Peer, err error) (*session, error) {
	if err != nil {
		return nil, err
	}
	s := &session{peer: p, can: capabilitiesOf(p)}
	if s.can.Config && j.opts.Depth > 0 {
		if err := p.Send(htttx.Config{Depth: new(int32(j.opts.Depth))}); err != nil {
			p.Close()
			return nil, err
		}
	}
	return s, nil
}

func (j *judge) close() {
	for _, s := range j.sessions {
		s.peer.Close()
	}
}

// sessionFor returns a session that can be shown a position, an open one if possible.
func (j *judge) sessionFor(ctx context.Context, q *question) (*session, step, error) {
	key := j.sessionKey(q.side)
	s := j.sessions[key]
	if s != nil && !s.faulty {
		if w, ok := s.stepTo(j.game, q.line); ok {
			return s, w, nil
		}
	}
	w, ok := (&session{can: j.can}).stepTo(j.game, q.line)
	if !ok {
		return nil, w, errUnreachable
	}
	if s != nil {
		s.peer.Close()
		delete(j.sessions, key)
	}
	s, err := j.open(j.opts.Dialer.Redial(ctx, j.met, j.met.Stateless()))
	if err != nil {
		return nil, w, err
	}
	j.sessions[key] = s
	return s, w, nil
}

// ask asks about a position. It tries once more if the session breaks. An error means that
// the judge cannot be used any more, or that ctx has ended.
func (j *judge) ask(ctx context.Context, q question) (*opinion, error) {
	for again := true; ; again = false {
		o := &opinion{}
		s, w, err := j.sessionFor(ctx, &q)
		if err == nil {
			err = j.askIn(ctx, s, w, &q, o)
		}
		if j.opts.Answered != nil {
			j.opts.Answered()
		}
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err == nil:
			j.failures = 0
			return o, nil
		case err == errUnreachable || err == errSlow:
			o.fault = err.Error()
			return o, nil
		}
		if j.failures++; j.failures >= maxFailures {
			return nil, fmt.Errorf("the judge %s failed %d times in a row: %w", j.who.Name, j.failures, err)
		}
		if !again {
			o.fault = "the judge " + err.Error()
			return o, nil
		}
	}
}

// askIn asks a question in a session. A judge that does not declare evaluation gives its
// evaluation with its move.
func (j *judge) askIn(ctx context.Context, s *session, w step, q *question, o *opinion) error {
	if err := s.setUp(j.game, w); err != nil {
		s.faulty = true
		return err
	}
	if q.move || !s.can.Evaluation || len(w.previous) > 0 {
		m, err := j.askMove(ctx, s, w, q)
		if err != nil {
			return err
		}
		o.move, o.eval = m.Move.Pieces, beforeMove(m.Move.Evaluation)
	}
	if q.eval && s.can.Evaluation {
		e, err := j.askEval(ctx, s, q.side)
		if err != nil {
			return err
		}
		o.eval = &e.Evaluation
	}
	return nil
}

// beforeMove returns what the evaluation that comes with a move, of the position after
// it, says of the position before: there a win is one move further away.
func beforeMove(e *htttx.Evaluation) *htttx.Evaluation {
	if e == nil || e.WinIn == nil || *e.WinIn == 0 {
		return e
	}
	before := *e
	if n := *e.WinIn; n > 0 && n < math.MaxInt32 {
		before.WinIn = new(n + 1)
	} else if n < 0 && n > math.MinInt32 {
		before.WinIn = new(n - 1)
	}
	return &before
}

func (j *judge) askMove(
	ctx context.Context, s *session, w step, q *question,
) (answer htttx.MoveResponse, err error) {
	s.requests++
	m := htttx.MoveRequest{
		Side: q.side, Previous: w.previous, Board: htttx.AppendBoard(nil, j.game.pieces(q.line)),
	}
	if s.can.RequestID {
		m.RequestID = new(s.requests)
	}
	patience := j.opts.Time
	if s.can.MoveTimeLimit {
		m.Limit = patience
		patience += grace
	}
	err = j.await(ctx, s, m, m.RequestID, patience, func(p htttx.Packet) (ok bool) {
		answer, ok = p.(htttx.MoveResponse)
		return ok && (m.RequestID == nil || answer.RequestID != nil && *answer.RequestID == *m.RequestID)
	})
	if err == nil { // otherwise what it was told is void
		s.line, s.asked, s.answered = q.line, q.side, answer.Move.Pieces
	}
	return answer, err
}

func (j *judge) askEval(
	ctx context.Context, s *session, side htttx.Side,
) (answer htttx.EvalResponse, err error) {
	m := htttx.EvalRequest{Side: side}
	patience := j.opts.Time
	if s.can.EvaluationTimeLimit {
		m.Limit = patience
		patience += grace
	}
	err = j.await(ctx, s, m, nil, patience, func(p htttx.Packet) (ok bool) {
		answer, ok = p.(htttx.EvalResponse)
		return ok
	})
	return answer, err
}

// await sends a request and waits for the packet that answers it. It interrupts a judge
// that takes too long, and when ctx ends. Late answers are then told by their request_id;
// the session of a judge that has none is given up.
func (j *judge) await(
	ctx context.Context, s *session, request htttx.Packet, id *int64, patience time.Duration,
	answers func(htttx.Packet) bool,
) error {
	within, cancel := context.WithTimeoutCause(ctx, patience, errSlow)
	defer cancel()
	err := s.peer.Send(request)
	for unsolicited := 0; err == nil; unsolicited++ {
		var p htttx.Packet
		if p, err = s.peer.Receive(within); err == nil && answers(p) {
			return nil
		}
		if unsolicited == maxUnsolicited {
			err = fmt.Errorf("sent %d packets that answer no request", maxUnsolicited)
		}
	}
	if within.Err() == nil {
		s.faulty = true
		return err
	}
	if s.can.Interruptible {
		_ = s.peer.Send(htttx.Interrupt{RequestID: id})
	}
	s.faulty = !s.can.Interruptible || id == nil
	return context.Cause(within)
}
