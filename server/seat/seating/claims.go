package seating

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// claim is who has a seat, had it, or wants it. The mutex of [admission] guards it until the match
// is over.
type claim struct {
	nickname string
	holder   *login // nil: the seat is free
	returns  *login // of its own process, which asks for the seat again after the start
	// remote is the address of the client that has the seat, or had it last; after the start, of
	// the one that had it at the start.
	remote  string
	givenUp bool // its bot is not started again
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

// taken reports whether the match has given a client the seat.
func (c *claim) taken() bool { return c.holder != nil && c.holder.joined }

// Kept returns how many of the reserved seats are not taken.
func (a *admission) Kept() (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, b := range a.list {
		if b.reserved() && b.holder == nil {
			n++
		}
	}
	return n
}

// holding returns the seat that was taken from an address, or nil. The caller holds mu.
func (a *admission) holding(remote string) *Seat {
	for _, b := range a.list {
		if b.holder != nil && b.holder.remote == remote {
			return b
		}
	}
	return nil
}

// touch tells that a seat was taken or given up. The caller holds mu.
func (a *admission) touch() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// until waits until a condition holds, which it checks with mu held whenever a seat is taken or
// given up. It returns false if ctx ends first.
func (a *admission) until(ctx context.Context, holds func() bool) bool {
	for {
		a.mu.Lock()
		now, changed := holds(), a.changed
		a.mu.Unlock()
		if now {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// joined notes that the match has given a client its seat, or given it back.
func (a *admission) joined(info match.SeatInfo) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.settled {
		a.handOver(info.Remote)
		return
	}
	b := a.holding(info.Remote)
	if b == nil {
		return
	}
	b.holder.joined, b.remote = true, info.Remote
	if b.Kind != seat.Process { // whose nickname was given to it
		b.nickname = info.Nickname
	}
	a.touch()
}

// settle ends the admission with the seats that a match begins with.
func (a *admission) settle(seats []match.SeatInfo) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.settled = true
	for i := range seats {
		if b := a.holding(seats[i].Remote); b != nil {
			b.remote, b.untraced, b.alias = b.holder.remote, !b.holder.proven, b.holder.alias
		}
	}
}

// handOver notes that a bot has its seat by another connection than at the start, which may have
// been another client's. The caller holds mu.
func (a *admission) handOver(remote string) {
	for _, b := range a.list {
		if b.returns != nil && b.returns.remote == remote {
			b.holder, b.returns = b.returns, nil
		}
	}
}

// empty reports whether there are players' seats in the list, and no client or bot has one.
func (a *admission) empty() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.players > 0 &&
		!slices.ContainsFunc(a.list, func(b *Seat) bool { return !b.Special && b.taken() })
}

// unique returns an address that no seat was taken from: a bot may play against itself.
func (a *admission) unique(remote string, number int) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.holding(remote) == nil {
		return remote
	}
	return fmt.Sprintf("%s (seat %d)", remote, number)
}

// giveUp notes that a bot is not started again.
func (a *admission) giveUp(b *Seat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b.givenUp = true
	a.touch()
}

// await gives a bot's seat to logins of unknown origin, until the next call; nil: none gets one.
func (a *admission) await(b *Seat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.awaited = b
}

// assign gives a bot its seat without a login. It returns false if the bot has logged in.
func (a *admission) assign(b *Seat, as *login) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if b.holder != nil {
		if b.holder.proven {
			return false
		}
		b.usurped = true
	}
	b.holder = as
	return true
}

// Release frees the seat of a client that has left before the start, or got none from the match.
func (a *admission) Release(remote string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.holding(remote)
	if b == nil || a.settled {
		return
	}
	b.holder = nil
	if b.forClients() {
		b.remote = ""
	}
	a.touch()
}

// taken reports whether the match has given a bot its seat, and returns what is closed when that
// may change.
func (a *admission) taken(b *Seat) (taken bool, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return b.taken(), a.changed
}

// rejected returns how many logins for a bot's seat were refused because the match is strict.
func (a *admission) rejected(b *Seat) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return b.claim.rejected
}
