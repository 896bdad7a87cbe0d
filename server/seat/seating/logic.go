package seating

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/launch/build"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/machine/origin"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/process"
	"github.com/hexarena/hexarena/server/session"
)

// Logic is a game logic that was started for one match. It logs in on its standard output, or at a
// port of its own, where no other client finds the match. One that knows no BOT_PORT may log in at
// the server's port instead, if the system tells that the connection is its own.
type Logic struct {
	proc  *process.Process
	of    *Processes
	rules *session.Logic // which it runs
	port  net.Listener   // nil: it speaks on its standard input and output
	limit time.Duration
	stdio bool
	log   string // the file for all that it prints; empty: none
}

// StartLogic starts the program of a game logic that runs rules; it builds source code first. serve
// serves a connection of it until that is over; seed is its BOT_SEED. The caller must call Dismiss.
func (p *Processes) StartLogic(
	ctx context.Context, spec *seat.Spec, seed uint64, how Launch, rules *session.Logic,
	serve func(session.Conn),
) (*Logic, error) {
	l := &Logic{of: p, rules: rules, limit: how.timeout(), stdio: spec.Stdio}
	words, err := build.Command(ctx, spec.Argv,
		func(what string) { p.log.Info().Str("file", spec.Label).Msg("Game logic: " + what) })
	if err != nil {
		return nil, err
	}
	bot := process.Bot{
		Words: words, Stdio: spec.Stdio, Host: p.host, Nickname: "logic", Seed: seed, Env: how.Env,
		Launch: p.system.Launch,
	}
	if how.Logs != "" {
		bot.Log = filepath.Join(how.Logs, "logic.log")
		l.log = bot.Log
	}
	if !spec.Stdio {
		if l.port, err = p.system.Listen(p.host); err != nil {
			return nil, err
		}
		bot.Port = int(netconn.AddrPort(l.port.Addr()).Port())
	}
	p.mu.Lock() // no login is judged before the process is known
	if l.proc, err = bot.Start(); err == nil {
		p.logics = append(p.logics, l)
	}
	p.mu.Unlock()
	if err != nil {
		l.close()
		return nil, err
	}
	talk := func(conn session.Conn) {
		panics.Go(&p.serving, func() { serve(conn) }, panics.Logged(p.log, "Serving a game logic failed"))
	}
	if spec.Stdio {
		talk(
			session.OverStdio(l.proc.Stdio.Out, l.proc.Stdio.In,
				fmt.Sprintf("process %d (stdio)", l.proc.PID())),
		)
		return l, nil
	}
	panics.Go(&p.serving, func() {
		for conn, err := l.port.Accept(); err == nil; conn, err = l.port.Accept() {
			if p.isLogic(l, conn) {
				talk(session.OverTCP(conn))
			} else {
				_ = conn.Close()
			}
		}
	}, panics.Logged(p.log, "Accepting a game logic's connections failed"))
	return l, nil
}

// Referee returns the rules that the game logic at the other end of a connection to the server's
// port runs; nil if none was started that is known to have made the connection. It may take
// milliseconds.
func (p *Processes) Referee(remote string) *session.Logic {
	if !p.traced() {
		return nil
	}
	p.mu.Lock()
	logics := slices.Clone(p.logics)
	p.mu.Unlock()
	roots := make([]int, len(logics))
	for i, l := range logics {
		roots[i] = l.proc.PID()
	}
	if found := p.find(remote, roots); found != origin.Unknown {
		return logics[found].rules
	}
	return nil
}

// isLogic reports whether a connection to the port of a game logic comes from its process or a
// descendant, as far as the system tells: a bot could connect there as well.
func (p *Processes) isLogic(l *Logic, conn net.Conn) bool {
	port := netconn.AddrPort(l.port.Addr()).Port()
	peer, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil || !p.system.Traces(port) {
		return err == nil
	}
	found, err := p.system.Find(peer, port, []int{l.proc.PID()})
	return err == nil && found != origin.Unknown
}

// ErrNoLogic is why a match is aborted whose game logic was started and has not logged in.
var ErrNoLogic = errors.New("the game logic has not logged in")

// Wait waits until joined is closed, which means that the game logic has logged in. The error wraps
// ErrNoLogic and says why it has not, or is ctx's cause.
func (l *Logic) Wait(ctx context.Context, joined <-chan struct{}) error {
	late := time.NewTimer(l.limit)
	defer late.Stop()
	select {
	case <-joined:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-l.proc.Done():
		return fmt.Errorf("%w: it ended with %s", ErrNoLogic, l.proc.Exit())
	case <-late.C:
		if l.stdio {
			return fmt.Errorf("%w on its standard output within %v; does it flush what it writes?",
				ErrNoLogic, l.limit)
		}
		at := "at BOT_PORT"
		if l.of.Listening() {
			at += fmt.Sprintf(" or at port %d", l.of.port)
		}
		return fmt.Errorf("%w %s within %v", ErrNoLogic, at, l.limit)
	}
}

// Explain adds the last lines that the game logic printed to an error. They are for the operator
// only: the error of a match, which everyone may see, does not have them.
func (l *Logic) Explain(err error) error {
	lines := l.proc.Tail()
	switch len(lines) {
	case 0:
		return err
	case 1:
		err = fmt.Errorf("%w; it printed: %s", err, lines[0])
	default:
		err = fmt.Errorf("%w; it printed:\n  %s", err, strings.Join(lines, "\n  "))
	}
	if l.log != "" {
		err = fmt.Errorf("%w\nall is in %s", err, l.log)
	}
	return err
}

// Dismiss waits until the game logic has ended by itself, and stops it if it does not. After an
// abort it is stopped at once.
func (l *Logic) Dismiss(ctx context.Context) {
	l.close()
	l.proc.Dismiss(ctx)
}

func (l *Logic) close() {
	l.of.mu.Lock()
	l.of.logics = slices.DeleteFunc(l.of.logics, func(other *Logic) bool { return other == l })
	l.of.mu.Unlock()
	if l.port != nil {
		_ = l.port.Close()
	}
}
