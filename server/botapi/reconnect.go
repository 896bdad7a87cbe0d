package botapi

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
)

// holdSeat keeps the seat of a peer whose connection broke for the grace period.
// The match is not told, so that its clock runs on. It returns false if the peer
// broke the rules, has resigned or may not reconnect.
func (t *conversation) holdSeat(err error) bool {
	var broken *violation
	var caught *panics.Error
	if t.seat.opts.Grace <= 0 || err == errResigned || t.graceOver != nil || errors.As(err, &broken) ||
		errors.As(err, &caught) {
		return false
	}
	t.log.Info().Str("reason", err.Error()).Dur("grace_ms", t.seat.opts.Grace).Msg(
		"Player disconnected and may reconnect")
	t.stopPings()
	t.closePrevious(nil, err.Error())
	t.graceOver, t.disconnectErr = make(chan time.Time), err
	if t.initial != nil || t.seat.opts.Lobby {
		t.graceOver = time.After(t.seat.opts.Grace)
	}
	t.reportPresence(false)
	return true
}

// resume continues the conversation over a new connection of the peer. It replaces
// the old connection, which may not have noticed yet that it is broken. The peer
// gets the current board and its open request. A person who had sent the first of
// two pieces is asked for it again, because it has not been placed.
func (t *conversation) resume(p *Peer) error {
	if t.graceOver == nil {
		reason := match.ErrReplaced.Error()
		t.closePrevious(htttx.Nope{Reason: reason}, reason)
	}
	t.stopPings()
	t.pings, t.stopPings = context.WithCancel(t.ctx)
	t.peer, t.graceOver, t.disconnectErr, t.pinged = p, nil, nil, time.Now()
	t.log = t.seat.opts.Log.With().Str("nickname", p.Name).Str("address", p.Address).Logger()
	t.log.Info().Msg("Player is back")
	t.reportPresence(true)
	if t.initial == nil {
		return nil // relay will send the setup
	}
	if err := t.setup(cmp.Or(t.seat.newest(), t.current, t.initial)); err != nil {
		return err
	}
	if r := t.request; r != nil {
		return t.ask(&request{turn: r.turn, position: r.position, askedAt: r.askedAt, repeated: true})
	}
	return nil
}

// closePrevious closes the peer's connection after sending last, unless that is nil, and does not
// wait for it: a peer that has stopped reading takes a while, in which its clock runs.
func (t *conversation) closePrevious(last htttx.Packet, reason string) {
	previous, log := t.peer.transport, t.log
	panics.Go(&t.closing, func() {
		if last != nil {
			_ = previous.send(last)
		}
		previous.close(reason)
	}, func(p *panics.Error) { log.Error().EmbedObject(p).Msg("Closing the connection failed") })
}

func (t *conversation) reportPresence(connected bool) {
	if tell := t.seat.opts.Presence; tell != nil {
		tell(connected)
	}
}
