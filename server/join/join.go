// Package join lets a bot on this machine play on a server elsewhere, of which only the page can be
// reached. The bot is unmodified: it finds a server on this machine, as in hexarena play. Its
// messages go over a WebSocket through the page's port, with the token; if that connection breaks,
// another one takes its place, and the bot does not notice.
//
// All state belongs to the goroutine that called [Run]. Other goroutines read from the connections,
// wait for the process and watch the bot's file; they pass on what happens, one after another. No
// queue grows: the server sends a player one TURN at a time, and what the bot has not read is one
// match's start, one TURN and its end.
package join

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
)

// Options say which bot joins which server.
type Options struct {
	Address  Address
	Seat     seat.Spec // a process
	Token    string    // empty: the bot may send its own
	Nickname string    // in place of the one that the bot sends; empty: the bot's
	Port     int       // of this machine, where the bot connects, if it is free
	Env      []string  // additions, as KEY=value, to what bots get of our environment
	// shows lines; is called by several goroutines, but not at the same time
	Print func(text string)

	Table func(*result.Table) string // returns a table as lines
}

// relay is a bot that has joined a server.
type relay struct {
	opts     Options
	api      api
	listener net.Listener
	loop

	parent  context.Context // of ctx, and lasts longer: for what follows the last match
	leaving sync.WaitGroup  // bots that have time to end by themselves
	reports sync.WaitGroup  // results of matches that are over, which are being printed
	output  output

	// Of the goroutine of Run.
	bot          *bot        // nil while none runs
	dismissing   bool        // a bot is given time to end, and is started then
	retry        *time.Timer // starts the bot; may be nil
	pause        time.Duration
	login        netorcai.Login // what the server was sent last, if known is set
	known        bool           // the bot has logged in once
	link         *link          // nil while there is none
	connecting   bool
	lost         time.Time // when the connection broke; zero: it has not, or is back
	admittedOnce bool
	match        *game  // nil between two matches
	played       bool   // a match has begun
	reason       string // of the last KICK
}

// Run plays the matches of a server until there are no more, and returns nil then. It leaves no
// process and no connection behind. The error says what to do. It is the cause of ctx's end, or
// wraps [ErrUnreachable], [ErrDenied] or [ErrNoSeat] if it is one of these.
func Run(ctx context.Context, o Options) error {
	var printing sync.Mutex
	r := &relay{
		opts: o, api: newAPI(o.Address), loop: loop{happened: make(chan func() error)},
		pause: firstPause, output: output{asked: make(chan string, 1)},
	}
	r.output.api = &r.api
	r.opts.Print = func(text string) {
		printing.Lock()
		defer printing.Unlock()
		r.output.add(text)
		o.Print(text)
	}
	if err := r.look(ctx); err != nil {
		return err
	}
	l, err := listen(o.Port)
	if err != nil {
		return fmt.Errorf("no port for the bot: %w", err)
	}
	r.listener = l
	r.parent = ctx
	r.ctx, r.stop = context.WithCancelCause(ctx)
	if !o.Seat.Stdio {
		r.spawn(r.accept)
	}
	r.spawn(r.watch)
	r.spawn(r.keepWarm)
	r.spawn(func() { r.output.run(r.ctx) })
	r.startBot()
	err = r.serve()
	r.close(err)
	if errors.Is(err, errOver) {
		r.say("The server has no more matches.")
		return nil
	}
	return err
}

// look asks the server whether it is there and wants a token.
func (r *relay) look(ctx context.Context) error {
	h, err := r.api.health(ctx)
	// the path was that of something else
	if root := r.opts.Address.root(); err != nil && root != r.opts.Address {
		if found, wrong := (&api{at: root, client: r.api.client}).health(ctx); wrong == nil {
			h, err = found, nil
			r.opts.Address, r.api.at = root, root
		}
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return unreachable(r.opts.Address, err)
	case h.Tokens && r.opts.Token == "":
		return fmt.Errorf("%w: %s wants one from every bot; ask the organizer for it, and give it by "+
			"--token or in the address, as %s#token=TOKEN",
			ErrDenied, r.opts.Address, r.opts.Address)
	}
	return nil
}

// close ends the bot, which is told why, and everything else.
func (r *relay) close(err error) {
	r.finish()
	r.leaving.Wait()
	r.stop(err)
	_ = r.listener.Close()
	if r.retry != nil {
		r.retry.Stop()
	}
	if r.link != nil {
		_ = r.link.Bye(goingAway, "")
		_ = r.link.Close()
	}
	r.running.Wait()
	r.output.reportLast(r.parent, r.token())
	r.api.client.CloseIdleConnections()
}

// goingAway is the code of RFC 6455 for a peer that ends.
const goingAway = 1001

// finish tells the bot why the session is over, and gives it time to end by itself.
func (r *relay) finish() {
	b := r.bot
	r.bot = nil
	if b == nil {
		return
	}
	if r.reason != "" {
		b.farewell(r.reason)
	}
	if b.proc != nil {
		b.proc.Dismiss(r.parent)
	}
	b.hangUp()
}

// say prints what happens, for the user.
func (r *relay) say(format string, args ...any) { r.opts.Print(fmt.Sprintf(format, args...)) }

// token returns the token with which the bot has logged in, or that it is to have.
func (r *relay) token() string { return cmp.Or(r.opts.Token, r.login.Token) }
