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
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	names "github.com/hexarena/hexarena/server/nickname"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/session"
	"github.com/hexarena/hexarena/server/web"
)

// DefaultPort is where bots written for netorcai expect their server.
const DefaultPort = 4242

// Builtin makes one of the bots that play in this process, or says why not.
type Builtin func(name string, seed uint64) (netorcai.Bot, error)

// Options say what match to play.
type Options struct {
	Name    string         // of the game, for the page
	Game    games.Instance // with rules in this process
	Builtin Builtin
	Seats   []seat.Spec
	Turns   int
	Pace    func(match.Settings) match.Pace
	Delay   time.Duration // between turns, as bots are told
	Order   match.Order
	Seed    uint64 // of the match and, by way of it, of every seat

	// In a game in which players take turns:
	InOrder   bool          // players get their ids in the order of the seats
	LeaveEnds bool          // a player that leaves while another one is awaited ends the turn
	HTTTX     bool          // bots of the HTTTX Bot API can play, dialled or started
	Opening   bool          // the game begins from a position that not all of them may take
	NeedAll   bool          // the match is not played if a bot has no seat
	Kept      *Kept         // has the bots that listen go on to the next match; nil: they are stopped
	Patience  time.Duration // what bots without a clock are told that a move may take; 0: nothing

	Bind  string // host or address; empty is all
	Port  int    // 0 is any free one
	Yield bool   // if the port is taken, take any other

	// Strict refuses logins that cannot be traced to a bot that was started, except for
	// seats that wait for clients.
	Strict bool

	// InProcess has the bots play without a server, and nothing above is needed:
	// the match calls them, so all have to be built-in ones. What they are told
	// and do is the same.
	InProcess bool

	Recordings *host.Recordings                   // nil: the match is not recorded
	Extra      map[string]string                  // what the recording has beside the match
	Program    string                             // name and version, for the recording
	Page       *web.Server                        // shows the match, and has its port as well; nil: nothing does
	Interval   func(match.Settings) time.Duration // from turn to turn, as viewers are told
	Again      func() error                       // has the same players play once more after the match; nil: they do not

	Allow        session.Allowances
	StartTimeout time.Duration // from the start of a bot to its login
	Logs         string        // folder for the started bots' logs, made when needed

	Watchers []match.Watcher
	Progress func(seat *seat.Spec, what string) // told of each bot's start; may be nil
	Pages    *recording.Pages                   // what started bots print, for the recording; may be nil
	Printed  func(seat *seat.Spec, line string) // told of what started bots print, from goroutines of theirs; may be nil
	Log      zerolog.Logger                     // the server's
}

// Arena is one match that is about to be played.
type Arena struct {
	opts    Options
	rooms   *host.Host
	room    *host.Room
	match   *match.Match
	host    string // where bots find the server
	direct  *direct.Bots
	logins  *logins
	account *result.Account
	abort   context.CancelCauseFunc // of the match
	claims  *claims
	guests  *guests
	bots    []*bot
	ports   sync.WaitGroup // of the bots' own ports

	players sync.WaitGroup // conversations with bots that were dialled
}

// Why a match has no result.
var (
	// ErrNobody means that no player's bot logged in.
	ErrNobody = errors.New("no bot logged in")
	// ErrMissing means that a bot has no seat, and the match needs all of them.
	ErrMissing = errors.New("a bot is missing")
	// ErrPort means that another program listens on the port.
	ErrPort = errors.New("the port is in use")
)

// New opens the server for a match, so that its port is known and taken.
func New(o Options) (*Arena, error) {
	a := &Arena{opts: o, logins: newLogins(len(o.Seats))}
	a.direct = direct.New(direct.Options{Builtin: o.Builtin, Patience: o.Patience, Shared: o.InProcess, Log: o.Log})
	if o.Kept != nil {
		o.Kept.printed.Store(&o.Printed)
	}
	for i := range o.Seats {
		a.bots = append(a.bots, newBot(&o.Seats[i], i, o.Seed))
	}
	a.claims = newClaims(a.bots, o.Strict, o.Log)
	a.logins.claims = a.claims
	a.guests = &guests{opened: make(chan struct{}), claims: a.claims}
	rooms, err := a.open(o.Port)
	if err != nil && o.Yield && portInUse(err) {
		rooms, err = a.open(0)
	}
	if err != nil {
		if portInUse(err) {
			err = fmt.Errorf("%w: %w", ErrPort, err)
		}
		return nil, err
	}
	a.rooms = rooms
	if !o.InProcess {
		a.listening()
	}
	return a, a.openRoom()
}

// openRoom starts the match, which Play aborts when it has to.
func (a *Arena) openRoom() (err error) {
	var ctx context.Context
	ctx, a.abort = context.WithCancelCause(context.Background())
	if a.room, err = a.rooms.Start(ctx, a.spec()); err != nil {
		a.rooms.Shutdown(ctx)
		return err
	}
	a.match, a.account = a.room.Match(), a.room.Account()
	return nil
}

// listening notes where the bots find the server.
func (a *Arena) listening() {
	at := a.Addr()
	a.claims.listening(at)
	a.host = a.opts.Bind
	if at.IP.IsUnspecified() {
		a.host = "127.0.0.1"
		if a.opts.Bind != "" && at.IP.To4() == nil {
			a.host = net.IPv6loopback.String()
		}
	}
}

func (a *Arena) open(port int) (*host.Host, error) {
	o := &a.opts
	return host.Open(host.Options{
		NoPort: o.InProcess, Bind: o.Bind, Port: port, LoginTimeout: loginTimeout, Linger: lingerTime, Allow: o.Allow,
		Gate: names.Gate{}, Recordings: o.Recordings, Program: o.Program, Shared: o.Page, Log: o.Log,
	})
}

// spec describes the match.
func (a *Arena) spec() host.Spec {
	o := &a.opts
	settings := Settings(o.Seats)
	settings.Turns = o.Turns
	settings.DelayFirst = float64(o.Delay) / float64(time.Millisecond)
	settings.DelayTurns = settings.DelayFirst
	spec := host.Spec{
		Name:     o.Name,
		Game:     o.Game,
		Settings: settings,
		Pace:     o.Pace,
		Order:    o.Order,
		Seed:     o.Seed,
		InOrder:  o.InOrder, LeaveEnds: o.LeaveEnds,
		Private:  o.InProcess,
		Admit:    a.claims.admit,
		Digest:   true,
		Watchers: append([]match.Watcher{a.logins}, o.Watchers...),
		Record:   host.Record{Extra: o.Extra, Describe: a.recordedBot, Printed: o.Pages},
		Page:     host.PageSpec{Starts: true, Interval: o.Interval, Players: a.letGuestsIn, Again: o.Again},
	}
	return spec
}

// recordedBot returns what is known of the bot that called from an address.
func (a *Arena) recordedBot(address string) recording.Bot {
	if s := a.SeatAt(address); s != nil {
		return recording.Bot{Label: s.Label, Command: s.Argv, Seed: s.Seed}
	}
	return recording.Bot{}
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
func (a *Arena) Addr() *net.TCPAddr { return a.rooms.Addr().(*net.TCPAddr) }

// BotHost returns the host at which bots on this machine find the server.
func (a *Arena) BotHost() string { return a.host }

// SeatAt returns the seat of the bot that called from an address, nil if none did. It
// may be called by watchers, from the start of the match on.
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

// Play plays the match and reports on it, also when ctx ends early or no player
// came. It is called once.
func (a *Arena) Play(ctx context.Context) *Report {
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	a.logins.abort = func(err error) {
		if ctx.Err() != nil {
			err = context.Cause(ctx) // which is why there are no logins
		}
		a.abort(err)
		abort(err)
	}
	defer a.abort(nil)
	defer context.AfterFunc(ctx, func() { a.abort(context.Cause(ctx)) })()
	clock := newClock()

	a.fill(ctx)
	missing := a.missing()
	if missing == nil && slices.ContainsFunc(a.bots, (*bot).guest) {
		a.guests.letIn()
		a.receive(ctx)
	}
	clock.filled()
	switch {
	case missing != nil:
		a.logins.abort(missing)
	case ctx.Err() != nil: // else a match without its players could start first
		a.abort(context.Cause(ctx))
	default:
		_ = a.match.Start() // fails only if the match was aborted
	}
	result := a.room.Wait()
	clock.ended()
	a.guests.letIn() // to be told that it is over
	var served sync.WaitGroup
	served.Go(func() { a.rooms.Shutdown(ctx) })
	a.dismiss(ctx)
	served.Wait()
	a.close()
	return a.report(&result, clock)
}

// close ends what the match was played with.
func (a *Arena) close() {
	a.players.Wait()
	a.direct.Close()
	a.closePorts()
}

// fill starts the bots that are started here, each when the one before it has a
// seat or has failed, so that a connection is known to be that bot's.
func (a *Arena) fill(ctx context.Context) {
	for _, b := range a.bots {
		if ctx.Err() != nil {
			return
		}
		if b.guest() {
			continue
		}
		if !a.opts.Kept.has(b.seat.Label) {
			a.progress(b, "starting"+by(b.seat))
		}
		a.claims.await(b)
		b.absent = a.start(ctx, b)
		a.claims.await(nil)
		if ctx.Err() != nil {
			return
		}
		if b.absent != nil {
			a.progress(b, "never logged in: "+b.absent.Error())
			if a.opts.NeedAll {
				return
			}
		}
	}
}

// missing returns why a match that needs all its bots is not played, or nil.
func (a *Arena) missing() error {
	for _, b := range a.bots {
		if a.opts.NeedAll && b.absent != nil {
			return fmt.Errorf("%w: seat %q: %w", ErrMissing, b.seat.Argument, b.absent)
		}
	}
	return nil
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

// dismiss waits for all bots to end, and stops those that do not. After an abort they are
// stopped at once.
func (a *Arena) dismiss(ctx context.Context) {
	var all sync.WaitGroup
	for _, b := range a.bots {
		all.Go(func() { b.dismiss(ctx, a.opts.Kept != nil) })
	}
	all.Wait()
	for _, b := range a.bots {
		if b.proc != nil && !b.proc.Ended() {
			a.opts.Kept.put(b.seat.Label, &keptBot{b.started, b.proc})
		}
	}
}
