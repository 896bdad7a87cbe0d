package seating

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
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

var errNotBuiltin = errors.New("only built-in bots play without a server")

// start starts a bot and waits until it has its seat: it logs in or, if the game can be played over
// the HTTTX Bot API, answers at the port that it was given to listen on.
func (s *Seats) start(ctx, gathering context.Context, b *Seat) error {
	if !s.processes.Listening() {
		return errNotBuiltin
	}
	for r := s.processes.resume(b); r != nil; r = s.processes.resume(b) {
		if len(b.Cores) > 0 {
			r.proc.Pin(b.Cores)
		}
		if r.stays == nil {
			return s.dial(ctx, gathering, b, b.started.Address())
		}
		if err := s.rejoin(gathering, b, r); err != errGone {
			return err
		}
	}
	if s.once != nil { // otherwise a login of an unknown process never gets the seat of a bot
		s.await(b)
		defer s.await(nil)
	}
	if err := s.describe(gathering, b); err != nil {
		return err
	}
	if err := s.processes.launch(b); err != nil {
		return err
	}
	if b.Stdio {
		s.converse(b)
	}
	return s.awaitLogin(ctx, gathering, b)
}

// await gives a bot's seat to logins of unknown origin, until the next call; nil: none gets one.
func (s *Seats) await(b *Seat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.awaited = b
}

// describe decides how a bot is started, where it logs in, and where it may listen instead. It
// builds a bot that is a source file.
func (s *Seats) describe(ctx context.Context, b *Seat) error {
	if b.log = b.Spec.Log; b.log == "" && s.opts.Logs != "" {
		b.log = filepath.Join(s.opts.Logs, b.LogName(b.number-1))
	}
	words, err := build.Command(ctx, b.Argv, func(step string) { s.progress(b, step) })
	if err != nil {
		b.keep(err)
		return err
	}
	b.started = &process.Bot{
		Words: words, Stdio: b.Stdio, Host: s.processes.host, Nickname: b.Spec.Nickname(), Seed: b.Seed,
		HashSeed: b.HashSeed, Env: s.opts.Env, Log: b.log, Cores: b.Cores,
		Launch: s.processes.system.Launch, Connect: s.opts.Connect,
	}
	if s.opts.Isolate != nil && !b.Confined() {
		b.started.Host, b.started.Port = isolate.Host, isolate.Port
		b.started.Sandbox, err = s.opts.Isolate.Open(b.Stdio)
		return err
	}
	if b.Stdio {
		return nil
	}
	if b.started.Port, err = s.processes.portFor(b); err != nil {
		return err
	}
	if s.opts.HTTTX && b.UsesPort() {
		b.started.Listen, err = s.processes.system.FreePort(s.processes.host)
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
func (s *Seats) converse(b *Seat) {
	r := b.running
	r.hungUp = make(chan struct{})
	conn := session.OverStdio(r.proc.Stdio.Out, r.proc.Stdio.In,
		fmt.Sprintf("process %d (stdio)", r.proc.PID()))
	heard := &listener{Conn: conn}
	panics.Go(&s.processes.serving, func() {
		defer close(r.hungUp)
		r.farewell = s.processes.server.Converse(heard, b)
		if strings.Contains(r.farewell, netorcai.ErrNotJSON.Error()) {
			r.proc.Note(fmt.Sprintf("this line of its standard output is no message: %q; to see what is "+
				"wrong: hexarena check %s",
				launch.Printable(heard.last), launch.Quote([]string{b.Argument})))
		}
	}, panics.Logged(s.log, "Serving a bot failed"))
}

// quotedBytes is how much of a line that is no message is shown: more than its author needs to find
// it.
const quotedBytes = 200

// listener is a conversation of which the beginning of the last message is kept.
type listener struct {
	session.Conn
	last []byte
}

// ReadMessage implements session.Conn.
func (l *listener) ReadMessage(buf []byte, limit int, grow session.Grow) ([]byte, error) {
	content, err := l.Conn.ReadMessage(buf, limit, grow)
	l.last = append(l.last[:0], bytes.TrimSpace(content[:min(len(content), quotedBytes)])...)
	return content, err
}

// awaitLogin waits until a bot that was started has its seat, or returns why it has none; then it
// has been stopped.
func (s *Seats) awaitLogin(ctx, gathering context.Context, b *Seat) error {
	polling, stop := context.WithCancel(gathering)
	defer stop()
	listens := s.listens(polling, b.started)
	limit := s.opts.StartTimeout
	if limit == 0 {
		limit = usualStartTimeout
	}
	late, ended, hungUp := time.After(limit), b.proc.Done(), b.running.hungUp
	for failure := error(nil); ; {
		joined, changed := s.joined(b)
		if joined {
			return nil
		}
		failed := failure != nil
		select {
		case <-changed:
		case <-listens:
			listens = nil
			if failure = s.dial(ctx, gathering, b, b.started.Address()); failure == nil {
				return nil
			}
			if failure == errSeatTaken { // it logged in meanwhile
				failure = nil
			}
		case <-hungUp:
			hungUp, failure = nil, b.kicked(failure) // without a reason, its process tells more
		case <-ended:
			failure = errors.New(b.proc.Exit().String() + " before it had logged in")
		case <-late:
			if failed {
				return failure
			}
			failure = s.noLogin(b.started, limit)
		case <-gathering.Done():
			b.proc.Stop()
			return context.Cause(gathering)
		}
		if failure != nil && !failed { // its login may be on its way
			b.proc.Stop()
			failure = s.explain(b, failure)
			late, ended, listens = time.After(settleTime), nil, nil
		}
	}
}

// joined reports whether the match has given a bot its seat, and returns what is closed when that
// may change.
func (s *Seats) joined(b *Seat) (joined bool, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return b.taken(), s.changed
}

// kicked returns why a bot on standard input and output was kicked, or other if it was not. Its
// conversation is over.
func (b *Seat) kicked(other error) error {
	if b.running.farewell == "" {
		return other
	}
	return errors.New("kicked: " + b.running.farewell)
}

// listens returns what is closed when a bot answers where it may listen; nil if it can only log in.
func (s *Seats) listens(ctx context.Context, started *process.Bot) <-chan struct{} {
	if started.Listen == 0 {
		return nil
	}
	answered := make(chan struct{})
	panics.Go(&s.running, func() {
		if started.Listens(ctx) {
			close(answered)
		}
	}, panics.Logged(s.log, "Looking for a started bot failed"))
	return answered
}

// noLogin returns why a bot has no seat that runs and does nothing.
func (s *Seats) noLogin(started *process.Bot, limit time.Duration) error {
	err := fmt.Errorf("no login within %v", limit)
	switch {
	case started.Stdio:
		return fmt.Errorf("%w on its standard output; does it flush what it writes?", err)
	case !s.opts.HTTTX:
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
func (s *Seats) explain(b *Seat, failure error) error {
	s.mu.Lock()
	rejected := b.rejected
	s.mu.Unlock()
	if rejected > 0 {
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
