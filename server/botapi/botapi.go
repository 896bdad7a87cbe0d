// Package botapi seats those who speak the packets of the HTTTX Bot API in
// matches of hexagonal tic-tac-toe: bots that the server dials, over WebSocket or
// stateless HTTP, bots that dial in, and people whose clients speak the same
// packets. It knows nothing of who plays whom.
//
// A [Dialer] or an [Acceptor] makes a [Peer], which is somebody at the other end
// of a connection; a [Seat] lets it play in one match. [Seat.Serve] owns the
// connection and all goroutines that belong to it, and returns soon after the
// match is over or the peer is gone.
package botapi

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/panics"
)

// MaxMessage is how long a message may be, in bytes.
const MaxMessage = 1 << 20

// Bounds on what a peer can make us wait for.
const (
	writeTimeout = 5 * time.Second // until a packet is on its way
	closeTimeout = time.Second     // for the closing handshake
)

// Peer is somebody who can be played with.
type Peer struct {
	Name          string // as it says, or where it is
	Address       string
	Caps          htttx.Capabilities // a person has none
	person        bool
	wantsPresence bool         // it wants to be told whether the other side is connected
	socket        htttx.Socket // what it can do over the way that was chosen
	freeSetup     bool         // it takes any board to begin with
	transport     transport
	capsURL       *url.URL // of the capabilities of a bot that was dialled
}

// TakesAnyBoard reports whether the peer plays from boards other than one cross
// at the origin.
func (p *Peer) TakesAnyBoard() bool { return p.freeSetup }

// Nudge sends a peer that has no seat a sign of life, so that nothing on the way
// takes the connection for dead. It does not wait for an answer.
func (p *Peer) Ping() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = p.transport.ping(ctx)
}

// Dismiss gives up a peer that gets no seat, and says why.
func (p *Peer) Refuse(reason string) {
	_ = p.transport.send(htttx.Nope{Reason: reason})
	p.transport.close(reason)
}

// Close gives up a peer that gets no seat.
func (p *Peer) Close() { p.transport.close("") }

// way is a way to a peer: packets out, packets in. What is heard comes in order,
// and the last of it has an error. Only the goroutine that serves a seat uses it.
type transport interface {
	// send sends a packet, and returns when it is on its way.
	send(htttx.Packet) error
	messages() <-chan message
	// ping asks for a sign of life, and returns when it has come.
	ping(context.Context) error
	// close says goodbye and returns when nothing of the connection is left.
	close(reason string)
}

// heard is a packet from a peer, or why there will be no other.
type message struct {
	packet htttx.Packet
	err    error // a *violation, or why the peer is gone
	at     time.Time
}

// hearing takes in what a peer has to say. One for whom that panics is gone.
func receiveSafely(take func(*message)) (h message) {
	if p := panics.Catch(func() { take(&h) }); p != nil {
		h.err = p
	}
	return h
}

// violation is how a peer broke the rules of its wire: it loses for that.
type violation struct{ what string }

func (v *violation) Error() string { return v.what }

var (
	errBinary      = &violation{"sent a binary frame; packets are text"}
	errTooLong     = &violation{"sent a message of more than 1 MiB"}
	errHungUp      = errors.New("hung up")
	errServerStops = errors.New("the server stops")
	errNotReading  = errors.New("does not read what it is sent")
)

// maxName bounds what a peer may be called, in characters.
const maxName = 40

// clipped is a name as it can be shown: terminals, logs and the notation of games
// have it too, so that it holds no control characters.
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
