package seating

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// Client is a client that asks for a seat.
type Client struct {
	match.Candidate
	Page bool // it connects from the page
	// Person is whether a person plays there, who has no nickname of their own: they may take a seat
	// that waits for one.
	Person bool
	Stays  bool  // it asked to stay after the match, and to play the next one
	Bot    *Seat // of the bot whose process it comes from; nil: of none that is known
	// Packets is the seat of a bot that speaks the HTTTX Bot API; nil: it speaks the metaprotocol.
	Packets *botapi.Seat
}

// Why a client gets no seat, beside what is said of a bot.
var (
	errReserved = errors.New("all seats are reserved for others")
	errUntraced = errors.New(
		"the match is strict, and this process cannot be traced to a bot that it started")
	errSeatTaken = errors.New("the seat of the bot that is awaited is taken")
	errNoPackets = errors.New(
		"the game cannot be played over the HTTTX Bot API; log in over netorcai's metaprotocol")
	errNoBoards = errors.New(
		"the bot does not declare free_setup, so that it cannot play from openings")
)

// admission decides who gets which seat, until the match has started.
type admission struct {
	list     []*Seat // in the order of the description
	players  int     // seats in the list that are not for special players
	capacity int     // players' seats of the match, which may be more
	once     *Once   // how bots get their seats if it is of that kind; nil: it is not
	foreign  bool    // as Launch has it
	log      zerolog.Logger

	mu      sync.Mutex    // guards all below, and the claims of the seats
	changed chan struct{} // closed and replaced when a seat is taken or given up
	awaited *Seat         // of the bot that was started and has no seat yet; nil: none
	settled bool          // the match has started: no seat changes hands any more
}

// admit chooses the seat of a client, and completes its candidate. The error is for the client.
func (a *admission) admit(c *Client) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.settled {
		a.admitLate(c)
		return nil
	}
	b, own := c.Bot, c.Bot != nil
	var err error
	if own {
		err = a.judge(c)
	} else {
		b, err = a.choose(c)
	}
	if err != nil {
		if own || a.awaited != nil {
			a.log.Warn().Str("nickname", c.Nickname).Str("address", c.Remote).Err(err).Msg("Login refused")
		}
		return err
	}
	c.Number = len(a.list) + 1
	if b == nil {
		return nil // the match decides
	}
	c.Number, c.Reserved = b.number, b.reserved()
	if b.forClients() {
		b.holder = &login{
			remote: c.Remote, key: c.Key, since: c.Since, proven: true, packets: c.Packets != nil,
		}
		return nil
	}
	if b.holder != nil {
		a.noteUsurped(b)
	}
	b.holder = &login{
		remote: c.Remote, proven: own, packets: c.Packets != nil, stays: c.Stays,
		alias: a.alias(b, c.Nickname),
	}
	if own && a.foreign {
		c.Nickname = b.nickname
	}
	// The match drops a login that had the key before, whenever that came.
	c.Key, c.Seed, c.Since = b.key(), b.Seed, time.Time{}
	return nil
}

// admitLate completes the candidate of a client that comes after the start: it may reconnect.
func (a *admission) admitLate(c *Client) {
	b := c.Bot
	if b == nil {
		return
	}
	c.Key, c.Number, c.Seed = b.key(), b.number, b.Seed
	if b.holder == nil {
		return
	}
	if !b.holder.proven {
		a.noteUsurped(b)
	}
	b.returns = &login{
		remote: c.Remote, proven: true, joined: true, stays: c.Stays, packets: c.Packets != nil,
	}
}

// noteUsurped notes that another process has, or had, the seat of a bot that logs in.
func (a *admission) noteUsurped(b *Seat) {
	if b.usurped {
		return
	}
	b.usurped = true
	a.log.Warn().Str("bot", b.Label).Str("address", b.holder.remote).Msg(
		"Another process had taken the bot's seat")
}

// judge returns why the login of a bot gets no seat, or nil. The caller holds mu.
func (a *admission) judge(c *Client) (err error) {
	b := c.Bot
	switch {
	case b.holder != nil && b.holder.proven:
		err = fmt.Errorf("%s has a seat already", b.Label)
	case b.role() != c.Role:
		err = fmt.Errorf("the seat of %s is that of a %s", b.Label, b.role())
	}
	if err != nil {
		b.denied++
		if b.deniedAs == "" {
			b.deniedAs = c.Nickname
		}
	}
	return err
}

// choose returns the seat for a client that is not known to be a started bot, nil for one that is
// not in the list, or why it gets none. The caller holds mu.
func (a *admission) choose(c *Client) (*Seat, error) {
	var best *Seat
	for _, b := range a.list {
		r := b.suits(c)
		if r != unsuited && c.Role == match.Player && (best == nil || r < best.suits(c)) {
			best = b
		}
	}
	if best != nil || a.unlisted(c.Role) {
		return best, nil
	}
	b := a.awaited
	switch {
	case b == nil || c.Page || b.role() != c.Role:
		return nil, a.refusal(c)
	case b.holder != nil:
		return nil, errSeatTaken
	case a.once.Strict: // only bots that are seated once are awaited
		b.rejected++
		return nil, errUntraced
	}
	return b, nil
}

// invites reports whether a person at the page would get one of the players' seats of the match
// that are free.
func (a *admission) invites(free int) bool {
	kept := a.Kept()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.settled {
		return false
	}
	b, err := a.choose(&Client{Page: true, Person: true})
	return err == nil && (b != nil || free > kept)
}

// unlisted reports whether the match may have seats for a role that are not in the list.
func (a *admission) unlisted(role match.Role) bool {
	if role == match.Player {
		return a.players == 0 || a.players < a.capacity
	}
	return a.players == len(a.list)
}

// refusal returns why a client gets none of the seats. The caller holds mu.
func (a *admission) refusal(c *Client) error {
	if c.Role == match.Special {
		return match.ErrSpecials
	}
	for _, b := range a.list {
		if a.once != nil && b.Kind == seat.Wait && b.Name != "" && b.holder == nil {
			return fmt.Errorf("the seat waits for a bot that logs in as %q", b.Name)
		}
	}
	if slices.ContainsFunc(a.list, func(b *Seat) bool {
		return b.Kind == seat.Page ||
			b.Kind == seat.Open
	}) {
		return match.ErrPlayers
	}
	return errReserved
}

// alias returns the nickname of a login if that is another bot's, else "". The caller holds mu.
func (a *admission) alias(b *Seat, nickname string) string {
	for _, other := range a.list {
		if other != b && other.nickname == nickname && b.nickname != nickname {
			return nickname
		}
	}
	return ""
}
