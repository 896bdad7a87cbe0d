package seating

import (
	"fmt"
	"net"
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

	// Of the goroutine that fills the seat, and after the match of Report.
	log     string       // the file for all that its bot and its compiler print; empty: none
	started *process.Bot // how its bot was started; nil: it was not
	// of a started bot; written, and read by others, under the mutex of Processes
	proc    *process.Process
	running *running      // the same
	port    net.Listener  // of its own, by which its login is known; nil: none
	inside  *direct.Seat  // of a built-in bot
	talked  chan struct{} // of a bot that was dialled: closed when the conversation is over
	absent  error         // why it has no seat
	resumed bool          // its bot stayed after an earlier match
	cpu     time.Duration // processor time that its bot's process used; 0: not known

	// Guarded by the mutex of Seats until the match is over.
	nickname string
	holder   *login // nil: the seat is free
	returns  *login // of its own process, which asks for the seat again after the start
	remote   string // the address of the client that has the seat, or had it last; after the start, of the one that had it at the start
	givenUp  bool   // its bot is not started again
	origins
}

// login is a client that has a seat.
type login struct {
	remote string
	key    string    // of a client that may connect again
	since  time.Time // when such a client logged in
	proven bool      // it came from the bot's process, or by its port
	joined bool      // the match has given it the seat
	stays  bool      // it asked to stay between matches
	alias  string    // the nickname it gave, if that is another bot's

	packets bool // it speaks the HTTTX Bot API
}

// origins tell what was noticed about where logins for a bot's seat, and the bot's own, came from.
type origins struct {
	untraced bool   // the login that has its seat cannot be traced to its process
	alias    string // the nickname that it gave, if that is another bot's
	usurped  bool   // another process had its seat, or has it, when its own logged in
	denied   int    // logins of its process that were refused a seat
	deniedAs string // the nickname of the first of these
	rejected int    // logins for its seat that were refused because the match is strict
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
