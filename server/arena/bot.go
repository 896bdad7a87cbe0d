package arena

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/inprocess"
	"github.com/hexarena/hexarena/server/seat/process"
)

// bot plays a seat. It belongs to the goroutine of Play, unless a field says otherwise.
type bot struct {
	seat     *seat.Spec
	index    int // of the seat
	nickname string
	seed     uint64

	started *process.Bot     // how it was started; nil: it was not
	proc    *process.Process // of a started bot; guarded by the claims
	port    net.Listener     // a port of its own, by which its login is known; nil: none

	inside *inprocess.Seat // of a built-in bot that has its seat
	talked chan struct{}   // of a bot that was dialled: closed when the conversation is over

	hungUp   chan struct{} // of a bot on standard input and output: closed when its conversation is over
	farewell string        // why it was kicked, once hungUp is closed; "": it was not

	remote string // the address that it called from, once it has a seat; the match's from its start on
	absent error  // why it has no seat

	origins
}

// origins tell what was noticed about where logins for a bot's seat, and the bot's own,
// came from. They are guarded by the claims until the match is over.
type origins struct {
	untraced bool   // the login that has its seat cannot be traced to its process
	alias    string // the nickname that it gave, if that is another bot's
	usurped  bool   // another process had its seat, or has it, when its own logged in
	denied   int    // logins of its process that were refused a seat
	deniedAs string // the nickname of the first of these
	rejected int    // logins for its seat that were refused because the match is strict
}

func newBot(s *seat.Spec, index int, seed uint64) *bot {
	s.Seed = seat.Seed(seed, index)
	return &bot{seat: s, index: index, nickname: s.Nickname(), seed: s.Seed}
}

func (b *bot) role() match.Role {
	if b.seat.Special {
		return match.Special
	}
	return match.Player
}

// key returns what identifies the bot's seat: a login that has it replaces an earlier one.
func (b *bot) key() string { return fmt.Sprint("seat ", b.index) }

// guest reports whether the match waits for a client to take the bot's seat.
func (b *bot) guest() bool {
	return b.seat.Kind == seat.Page || b.seat.Kind == seat.Open || b.seat.Kind == seat.Wait
}

// start begins what plays the bot's seat. Bots of all kinds but started ones have the seat
// when it returns nil.
func (a *Arena) start(ctx context.Context, b *bot) error {
	switch b.seat.Kind {
	case seat.Builtin:
		return a.seatBuiltin(b)
	case seat.Address:
		return a.dial(ctx, b, b.seat.URL)
	}
	return a.seatProcess(ctx, b)
}

// seatBuiltin seats a bot of this process. Bots of a match with a server have a goroutine
// each, so that none waits for another that thinks.
func (a *Arena) seatBuiltin(b *bot) error {
	inside, err := a.direct.Call(b.seat.Builtin, b.seed, func(s match.Seat) error {
		return a.join(b, s, match.Candidate{Nickname: b.nickname, Remote: fmt.Sprint("seat ", b.index+1)})
	})
	b.inside = inside
	return err
}

// join gives a bot that needs no login its seat.
func (a *Arena) join(b *bot, s match.Seat, c match.Candidate) error {
	c.Role, c.Key, c.Number = b.role(), b.key(), b.index
	if !a.claims.take(b, c.Remote) {
		return errSeatTaken
	}
	if _, err := a.match.Join(s, c); err != nil {
		a.claims.release(c.Remote)
		return err
	}
	b.remote, b.nickname = c.Remote, c.Nickname
	return nil
}

// ended returns what is closed when the bot's process is gone; nil if it has none.
func (b *bot) ended() <-chan struct{} {
	if b.proc == nil {
		return nil
	}
	return b.proc.Done()
}

// dismiss waits until a bot has ended by itself, or stops it. A bot that was dialled does
// not end by itself; kept says whether it goes on to listen.
func (b *bot) dismiss(ctx context.Context, kept bool) {
	if b.talked != nil {
		<-b.talked
	}
	switch {
	case b.proc == nil:
	case b.talked == nil:
		b.proc.Dismiss(ctx)
	case !kept || ctx.Err() != nil:
		b.proc.Stop()
	}
}

// printer returns what is handed the lines that a started bot prints; nil: nothing is.
func (a *Arena) printer(b *bot) func(string) {
	if a.opts.Printed == nil {
		return nil
	}
	kept, printed := a.opts.Kept, a.opts.Printed
	return func(line string) {
		if kept != nil {
			printed = *kept.printed.Load()
		}
		if p := panics.Catch(func() { printed(b.seat, line) }); p != nil {
			a.opts.Log.Error().Str("nickname", b.nickname).EmbedObject(p).Msg("Showing what a bot prints failed")
		}
	}
}

// settleTime is how long to wait for the login of a bot whose process is gone already: it
// may still be on its way.
const settleTime = 100 * time.Millisecond
