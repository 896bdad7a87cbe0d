package seating

import (
	"errors"
	"fmt"
	"slices"
	"time"

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

// Has reports whether a seat is one of these.
func (s *Seats) Has(b *Seat) bool { return b.seats == s }

// Distance orders rooms by what they keep for a client: 0 for its token, 1 for its nickname, else
// 2.
func (s *Seats) Distance(c *Client) int {
	distance := 2
	for _, b := range s.list {
		switch b.expects(c) {
		case forToken:
			return 0
		case forNickname:
			distance = 1
		}
	}
	return distance
}

// Admit chooses the seat of a client, and completes its candidate, before the match is asked. The
// error is for the client. A login is a bot's if it comes from the process that was started for it,
// from a descendant of that, or by the bot's own port. Other clients get a seat that waits for
// them, or one that is not in the list, or that of the started bot that is awaited, which is
// marked.
func (s *Seats) Admit(c *Client) error {
	if c.Role == match.Visualization {
		return nil
	}
	if c.Packets != nil {
		if err := s.prepare(c.Packets); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.settled {
		s.admitLate(c)
		return nil
	}
	b, own := c.Bot, c.Bot != nil
	var err error
	if own {
		err = s.judge(c)
	} else {
		b, err = s.choose(c)
	}
	if err != nil {
		if own || s.awaited != nil {
			s.log.Warn().Str("nickname", c.Nickname).Str("address", c.Remote).Err(err).Msg("Login refused")
		}
		return err
	}
	c.Number = len(s.list) + 1
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
		s.noteUsurped(b)
	}
	b.holder = &login{
		remote: c.Remote, proven: own, packets: c.Packets != nil, stays: c.Stays,
		alias: s.alias(b, c.Nickname),
	}
	if own && s.opts.Foreign {
		c.Nickname = b.nickname
	}
	// The match drops a login that had the key before, whenever that came.
	c.Key, c.Seed, c.Since = b.key(), b.Seed, time.Time{}
	return nil
}

// prepare readies a bot of the HTTTX Bot API for the match, or returns why it cannot play it.
func (s *Seats) prepare(one *botapi.Seat) error {
	switch {
	case !s.opts.HTTTX:
		return errNoPackets
	case s.opts.Opening && !one.TakesAnyBoard():
		return errNoBoards
	}
	one.SetPatience(s.opts.Patience)
	return nil
}

// admitLate completes the candidate of a client that comes after the start: it may reconnect.
func (s *Seats) admitLate(c *Client) {
	b := c.Bot
	if b == nil {
		return
	}
	c.Key, c.Number, c.Seed = b.key(), b.number, b.Seed
	if b.holder == nil {
		return
	}
	if !b.holder.proven {
		s.noteUsurped(b)
	}
	b.returns = &login{
		remote: c.Remote, proven: true, joined: true, stays: c.Stays, packets: c.Packets != nil,
	}
}

// noteUsurped notes that another process has, or had, the seat of a bot that logs in.
func (s *Seats) noteUsurped(b *Seat) {
	if b.usurped {
		return
	}
	b.usurped = true
	s.log.Warn().Str("bot", b.Label).Str("address", b.holder.remote).Msg(
		"Another process had taken the bot's seat")
}

// judge returns why the login of a bot gets no seat, or nil. The caller holds mu.
func (s *Seats) judge(c *Client) (err error) {
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
func (s *Seats) choose(c *Client) (*Seat, error) {
	var best *Seat
	for _, b := range s.list {
		r := b.suits(c)
		if r != unsuited && c.Role == match.Player && (best == nil || r < best.suits(c)) {
			best = b
		}
	}
	if best != nil || s.unlisted(c.Role) {
		return best, nil
	}
	b := s.awaited
	switch {
	case b == nil || c.Page || b.role() != c.Role:
		return nil, s.refusal(c)
	case b.holder != nil:
		return nil, errSeatTaken
	case s.once.Strict: // only bots that are seated once are awaited
		b.rejected++
		return nil, errUntraced
	}
	return b, nil
}

// Invites reports whether a person at the page would get a seat now. free is how many players'
// seats of the match are not taken.
func (s *Seats) Invites(free int) bool {
	if !s.opts.HTTTX || free == 0 {
		return false
	}
	kept := s.Kept()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.settled {
		return false
	}
	b, err := s.choose(&Client{Page: true, Person: true})
	return err == nil && (b != nil || free > kept)
}

// unlisted reports whether the match may have seats for a role that are not in the list.
func (s *Seats) unlisted(role match.Role) bool {
	if role == match.Player {
		return s.players == 0 || s.players < s.capacity
	}
	return s.players == len(s.list)
}

// refusal returns why a client gets none of the seats. The caller holds mu.
func (s *Seats) refusal(c *Client) error {
	if c.Role == match.Special {
		return match.ErrSpecials
	}
	for _, b := range s.list {
		if s.once != nil && b.Kind == seat.Wait && b.Name != "" && b.holder == nil {
			return fmt.Errorf("the seat waits for a bot that logs in as %q", b.Name)
		}
	}
	if slices.ContainsFunc(s.list, func(b *Seat) bool {
		return b.Kind == seat.Page ||
			b.Kind == seat.Open
	}) {
		return match.ErrPlayers
	}
	return errReserved
}

// take gives a bot its seat that is seated in another way than by a login. It returns false if the
// bot has logged in.
func (s *Seats) take(b *Seat, as *login) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
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
func (s *Seats) Release(remote string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.holding(remote)
	if b == nil || s.settled {
		return
	}
	b.holder = nil
	if b.forClients() {
		b.remote = ""
	}
	s.touch()
}

// alias returns the nickname of a login if that is another bot's, else "". The caller holds mu.
func (s *Seats) alias(b *Seat, nickname string) string {
	for _, other := range s.list {
		if other != b && other.nickname == nickname && b.nickname != nickname {
			return nickname
		}
	}
	return ""
}
