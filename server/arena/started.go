package arena

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/seat/process"
)

var errNotBuiltin = errors.New("only built-in bots play without a server")

// seatProcess starts a bot and waits until it has its seat: it logs in or, if the game can
// be played over the HTTTX Bot API, answers at the port that it was given to listen on.
func (a *Arena) seatProcess(ctx context.Context, b *bot) error {
	if a.opts.InProcess {
		return errNotBuiltin
	}
	if running := a.opts.Kept.take(b.seat.Label); running != nil {
		a.claims.resume(b, running)
		return a.dial(ctx, b, b.started.Address())
	}
	if err := a.describe(b); err != nil {
		return err
	}
	if err := a.claims.launch(b); err != nil {
		return err
	}
	if b.started.Stdio {
		a.converse(b)
	}
	return a.await(ctx, b)
}

// describe decides how a bot is started.
func (a *Arena) describe(b *bot) error {
	b.started = &process.Bot{
		Words: b.seat.Argv, Stdio: b.seat.Stdio, Host: a.host, Nickname: b.nickname, Seed: b.seed, Line: a.printer(b),
	}
	if !b.seat.Stdio {
		if err := a.givePorts(b); err != nil {
			return err
		}
	}
	if a.opts.Logs != "" {
		b.started.Log = filepath.Join(a.opts.Logs, b.seat.LogName(b.index))
	}
	return nil
}

// givePorts decides where a bot logs in, and where it may listen instead.
func (a *Arena) givePorts(b *bot) (err error) {
	if b.started.Port, err = a.portFor(b); err != nil {
		return err
	}
	if a.opts.HTTTX && b.seat.UsesPort() {
		b.started.Listen, err = process.FreePort(a.host)
	}
	return err
}

// await waits until a bot that was started has its seat, or returns why it has none; then
// it has been stopped.
func (a *Arena) await(ctx context.Context, b *bot) error {
	polling, stop := context.WithCancel(ctx)
	defer stop()
	listens := a.listens(polling, b.started)
	timer := time.NewTimer(a.opts.StartTimeout)
	defer timer.Stop()
	hungUp := b.hungUp
	var failure error
	for failure == nil {
		select {
		case <-a.logins.moved:
			if a.seated(b) {
				return nil
			}
		case <-listens:
			if failure = a.dial(ctx, b, b.started.Address()); failure == nil {
				return nil
			}
			if failure == errSeatTaken { // it logged in meanwhile
				failure, listens = nil, nil
			}
		case <-hungUp:
			hungUp, failure = nil, b.kicked(nil) // without a reason, its process tells more
		case <-b.ended():
			failure = errors.New(b.proc.Exit().String() + " before it had logged in")
		case <-timer.C:
			failure = a.noLogin(b.started)
		case <-ctx.Done():
			failure = context.Cause(ctx)
		}
	}
	b.proc.Stop()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	failure = a.explain(b, failure)
	late := time.NewTimer(settleTime)
	defer late.Stop()
	for {
		select {
		case <-a.logins.moved:
			if a.seated(b) {
				return nil
			}
		case <-hungUp:
			hungUp, failure = nil, b.kicked(failure)
		case <-late.C:
			return failure
		}
	}
}

// kicked returns why a bot on standard input and output was kicked, or other if it was not.
// Its conversation is over.
func (b *bot) kicked(other error) error {
	if b.farewell == "" {
		return other
	}
	return errors.New("kicked: " + b.farewell)
}

// listens returns what is closed when a bot answers where it may listen; nil if it can
// only log in.
func (a *Arena) listens(ctx context.Context, started *process.Bot) <-chan struct{} {
	if started.Listen == 0 {
		return nil
	}
	answered := make(chan struct{})
	panics.Go(&a.players, func() {
		if started.Listens(ctx) {
			close(answered)
		}
	}, panics.Logged(a.opts.Log, "Looking for a started bot failed"))
	return answered
}

// noLogin returns why a bot has no seat that runs and does nothing.
func (a *Arena) noLogin(started *process.Bot) error {
	err := fmt.Errorf("no login within %v", a.opts.StartTimeout)
	switch {
	case started.Stdio:
		return fmt.Errorf("%w on its standard output; does it flush what it writes?", err)
	case !a.opts.HTTTX:
		return err
	case started.Listen == 0:
		return fmt.Errorf("%w at BOT_PORT; a bot of the HTTTX Bot API has to have {port} in its command, where it listens", err)
	}
	return fmt.Errorf("%w at BOT_PORT, and no answer at %s/capabilities.json, where {port} says that the bot may listen", err, started.Address())
}

// explain adds what may be the reason that a started bot has no seat.
func (a *Arena) explain(b *bot, failure error) error {
	if n := a.claims.rejections(b); n > 0 {
		return fmt.Errorf("%w; logins for its seat that were refused, since they cannot be traced to its process: %d", failure, n)
	}
	if asked := a.opts.Port; !b.started.Stdio && asked != 0 && asked != a.Addr().Port {
		return fmt.Errorf("%w; port %d is in use, so that the bot has to take its port from %s", failure, asked, a.portNames())
	}
	return failure
}

// portNames returns where a started bot finds the server's port.
func (a *Arena) portNames() string {
	if a.opts.HTTTX { // {port} is where it may listen
		return "BOT_PORT"
	}
	return "{port} or BOT_PORT"
}

// seated notes that a bot has its seat, and reports whether it does.
func (a *Arena) seated(b *bot) bool {
	remote := a.claims.joined(b)
	if remote != "" {
		b.remote = remote
	}
	return remote != ""
}
