package botapi

import (
	"context"
	"errors"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
)

// goAway keeps the seat of a peer whose connection broke, for as long as the grace.
// The match is not told, so that its clock runs on. It is false for a peer that broke
// the rules, or may not come back.
func (t *conversation) holdSeat(err error) bool {
	var broken *violation
	var caught *panics.Error
	if t.seat.opts.Grace <= 0 || t.graceOver != nil || errors.As(err, &broken) || errors.As(err, &caught) {
		return false
	}
	t.log.Info().Str("reason", err.Error()).Dur("grace_ms", t.seat.opts.Grace).Msg("Player is gone, and may come back")
	t.stopPings()
	t.peer.transport.close(err.Error())
	t.graceOver, t.disconnectErr = time.After(t.seat.opts.Grace), err
	t.reportPresence(false)
	return true
}

// comeBack goes on with a new connection of the peer: in place of the one that broke,
// or of one that does not know it yet. The peer gets the board as it is, and the
// request that it owes an answer to. Of a person, a piece that was one of two is
// asked for once more: it has not been placed.
func (t *conversation) resume(p *Peer) error {
	if t.graceOver == nil {
		_ = t.send(htttx.Nope{Reason: match.ErrReplaced.Error()})
		t.peer.transport.close(match.ErrReplaced.Error())
	}
	t.stopPings()
	t.pings, t.stopPings = context.WithCancel(t.ctx)
	t.peer, t.graceOver, t.disconnectErr, t.pinged = p, nil, nil, time.Now()
	t.log = t.seat.opts.Log.With().Str("nickname", p.Name).Str("address", p.Address).Logger()
	t.log.Info().Msg("Player is back")
	t.reportPresence(true)
	board := t.current
	if board == nil {
		board = t.initial
	}
	if board == nil {
		return nil // the setup is still to come
	}
	if err := t.send(board.Setup()); err != nil {
		return err
	}
	if r := t.request; r != nil {
		return t.ask(&request{turn: r.turn, position: r.position, askedAt: r.askedAt, repeated: true})
	}
	return nil
}

func (t *conversation) reportPresence(connected bool) {
	if tell := t.seat.opts.Presence; tell != nil {
		tell(connected)
	}
}
