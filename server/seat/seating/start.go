package seating

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/launch/build"
	"github.com/hexarena/hexarena/server/launch/isolate"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/seat/process"
	"github.com/hexarena/hexarena/server/session"
)

// usualStartTimeout is the default of the setting: an interpreter on a busy machine needs some
// seconds.
const usualStartTimeout = 10 * time.Second

// timeout returns how long a bot has to log in.
func (l *Launch) timeout() time.Duration { return cmp.Or(l.Timeout, usualStartTimeout) }

var errNotBuiltin = errors.New("only built-in bots play without a server")

// start starts a bot and waits until it has its seat: it logs in or, if the game can be played over
// the HTTTX Bot API, answers at the port that it was given to listen on.
func (b *Seat) start(ctx context.Context) error {
	s := b.seats
	if !s.processes.Listening() {
		return errNotBuiltin
	}
	for r := s.processes.resume(b); r != nil; r = s.processes.resume(b) {
		if len(b.Cores) > 0 {
			r.proc.Pin(b.Cores)
		}
		if r.stays == nil {
			return b.dial(ctx, b.started.Address())
		}
		if err := b.rejoin(ctx, r); err != errGone {
			return err
		}
	}
	if s.once != nil { // otherwise a login of an unknown process never gets the seat of a bot
		s.await(b)
		defer s.await(nil)
	}
	if err := b.describe(ctx); err != nil {
		return err
	}
	if err := s.processes.launch(b); err != nil {
		return err
	}
	if b.Stdio {
		b.converse()
	}
	return b.awaitLogin(ctx)
}

// describe decides how a bot is started, where it logs in, and where it may listen instead. It
// builds a bot that is a source file.
func (b *Seat) describe(ctx context.Context) error {
	p, how := b.seats.processes, &b.seats.opts.Launch
	if b.log = b.Spec.Log; b.log == "" && how.Logs != "" {
		b.log = filepath.Join(how.Logs, b.LogName(b.number-1))
	}
	words, err := build.Command(ctx, b.Argv, b.progress)
	if err != nil {
		b.keep(err)
		return err
	}
	b.started = &process.Bot{
		Words: words, Stdio: b.Stdio, Host: p.host, Nickname: b.Spec.Nickname(), Seed: b.Seed,
		HashSeed: b.HashSeed, Env: how.Env, Log: b.log, Cores: b.Cores,
		Launch: p.system.Launch, Connect: b.seats.opts.Connect,
	}
	if b.Place(how.Isolate != nil) == launch.InContainer {
		b.started.Host, b.started.Port = isolate.Host, isolate.Port
		b.started.Sandbox, err = how.Isolate.Open(b.Stdio)
		return err
	}
	if b.Stdio {
		return nil
	}
	if b.started.Port, err = p.portFor(b); err != nil {
		return err
	}
	if b.seats.opts.HTTTX && b.UsesPort() {
		b.started.Listen, err = p.system.FreePort(p.host)
	}
	return err
}

// keep writes why a bot could not be built to its log, in place of what an earlier bot printed.
func (b *Seat) keep(failure error) {
	out, err := launch.NewOutput(b.log, nil)
	if err != nil {
		b.log = "" // the failure is reported in any case
		return
	}
	defer out.Close()
	_, _ = fmt.Fprintln(out, failure)
}

// converse serves a bot that was started, on its standard input and output. Messages from there
// are the bot's, which needs no proof.
func (b *Seat) converse() {
	s, r := b.seats, b.running.Load()
	r.hungUp = make(chan struct{})
	conn := session.OverStdio(r.proc.Stdio.Out, r.proc.Stdio.In,
		fmt.Sprintf("process %d (stdio)", r.proc.PID()))
	r.heard = &listener{Conn: conn}
	panics.Go(&s.processes.serving, func() {
		defer close(r.hungUp)
		r.farewell = s.processes.server.Converse(r.heard, b)
		r.noteNoMessage(r.farewell, b.Argument)
	}, panics.Logged(s.log, "Serving a bot failed"))
}

// noteNoMessage adds the line to the output of a bot for which it was kicked, if it was kicked for
// one that is no message. Its seat learns of a KICK before the conversation is over.
func (r *running) noteNoMessage(kicked, argument string) {
	if r.heard == nil || !strings.Contains(kicked, netorcai.ErrNotJSON.Error()) {
		return
	}
	r.heard.quoted.Do(func() {
		r.proc.Note(fmt.Sprintf("this line of its standard output is no message: %q; to see what is "+
			"wrong: hexarena check %s",
			launch.Printable(r.heard.last), launch.Quote([]string{argument})))
	})
}

// quotedBytes is how much of a line that is no message is shown: more than its author needs to find
// it.
const quotedBytes = 200

// listener is a conversation of which the beginning of the last message is kept.
type listener struct {
	session.Conn
	last   []byte
	quoted sync.Once
}

// ReadMessage implements session.Conn.
func (l *listener) ReadMessage(buf []byte, limit int, grow session.Grow) ([]byte, error) {
	content, err := l.Conn.ReadMessage(buf, limit, grow)
	l.last = append(l.last[:0], bytes.TrimSpace(content[:min(len(content), quotedBytes)])...)
	return content, err
}

// awaitLogin waits until a bot that was started has its seat, or returns why it has none; then it
// has been stopped.
func (b *Seat) awaitLogin(ctx context.Context) error {
	polling, stop := context.WithCancel(ctx)
	defer stop()
	listens, limit, r := b.listens(polling), b.seats.opts.Launch.timeout(), b.running.Load()
	late, ended, hungUp := time.After(limit), r.proc.Done(), r.hungUp
	for failure := error(nil); ; {
		joined, changed := b.seats.taken(b)
		if joined {
			return nil
		}
		failed := failure != nil
		select {
		case <-changed:
		case <-listens:
			listens = nil
			if failure = b.dial(ctx, b.started.Address()); failure == nil {
				return nil
			}
			if failure == errSeatTaken { // it logged in meanwhile
				failure = nil
			}
		case <-hungUp:
			hungUp, failure = nil, r.kicked(failure) // without a reason, its process tells more
		case <-ended:
			failure = errors.New(r.proc.Exit().String() + " before it had logged in")
		case <-late:
			if failed {
				return failure
			}
			failure = b.noLogin(limit)
		case <-ctx.Done():
			r.proc.Stop()
			return context.Cause(ctx)
		}
		if failure != nil && !failed { // its login may be on its way
			r.proc.Stop()
			failure = b.explain(failure)
			late, ended, listens = time.After(settleTime), nil, nil
		}
	}
}

// kicked returns why a bot on standard input and output was kicked, or other if it was not. Its
// conversation is over.
func (r *running) kicked(other error) error {
	if r.farewell == "" {
		return other
	}
	return errors.New("kicked: " + r.farewell)
}

// listens returns what is closed when a bot answers where it may listen; nil if it can only log in.
func (b *Seat) listens(ctx context.Context) <-chan struct{} {
	started := b.started
	if started.Listen == 0 {
		return nil
	}
	answered := make(chan struct{})
	panics.Go(&b.seats.serving, func() {
		if started.Listens(ctx) {
			close(answered)
		}
	}, panics.Logged(b.seats.log, "Looking for a started bot failed"))
	return answered
}

// noLogin returns why a bot has no seat that runs and does nothing.
func (b *Seat) noLogin(limit time.Duration) error {
	started, err := b.started, fmt.Errorf("no login within %v", limit)
	switch {
	case started.Stdio:
		return fmt.Errorf("%w on its standard output; does it flush what it writes?", err)
	case !b.seats.opts.HTTTX:
		return err
	case started.Listen == 0:
		return fmt.Errorf(
			"%w at BOT_PORT; a bot of the HTTTX Bot API has to have {port} in its command, where it listens",
			err)
	}
	return fmt.Errorf("%w at BOT_PORT, and no answer at %s/capabilities.json, where {port} says that "+
		"the bot may listen", err, started.Address())
}

// explain adds what may be the reason that a started bot has no seat.
func (b *Seat) explain(failure error) error {
	s := b.seats
	if rejected := s.rejected(b); rejected > 0 {
		return fmt.Errorf(
			"%w; logins for its seat that were refused, since they cannot be traced to its process: %d",
			failure, rejected)
	}
	if asked := s.processes.asked; !b.Stdio && asked != 0 && asked != s.processes.port {
		return fmt.Errorf("%w; port %d is in use, so that the bot has to take its port from %s", failure,
			asked, s.portNames())
	}
	return failure
}

// portNames returns where a started bot finds the server's port.
func (s *Seats) portNames() string {
	if s.opts.HTTTX { // {port} is where it may listen
		return "BOT_PORT"
	}
	return "{port} or BOT_PORT"
}
