package seating

import (
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/process"
)

// Seat is a seat of a room: who may take it, and what fills it.
type Seat struct {
	seat.Spec
	seats  *Seats
	number int // from 1

	filler
	claim
	running atomic.Pointer[running] // the process of its bot; nil: none
}

// filler is how the bot of a seat was seated. It belongs to the goroutine that seats the bot, and
// after the match to Report.
type filler struct {
	log     string        // the file for all that the bot and its compiler print; empty: none
	started *process.Bot  // how the bot was started; nil: it was not
	port    net.Listener  // of its own, by which its login is known; nil: none
	inside  *direct.Seat  // of a built-in bot
	talked  chan struct{} // of a bot that was dialled: closed when the conversation is over
	absent  error         // why the bot has no seat
	resumed bool          // the bot stayed after an earlier match
	cpu     time.Duration // processor time that the bot's process used; 0: not known
}

// process returns the process of the seat's bot, nil if none was started.
func (b *Seat) process() *process.Process {
	if r := b.running.Load(); r != nil {
		return r.proc
	}
	return nil
}

func (b *Seat) role() match.Role {
	if b.Special {
		return match.Special
	}
	return match.Player
}

// mayStay reports whether the seat's bot is one that is started.
func (b *Seat) mayStay() bool { return b.Kind == seat.Process }

// key returns what identifies the bot's seat: a login that has it replaces an earlier one.
func (b *Seat) key() string { return fmt.Sprint("seat ", b.number) }

// conversed reports whether the bot spoke the HTTTX Bot API.
func (b *Seat) conversed() bool { return b.talked != nil || b.holder != nil && b.holder.packets }

// forClients reports whether the seat waits for a client.
func (b *Seat) forClients() bool {
	return b.Kind == seat.Page || b.Kind == seat.Open || b.Kind == seat.Wait
}

// reserved reports whether the seat is a player's that is not open to any client.
func (b *Seat) reserved() bool { return !b.Special && b.Kind != seat.Open }

// rank is how well a seat suits a client; of two that suit it, the lower one is better.
type rank int

const (
	unsuited     rank = iota // the client cannot take the seat
	reconnects               // the client had the seat with the same key
	forPage                  // the seat is for clients of the page
	forToken                 // the seat is kept for the client's token
	forNickname              // the seat is kept for the client's nickname
	forAnyClient             // the seat waits for a client, whichever comes first
	openSeat                 // the seat is not reserved
	forPerson                // the seat is kept for another nickname, which a person may take
)

// suits returns the rank of a seat for a client.
func (b *Seat) suits(c *Client) rank {
	switch {
	case !b.forClients():
		return unsuited
	case b.holder != nil:
		if c.Key != "" && b.holder.key == c.Key && !c.Since.Before(b.holder.since) {
			return reconnects
		}
		return unsuited
	case b.Kind == seat.Page:
		if c.Page {
			return forPage
		}
		return unsuited
	case b.Kind == seat.Open:
		return openSeat
	case b.Key == "" && b.Name != "" && c.Person:
		return forPerson
	case b.Key != "" || b.Name != "":
		return b.expects(c)
	}
	return forAnyClient
}

// expects returns forToken or forNickname if the seat is kept for the client, else unsuited.
func (b *Seat) expects(c *Client) rank {
	switch {
	case b.Kind != seat.Wait:
	case b.Key != "" && b.Key == c.Key:
		return forToken
	case b.Key == "" && b.Name != "" && b.Name == c.Nickname:
		return forNickname
	}
	return unsuited
}
