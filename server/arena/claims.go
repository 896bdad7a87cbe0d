package arena

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/origin"
	"github.com/hexarena/hexarena/server/seat"
)

// claims decides which bot's seat a login gets. A login is a bot's if it comes from
// the process that was started for it, or from a descendant of that. Where the
// system does not tell, each started bot has a port of its own, and a login
// there is the bot's. A login of which neither is known gets the seat of the started
// bot that is awaited, which is marked, or none if the match is strict.
type claims struct {
	strict bool
	log    zerolog.Logger
	bots   []*bot
	port   uint16 // that logins come to
	traced bool   // the processes behind them can be found

	mu       sync.Mutex      // guards all below, and the bots' processes and origins
	awaited  *bot            // the bot that was started and has no seat yet; nil: none
	known    map[string]*bot // bots that use a port of their own, by the address that they call from
	visitors map[string]bool // addresses that clients of the page call from
	visited  bool            // clients of the page were let in: no other login gets a seat
	held     map[*bot]claim
	logins   map[string]login // that have a seat, by the address that they call from
	settled  bool             // the match has started: no seat changes hands any more
}

// claim is a bot's seat, taken by a login.
type claim struct {
	remote string
	proven bool // it came from the bot's process, or by its port
	joined bool // the match has given it the seat
}

// login is a login that got a seat.
type login struct {
	bot    *bot
	proven bool
	alias  string // the nickname it gave, if that is another bot's
}

func newClaims(bots []*bot, strict bool, log zerolog.Logger) *claims {
	return &claims{strict: strict, log: log, bots: bots, known: map[string]*bot{}, visitors: map[string]bool{}, held: map[*bot]claim{}, logins: map[string]login{}}
}

// await gives a bot's seat to logins of unknown origin, until the next call; nil: none
// gets one.
func (c *claims) await(b *bot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awaited = b
}

// expect registers the address that a bot is going to log in from.
func (c *claims) expect(remote string, b *bot) (forget func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[remote] = b
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.known, remote)
	}
}

// launch starts a bot's process. No login is judged before the process is known.
func (c *claims) launch(b *bot) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := b.started.Start()
	if err != nil {
		return err
	}
	b.proc = p
	return nil
}

// resume has a bot that is running play another match.
func (c *claims) resume(b *bot, running *keptBot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b.started, b.proc = running.started, running.proc
}

// listening notes which port logins come to.
func (c *claims) listening(addr *net.TCPAddr) {
	c.port = uint16(addr.Port)
	c.traced = origin.Supported(c.port)
}

// admit decides about a player's login. The error is for the client.
func (c *claims) admit(who *match.Candidate) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case who.Role == match.Visualization:
		return nil
	case c.visitors[who.Remote]:
		return c.admitGuest(c.free(seat.Page, ""), who)
	case c.settled && !c.doubtful():
		return match.ErrStarted
	}
	b, proven := c.origin(who.Remote)
	if b == nil && (c.visited || c.has(seat.Open) || c.guestSeat(who) != nil) {
		return c.admitGuest(c.guestSeat(who), who)
	}
	if err := c.judge(b, proven, who); err != nil {
		c.log.Warn().Str("nickname", who.Nickname).Str("address", who.Remote).Err(err).Msg("Login refused")
		return err
	}
	if b == nil {
		b = c.awaited
	}
	if old, taken := c.held[b]; taken {
		b.usurped = true
		c.log.Warn().Str("bot", b.seat.Label).Str("address", old.remote).Msg("Another process had taken the bot's seat")
	}
	if c.settled {
		return match.ErrStarted
	}
	c.hold(b, who.Remote, login{b, proven, c.alias(b, who.Nickname)})
	who.Key, who.Number = b.key(), b.index // the match drops a login that had the key before
	return nil
}

// hold notes that a login has a bot's seat. The caller holds mu.
func (c *claims) hold(b *bot, remote string, l login) {
	c.held[b] = claim{remote: remote, proven: l.proven}
	c.logins[remote] = l
}

// admitGuest gives a login a seat that waits for clients; nil if none is free. The caller
// holds mu.
func (c *claims) admitGuest(b *bot, who *match.Candidate) error {
	switch {
	case c.settled:
		return match.ErrStarted
	case b == nil || who.Role != match.Player:
		return match.ErrPlayers
	}
	c.hold(b, who.Remote, login{bot: b, proven: true})
	who.Number = b.index
	return nil
}

// guestSeat returns the free seat for a login that no started bot accounts for: one that
// waits for its nickname, else one that waits for any, else an open one; nil if there is
// none. The caller holds mu.
func (c *claims) guestSeat(who *match.Candidate) *bot {
	return cmp.Or(c.free(seat.Wait, who.Nickname), c.free(seat.Wait, ""), c.free(seat.Open, ""))
}

// free returns the first free seat of a kind that waits for a nickname, "" for any; nil
// if there is none. The caller holds mu.
func (c *claims) free(kind seat.Kind, nickname string) *bot {
	for _, b := range c.bots {
		if _, taken := c.held[b]; !taken && b.seat.Kind == kind && b.seat.Name == nickname {
			return b
		}
	}
	return nil
}

// has reports whether a seat is of a kind.
func (c *claims) has(kind seat.Kind) bool {
	return slices.ContainsFunc(c.bots, func(b *bot) bool { return b.seat.Kind == kind })
}

// visit registers the address of a client of the page, which gets a seat for the page and
// no other. Its seat is free when it leaves before the start.
func (c *claims) visit(remote string) (leave func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.visited = true
	c.visitors[remote] = true
	return func() {
		c.release(remote)
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.visitors, remote)
	}
}

// take gives a bot its seat that is reached in another way than by a login. It returns
// false if the bot has logged in.
func (c *claims) take(b *bot, remote string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	held, taken := c.held[b]
	if taken && held.proven {
		return false
	}
	b.usurped = b.usurped || taken
	c.hold(b, remote, login{bot: b, proven: true})
	return true
}

// holds reports whether a login or a bot has a seat that calls from an address.
func (c *claims) holds(remote string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, holds := c.logins[remote]
	return holds
}

// confirm notes that the match has given a login its seat.
func (c *claims) confirm(remote string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, known := c.logins[remote]
	if held := c.held[l.bot]; known && held.remote == remote {
		held.joined = true
		c.held[l.bot] = held
	}
}

// doubtful reports whether a seat was taken by a login that is not known to be its
// bot's. The caller holds mu.
func (c *claims) doubtful() bool {
	for _, held := range c.held {
		if !held.proven {
			return true
		}
	}
	return false
}

// settle notes which logins have the bots' seats when the match starts.
func (c *claims) settle(seats []match.SeatInfo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settled = true
	for i := range seats {
		if l, known := c.logins[seats[i].Remote]; known {
			l.bot.remote, l.bot.untraced, l.bot.alias = seats[i].Remote, !l.proven, l.alias
			if l.bot.guest() {
				l.bot.nickname = seats[i].Nickname
			}
		}
	}
}

// Why a login is refused, beside what is said of a bot.
var (
	errNotAwaited = errors.New("no seat is open to a process that the match did not start")
	errUntraced   = errors.New("the match is strict, and this process cannot be traced to a bot that it started")
	errSeatTaken  = errors.New("the seat of the bot that is awaited is taken")
)

// notAwaited returns why a login of unknown origin gets no seat while no started bot is
// awaited. The caller holds mu.
func (c *claims) notAwaited() error {
	for _, b := range c.bots {
		if _, taken := c.held[b]; !taken && b.seat.Kind == seat.Wait {
			return fmt.Errorf("the seat waits for a bot that logs in as %q", b.seat.Name)
		}
	}
	return errNotAwaited
}

// judge says why a login gets no seat. b is the bot whose login it is, nil if that is
// unknown. The caller holds mu.
func (c *claims) judge(b *bot, proven bool, who *match.Candidate) error {
	if b != nil && (proven || b != c.awaited) {
		return c.judgeBot(b, proven, who)
	}
	b = c.awaited
	_, taken := c.held[b]
	switch {
	case b == nil || b.seat.Kind != seat.Process || b.role() != who.Role:
		return c.notAwaited()
	case taken:
		return errSeatTaken
	case c.strict:
		b.rejected++
		return errUntraced
	}
	return nil
}

// judgeBot says why a bot's login gets no seat. A hint that it is the bot's is
// enough to refuse it another bot's seat.
func (c *claims) judgeBot(b *bot, proven bool, who *match.Candidate) error {
	held, taken := c.held[b]
	var err error
	switch {
	case !proven:
		err = fmt.Errorf("this process belongs to %s, whose seat it is not", b.seat.Label)
	case taken && held.proven:
		err = fmt.Errorf("%s has a seat already", b.seat.Label)
	case b.role() != who.Role:
		err = fmt.Errorf("the seat of %s is that of a %s", b.seat.Label, b.role())
	}
	if err != nil {
		b.denied++
		if b.deniedAs == "" {
			b.deniedAs = who.Nickname
		}
	}
	return err
}

// origin returns the bot that a login is from, nil if that is unknown, and whether
// that is proven. The caller holds mu.
func (c *claims) origin(remote string) (b *bot, proven bool) {
	if b = c.known[remote]; b != nil {
		return b, true
	}
	peer, err := netip.ParseAddrPort(remote)
	if err != nil || !c.traced {
		return nil, false
	}
	var roots []origin.Root
	var started []*bot
	for _, b := range c.bots {
		if b.proc != nil && !b.proc.Ended() {
			roots = append(roots, origin.Root{PID: b.proc.PID(), Mark: b.proc.Mark()})
			started = append(started, b)
		}
	}
	found, err := origin.Find(peer, c.port, roots)
	switch {
	case err != nil:
		c.log.Warn().Str("address", remote).Err(err).Msg("Finding the process behind a connection failed")
		return nil, false
	case found.Root < 0:
		return nil, false
	}
	return started[found.Root], found.Descends
}

// alias returns the nickname of a login if that is another bot's, else "". The
// caller holds mu.
func (c *claims) alias(b *bot, nickname string) string {
	for _, other := range c.bots {
		if other != b && other.nickname == nickname && b.nickname != nickname {
			return nickname
		}
	}
	return ""
}

// release frees the seat of a login that has left before the start.
func (c *claims) release(remote string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.settled {
		return
	}
	if l, known := c.logins[remote]; known && c.held[l.bot].remote == remote {
		delete(c.held, l.bot)
	}
	delete(c.logins, remote)
}

// rejections returns how many logins for a bot's seat were refused, since the match
// is strict.
func (c *claims) rejections(b *bot) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return b.rejected
}

// joined returns the address of the login that the match has given a bot's seat, or "".
func (c *claims) joined(b *bot) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if held := c.held[b]; held.joined {
		return held.remote
	}
	return ""
}
