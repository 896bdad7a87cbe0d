// Package botapi seats players that speak the HTTTX Bot API in matches of hexagonal tic-tac-toe:
// bots that the server dials, over WebSocket or stateless HTTP, bots that dial in, and people whose
// clients speak the same packets. It does not decide which players meet.
//
// A [Dialer] or an [Acceptor] returns a [Peer], the other end of a connection; a [Seat] lets it
// play in one match. [Seat.Serve] owns the connection and all goroutines that belong to it, and
// returns soon after the match is over or the peer has disconnected.
package botapi

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// MaxMessage is the maximum length of a message in bytes.
const MaxMessage = 1 << 20

// Timeouts of operations that a peer can delay.
const (
	writeTimeout = 5 * time.Second // of one packet
	closeTimeout = time.Second     // of the closing handshake
)

// Peer is a player at the other end of a connection.
type Peer struct {
	Name    string // that it declares, or its address
	Address string
	Caps    htttx.Capabilities // empty for a person
	person  bool
	// it asked to be told whether the other side is connected, and why a side forfeits
	wantsPresence bool
	socket        htttx.Socket // what it supports over the chosen transport
	transport     transport
	capsURL       *url.URL // from which a dialled bot's capabilities were read
	idle          int      // messages that Idle has dropped
}

// TakesAnyBoard reports whether the peer accepts initial boards other than one cross at the origin.
func (p *Peer) TakesAnyBoard() bool { return p.person || p.Stateless() || p.socket.FreeSetup }

// Refuse closes the connection of a peer that gets no seat, after sending the reason.
func (p *Peer) Refuse(reason string) {
	_ = p.transport.send(htttx.Nope{Reason: reason})
	p.transport.close(reason)
}

// Close closes the connection of a peer that gets no seat.
func (p *Peer) Close() { p.transport.close("") }

// transport carries packets to and from a peer. Messages arrive in order, and the
// last one holds an error. Only the goroutine that serves a seat uses it, or closes it after a new
// connection has replaced it.
type transport interface {
	// send sends a packet, and returns when it has been written.
	send(htttx.Packet) error
	messages() <-chan message
	// ping pings the peer, and returns when it has answered.
	ping(context.Context) error
	// close performs the closing handshake and returns when all goroutines of the
	// connection have ended.
	close(reason string)
}

// message is a packet from a peer, or the error that ended the connection.
type message struct {
	packet htttx.Packet
	err    error // a *violation, or why the peer disconnected
	at     time.Time
}

// receiveSafely calls take to receive a message. A panic becomes the message's error.
func receiveSafely(take func(*message)) (h message) {
	if p := panics.Catch(func() { take(&h) }); p != nil {
		h.err = p
	}
	return h
}

// violation is a breach of the protocol, for which a peer forfeits the game.
type violation struct{ what string }

func (v *violation) Error() string { return v.what }

// IsViolation reports whether an error of [Peer.Receive] is a breach of the protocol: otherwise the
// peer has disconnected.
func IsViolation(err error) bool { return errors.As(err, new(*violation)) }

var (
	errBinary      = &violation{"sent a binary frame; packets are text"}
	errTooLong     = &violation{"sent a message of more than 1 MiB"}
	errResigned    = errors.New("resigned")
	errHungUp      = errors.New("hung up")
	errServerStops = errors.New("the server stops")
	errNotReading  = errors.New("does not read what it is sent")
)

// maxName is the maximum length of a peer's name in characters.
const maxName = 40

// displayName returns name shortened and without control characters, since it is
// shown in terminals, logs and the notation of games.
func displayName(name string) string {
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, name))
	if runes := []rune(name); len(runes) > maxName {
		return string(runes[:maxName-1]) + "…"
	}
	return name
}

// Socket returns what the peer supports over the chosen transport. A stateless peer
// declares only the move time limit.
func (p *Peer) Socket() htttx.Socket { return p.socket }

// IsPerson reports whether the peer is a person's client.
func (p *Peer) IsPerson() bool { return p.person }

// Stateless reports whether moves are requested over HTTP, each time with the whole
// position. Such a peer understands only move requests with a board.
func (p *Peer) Stateless() bool {
	_, ok := p.transport.(*stateless)
	return ok
}

// Send sends a packet to a peer that has no seat. It must not be called concurrently.
func (p *Peer) Send(m htttx.Packet) error { return p.transport.send(m) }

// maxIdle is the number of messages that Idle drops: spectators have no reason to send any.
const maxIdle = 100

// Idle waits until done is closed, and drops what a peer that has no seat sends. It returns false
// if the peer has disconnected or sends too much.
func (p *Peer) Idle(done <-chan struct{}) bool {
	for {
		select {
		case <-done:
			return true
		case h := <-p.transport.messages():
			if p.idle++; h.err != nil || p.idle > maxIdle {
				return false
			}
		}
	}
}

// Receive returns the next packet from a peer that has no seat. It must not be
// called after an error other than that of ctx.
func (p *Peer) Receive(ctx context.Context) (htttx.Packet, error) {
	select {
	case h := <-p.transport.messages():
		return h.packet, h.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
