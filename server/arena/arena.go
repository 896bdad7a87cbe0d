// Package arena plays one local match: it opens a server, starts the bots of
// all seats one after another, and keeps account of what each did. It prints
// nothing and knows no game. Built-in bots can also play without a server, see
// Options.InProcess.
//
// [Arena.Play] owns all goroutines: one that serves, one for each built-in bot or,
// without a server, one for all of them, and for started bots those of their
// processes. None is left when it returns, and neither is a process.
package arena

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	names "github.com/hexarena/hexarena/server/nickname"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/session"
)

// DefaultPort is where bots written for netorcai expect their server.
const DefaultPort = 4242

// Builtin makes one of the bots that play in this process, or says why not.
type Builtin func(name string, seed uint64) (netorcai.Bot, error)

// Options say what match to play.
type Options struct {
	Game    engine.Game // not started
	Builtin Builtin
	Seats   []seat.Spec
	Turns   int
	Pace    func(match.Settings) match.Pace
	Delay   time.Duration // between turns, as bots are told
	Order   match.Order
	Seed    uint64 // of the match and, by way of it, of every seat

	Bind  string // host or address; empty is all
	Port  int    // 0 is any free one
	Yield bool   // if the port is taken, take any other

	// Strict refuses logins that cannot be traced to a bot that was started, but for
	// those of seats that wait for a bot of the page.
	Strict bool

	// InProcess has the bots play without a server, and nothing above is needed:
	// the match calls them, so all have to be built-in ones. What they are told
	// and do is the same.
	InProcess bool

	Allow        session.Allowances
	StartTimeout time.Duration // from the start of a bot to its login
	Logs         string        // folder for the started bots' logs, made when needed

	Watchers []match.Watcher
	Progress func(seat *seat.Spec, what string) // told of each bot's start; may be nil
	Printed  func(seat *seat.Spec, line string) // told of what started bots print, from goroutines of theirs; may be nil
	Log      zerolog.Logger                     // the server's
}

// Arena is one match that is about to be played.
type Arena struct {
	opts    Options
	match   *match.Match
	server  *host.Host // nil: in process
	troupe  *troupe    // in process
	host    string     // where bots find the server
	logins  *logins
	account *result.Account
	claims  *claims
	guests  *guests
	bots    []*bot
	ports   sync.WaitGroup // of the bots' own ports
}

// Why a match has no result.
var (
	// ErrNobody means that no player's bot logged in.
	ErrNobody = errors.New("no bot logged in")
	// ErrPort means that another program listens on the port.
	ErrPort = errors.New("the port is in use")
)

// How long bots have to end by themselves when they were told that the match is
// over, and how long to heed a signal after that.
const (
	leaveTime = 2 * time.Second
	heedTime  = 300 * time.Millisecond
)

// New opens the server for a match, so that its port is known and taken.
func New(o Options) (*Arena, error) {
	a := &Arena{
		opts: o, logins: newLogins(len(o.Seats)), guests: newGuests(o.Seats),
		account: result.New(result.Options{Game: o.Game, Digest: true}),
	}
	for i := range o.Seats {
		a.bots = append(a.bots, newBot(&o.Seats[i], i, o.Seed))
	}
	a.claims = newClaims(a.bots, o.Strict, o.Log)
	a.logins.claims, a.logins.guests = a.claims, a.guests
	if o.InProcess {
		a.match = match.New(a.matchOptions())
		a.troupe = newTroupe()
		return a, nil
	}
	srv, err := a.listen(o.Port)
	if err != nil && o.Yield && portInUse(err) {
		srv, err = a.listen(0)
	}
	if err != nil {
		if portInUse(err) {
			err = fmt.Errorf("%w: %w", ErrPort, err)
		}
		return nil, err
	}
	a.server, a.match = srv, srv.Match()
	a.claims.listening(srv.Addr())
	a.host = o.Bind
	if ip := srv.Addr().IP; ip.IsUnspecified() {
		a.host = "127.0.0.1"
		if o.Bind != "" && ip.To4() == nil {
			a.host = net.IPv6loopback.String()
		}
	}
	return a, nil
}

func (a *Arena) listen(port int) (*host.Host, error) {
	o := &a.opts
	return host.Open(host.Options{
		Bind: o.Bind, Port: port, LoginTimeout: loginTimeout, Linger: lingerTime, Allow: o.Allow, Admit: a.admit, Gate: names.Gate{},
		Log: o.Log, Match: a.matchOptions(),
	})
}

// admit implements host.Options.Admit.
func (a *Arena) admit(c *match.Candidate) error {
	if unconcerned, err := a.guests.admit(c); !unconcerned {
		return err
	}
	return a.claims.admit(c)
}

func (a *Arena) matchOptions() match.Options {
	o := &a.opts
	settings := Settings(o.Seats)
	settings.Turns = o.Turns
	settings.DelayFirst = float64(o.Delay) / float64(time.Millisecond)
	settings.DelayTurns = settings.DelayFirst
	return match.Options{
		Settings: settings,
		Pace:     o.Pace,
		Order:    o.Order,
		Seed:     o.Seed,
		Referee:  match.Local(o.Game),
		Watchers: append([]match.Watcher{a.account, a.logins}, o.Watchers...),
		Log:      o.Log,
	}
}

const (
	visus        = 16 // viewers that may look on
	loginTimeout = 10 * time.Second
	lingerTime   = 5 * time.Second // the default of the setting linger
)

// Settings are the seats of a match that seats play, for settings to begin with.
func Settings(seats []seat.Spec) match.Settings {
	settings := match.Settings{Visus: visus}
	for i := range seats {
		if seats[i].Special {
			settings.Specials++
		} else {
			settings.Players++
		}
	}
	return settings
}

// wsaAddrInUse is what Windows calls EADDRINUSE.
const wsaAddrInUse = syscall.Errno(10048)

func portInUse(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, wsaAddrInUse)
}

// Addr is where the server listens.
func (a *Arena) Addr() *net.TCPAddr { return a.server.Addr() }

// ShareWith hands connections to the port that speak HTTP to a web server. It is
// called before Play.
func (a *Arena) ShareWith(web func(net.Conn)) { a.server.ShareWith(web, false) }

// SeatAt is the seat of whoever called from an address, nil if nobody does. It
// may be asked by watchers, from the start of the match on.
func (a *Arena) SeatAt(remote string) *seat.Spec {
	for _, b := range a.bots {
		if b.remote == remote {
			return b.seat
		}
	}
	return nil
}

// SetPace changes the pace from the next turn on. It may be called while the
// match is played, and does nothing after it.
func (a *Arena) SetPace(f func(match.Settings) match.Pace) { a.match.SetPace(f) }

// Play plays the match and reports on it, also when ctx ends early or nobody
// came. It is called once.
func (a *Arena) Play(ctx context.Context) *Report {
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	a.logins.abort = abort
	clock := newClock()

	var ending match.Ending
	served := make(chan struct{})
	go func() {
		defer close(served)
		ending = a.serve(ctx)
	}()
	a.fill(ctx)
	if a.guests.seats > 0 {
		a.guests.letIn()
		a.receive(ctx)
	}
	clock.filled()
	_ = a.match.Start() // fails only if the match was aborted
	select {
	case <-a.logins.ended:
	case <-served: // without a word, since a watcher failed
	}
	clock.ended()
	a.guests.letIn() // to be told that it is over
	a.dismiss(ctx)
	<-served
	a.closePorts()
	return a.report(&ending, clock)
}

// serve plays the match with those who come.
func (a *Arena) serve(ctx context.Context) match.Ending {
	if a.troupe == nil {
		return a.server.Serve(ctx)
	}
	var acting sync.WaitGroup
	acting.Go(a.troupe.act)
	defer acting.Wait()
	defer a.troupe.close()
	return a.match.Run(ctx)
}

// fill starts the bots that are started here, each when the one before it has a
// seat or has failed, so that a connection is known to be that bot's.
func (a *Arena) fill(ctx context.Context) {
	for _, b := range a.bots {
		if ctx.Err() != nil {
			return
		}
		if b.seat.Kind == seat.Page {
			continue
		}
		a.progress(b, "starting"+by(b.seat))
		a.claims.await(b)
		if err := a.start(ctx, b); err != nil {
			b.absent = err
		} else {
			b.absent = a.await(ctx, b)
		}
		a.claims.await(nil)
		if ctx.Err() != nil {
			return
		}
		if b.absent != nil {
			a.progress(b, "never logged in: "+b.absent.Error())
		}
	}
}

// by says what runs a seat's bot.
func by(s *seat.Spec) string {
	if s.Interpreter == "" {
		return ""
	}
	return " with " + s.Interpreter
}

func (a *Arena) progress(b *bot, what string) {
	if a.opts.Progress != nil {
		a.opts.Progress(b.seat, what)
	}
}

// dismiss sees all bots off. After the end of a match they may take the time to
// end by themselves; after an abort there is none.
func (a *Arena) dismiss(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, leaveTime)
	defer cancel()
	var all sync.WaitGroup
	for _, b := range a.bots {
		if b.gone == nil {
			continue
		}
		all.Go(func() {
			select {
			case <-b.gone:
			case <-ctx.Done():
				b.stop()
			}
		})
	}
	all.Wait()
}
