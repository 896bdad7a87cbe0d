package botapi

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/protocol/jsonscan"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
)

// maxUnsolicited is the number of unrequested packets that a peer may send in a game.
const maxUnsolicited = 32

// maxUnknown is the number of packets of unknown types that a peer may send in a
// game, in addition to an answer to each heartbeat: a few log lines for each of its moves.
const maxUnknown = 1000

// conversation is the exchange of a seat with its peer. It belongs to one goroutine.
type conversation struct {
	seat *Seat
	peer *Peer
	log  zerolog.Logger
	side htttx.Side // of the peer, once the match has started

	request     *request     // the open request, or nil
	requests    int64        // sent
	unsolicited int          // unrequested packets received
	unknown     int          // packets of unknown types received
	heartbeats  int          // sent
	cutOff      int          // moves whose search a time limit cut off, as the peer reports
	answered    []htttx.Cell // the last move that was passed to the match
	current     *Position
	setUp       *Position // that the newest setup showed

	initial *Position // at the start; nil before the start
	// fires when a disconnected peer's grace period ends; nil while it is connected
	graceOver     <-chan time.Time
	disconnectErr error // why it disconnected

	pinger    sync.WaitGroup
	closing   sync.WaitGroup  // of connections that broke or were replaced
	ctx       context.Context // of Serve
	pings     context.Context // of the connection; stopPings ends it
	stopPings context.CancelFunc
	pongs     chan error // of each ping: nil, or the panic that it ended in
	pinging   bool       // a ping is under way
	// when, or the time of the peer's last answer: it may have been too busy to answer
	pinged time.Time
}

// request is a request for a move.
type request struct {
	turn     int
	askedAt  time.Time
	id       *int64
	position *Position
	first    []htttx.Cell // a person's first piece
	repeated bool         // it was first sent over a connection that broke
	beats    int          // heartbeats sent since
}

// Serve sends the match's updates to the peer and passes the peer's answers to the match, until the
// match is over, the peer has disconnected or ctx ends. It closes the connection before it returns.
func (s *Seat) Serve(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	t := &conversation{
		seat: s, peer: s.peer, ctx: ctx, pongs: make(chan error, 1),
		log: s.opts.Log.With().Str("nickname", s.peer.Name).Str("address", s.peer.Address).Logger(),
	}
	t.pings, t.stopPings = context.WithCancel(ctx)
	var farewell string
	if p := panics.Catch(func() { farewell = t.run(ctx) }); p != nil {
		farewell = t.leave(p)
	}
	close(s.served)
	s.stopUpdates()
	t.stopPings()
	cancel()
	t.closing.Wait() // before the last connection is closed, which may be one of them
	if p := panics.Catch(func() { t.peer.transport.close(farewell) }); p != nil {
		t.log.Error().EmbedObject(p).Msg("Closing the connection failed")
	}
	t.pinger.Wait()
	if t.unsolicited > 0 {
		t.log.Warn().Int("packets", t.unsolicited).Msg("Dropped packets that were not requested")
	}
	if t.cutOff > 0 {
		t.log.Warn().Int("moves", t.cutOff).Msg(
			"The time limit cut off moves: the game is not reproducible")
	}
}

// run runs the conversation, and returns the reason to close the connection with.
func (t *conversation) run(ctx context.Context) (farewell string) {
	beat := time.NewTicker(t.seat.opts.Heartbeat)
	defer beat.Stop()
	for {
		var err error
		incoming := t.peer.transport.messages()
		if t.graceOver != nil {
			incoming = nil
		}
		select {
		case p := <-t.seat.reconnected:
			err = t.resume(p)
		case <-t.graceOver:
			return t.leave(t.disconnectErr)
		case connected := <-t.seat.presence:
			if t.peer.wantsPresence {
				err = t.send(htttx.Presence{Connected: connected})
			}
		case <-t.seat.changed:
			var over bool
			if over, err = t.relay(); over {
				return "game over"
			}
		case h := <-incoming:
			err = t.handle(h)
		case <-beat.C:
			err = t.heartbeat()
		case err = <-t.pongs:
			t.pinging = false
		case <-ctx.Done():
			_ = t.send(htttx.Nope{Reason: errServerStops.Error()})
			return t.leave(errServerStops)
		}
		if err != nil && !t.holdSeat(err) {
			return t.leave(err)
		}
	}
}

// leave gives the seat up, if there is one. After a violation, the peer forfeits the game.
func (t *conversation) leave(err error) (farewell string) {
	place := t.seat.place()
	var broken *violation
	var caught *panics.Error
	switch {
	case errors.As(err, &broken):
		t.log.Warn().Str("reason", broken.what).Msg("Player forfeits")
		if place != nil {
			place.Forfeit(broken.what)
		}
		_ = t.peer.transport.send(htttx.Nope{Reason: broken.what})
		return broken.what
	case errors.As(err, &caught): // the connection is not used any more
		t.log.Error().EmbedObject(caught).Msg("Serving a player failed")
	default:
		t.log.Info().Str("reason", err.Error()).Msg("Player disconnected")
	}
	if place != nil {
		place.Leave(err.Error())
	}
	return err.Error()
}

// relay sends the pending updates of the match to the peer.
func (t *conversation) relay() (over bool, err error) {
	n := t.seat.takePending()
	defer n.release()
	if n.started != nil {
		t.side = [...]htttx.Side{htttx.Cross, htttx.Circle}[n.id]
		var err error
		if t.initial, err = PositionOf(n.started); err != nil {
			return false, err
		}
		if t.graceOver != nil {
			t.graceOver = time.After(t.seat.opts.Grace)
		}
		if err := t.setup(t.initial.latest(n.newest)); err != nil {
			return false, err
		}
	}
	if n.newest != nil {
		if err := t.showBoard(n.newest); err != nil {
			return n.kickReason != nil, err
		}
	}
	if n.kickReason != nil {
		t.sayGoodbye(n.kickReason)
	}
	return n.kickReason != nil, nil
}

// showBoard handles a new board. It interrupts a request that is over, and requests
// a move if it is the peer's turn.
func (t *conversation) showBoard(f *match.Frame) (err error) {
	if t.current, err = PositionOf(f); err != nil {
		return err
	}
	if t.request != nil && (f.Moment == match.Ended || f.Turn > t.request.turn) {
		if t.peer.socket.Interruptible {
			if err := t.send(htttx.Interrupt{RequestID: t.request.id}); err != nil {
				return err
			}
		}
		t.request = nil
	}
	known := t.peer.person && f.Past
	if f.Moment == match.Turned && !known && t.current.ToMove == t.side && t.request == nil {
		return t.ask(&request{turn: f.Turn, position: t.current, askedAt: time.Now()})
	}
	return nil
}

// setup shows the peer a board from which it is to play.
func (t *conversation) setup(p *Position) error {
	t.setUp = p
	packet := p.Setup()
	if t.peer.wantsPresence {
		packet.Side = t.side
	}
	return t.send(packet)
}

// ask requests a move of the peer, or the next piece of a person.
func (t *conversation) ask(r *request) error {
	m := htttx.MoveRequest{
		Side: t.side, Previous: r.position.Previous, Board: jsonscan.Value(r.position.Board),
	}
	if !t.peer.person { // the setup showed the moves before it
		m.Previous = r.position.Since(t.setUp)
	} else {
		m.Previous = m.Previous[max(0, len(m.Previous)-1):] // the last one
		if r.first != nil {
			m.Previous = []htttx.Move{{Side: t.side, Pieces: r.first}}
			m.Board = htttx.AppendPiece(nil, m.Board, htttx.Piece{Cell: r.first[0], Side: t.side})
		}
	}
	if t.peer.socket.MoveTimeLimit {
		m.Limit = r.position.limit(t.side, t.seat.opts.Patience)
		if r.repeated { // the clock ran on
			m.Limit = max(m.Limit-time.Since(r.askedAt), time.Millisecond)
		}
	}
	t.requests++
	if t.peer.socket.RequestID {
		r.id = new(t.requests)
		m.RequestID = r.id
	}
	t.request = r
	return t.send(m)
}

// sayGoodbye sends the end of the match. A peer that forfeited is told the reason first.
func (t *conversation) sayGoodbye(reason error) {
	if reason != match.ErrFinished || t.current == nil {
		_ = t.send(htttx.Nope{Reason: reason.Error()})
		return
	}
	end := t.current.End()
	if end.Reason == htttx.EndForfeit && end.Winner == t.side.Other() {
		_ = t.send(htttx.Nope{Reason: t.current.refusal(t.answered)})
	}
	if end.Reason == htttx.EndForfeit && t.peer.wantsPresence {
		end.Detail = strings.TrimPrefix(t.current.Reason, "forfeit: ")
		if absent := t.seat.opts.Absent; absent != nil && absent() {
			end.Detail = "the bot could not be connected; check its address"
		}
	}
	_ = t.send(end)
}

// send sends a packet if the peer is connected.
func (t *conversation) send(p htttx.Packet) error {
	if t.graceOver != nil {
		return nil
	}
	return t.peer.transport.send(p)
}

// maxBeats is the number of heartbeats that are sent while a request is open. A bot may read none
// of them before its answer: 1000 are 40 kB, which a connection holds, and 83 minutes at
// Hivemaker's default period.
const maxBeats = 1000

// heartbeat sends the peer a heartbeat, and pings it unless a request is open: a bot that thinks
// may be too busy to answer, and only its clock counts. Bots are never told that the server waits
// for them: one that reads the packet only after its answer takes it for an error and hangs up.
func (t *conversation) heartbeat() error {
	if t.graceOver != nil {
		return nil
	}
	asked := t.request != nil
	if !asked && t.pinging && time.Since(t.pinged) > t.seat.opts.Silence {
		return errors.New("answers no ping")
	}
	// before the setup, clients expect no packet
	if t.initial != nil && (!asked || t.request.beats < maxBeats) {
		t.heartbeats++
		if asked {
			t.request.beats++
		}
		if err := t.send(htttx.Heartbeat{Waiting: asked && t.peer.person}); err != nil {
			return err
		}
	}
	if asked {
		return nil
	}
	// after the heartbeat, since another goroutine sends it: the order is always the same
	if !t.pinging {
		t.pinging, t.pinged = true, time.Now()
		transport, pings := t.peer.transport, t.pings // which another connection replaces
		panics.Go(&t.pinger, func() {
			_ = transport.ping(pings) // the reader reports why it failed
			t.pongs <- nil
		}, func(p *panics.Error) { t.pongs <- p })
	}
	return nil
}
