package seating_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// Options describe a match of a test.
type Options struct {
	seating.Options
	seating.Once
	Game               games.Instance
	Seats              []seat.Spec
	Turns              int
	Pace               func(match.Settings) match.Pace
	Order              match.Order
	Seed               uint64
	InOrder, LeaveEnds bool
	InProcess          bool // without a server
	Watchers           []match.Watcher
	Host               *host.Host // on which the match is played; nil: one of its own
	Port               int
	Yield              bool
	StaysOn            bool // the host is not shut down after the match
	Reconnect          time.Duration
}

// arena is a match that is about to be played.
type arena struct {
	*host.Host
	opts  Options
	room  *host.Room
	begin chan struct{}
	abort context.CancelCauseFunc
}

// New starts a match whose bots are not started yet.
func New(o Options) (*arena, error) {
	a := &arena{Host: o.Host, opts: o, begin: make(chan struct{})}
	var err error
	if a.Host == nil {
		a.Host, err = host.Open(host.Options{
			Bind: "127.0.0.1", Port: o.Port, Yield: o.Yield, NoPort: o.InProcess, Linger: 5 * time.Second,
			Log:  zerolog.Nop(),
			Gate: nickname.Gate{},
		})
		if err != nil {
			return nil, err
		}
	}
	spec := host.Spec{
		Game: o.Game, Settings: match.Settings{Turns: o.Turns, Visus: 16}, Pace: o.Pace, Order: o.Order,
		Seed:    o.Seed,
		InOrder: o.InOrder, LeaveEnds: o.LeaveEnds, Private: o.InProcess, Digest: true,
		Watchers: o.Watchers,
		Seats:    o.Seats, Bots: o.Options, Reconnect: o.Reconnect,
	}
	for _, s := range o.Seats {
		if s.Special {
			spec.Settings.Specials++
		} else {
			spec.Settings.Players++
		}
	}
	once := o.Once
	once.Begin = a.begin
	spec.Bots.Fill, spec.Bots.Shared = &once, o.InProcess
	ctx, abort := context.WithCancelCause(context.Background())
	a.abort = abort
	a.room, err = a.Start(ctx, spec)
	return a, err
}

// Addr returns where the server listens.
func (a *arena) Addr() *net.TCPAddr { return a.Host.Addr().(*net.TCPAddr) }

// Play plays the match and reports on it, also when ctx ends early.
func (a *arena) Play(ctx context.Context) *result.Report {
	defer context.AfterFunc(ctx, func() { a.abort(context.Cause(ctx)) })()
	defer a.abort(nil)
	if !a.opts.StaysOn {
		defer a.Shutdown(ctx)
	}
	close(a.begin)
	r := a.room.Wait()
	return r.Report()
}

// open returns a match, of 10 turns unless o has another number.
func open(t *testing.T, o Options) *arena {
	t.Helper()
	o.Builtin = builtin
	if o.Game.New == nil {
		o.Game = instance(hexabomb.New(hexagon()))
	}
	o.Launch.Logs = t.TempDir()
	// otherwise each child ends a second later under the race detector
	o.Launch.Env = []string{"GORACE=atexit_sleep_ms=0"}
	if o.Turns == 0 {
		o.Turns = 10
	}
	if o.Pace == nil {
		o.Pace = fast(0)
	}
	if o.Launch.Timeout == 0 {
		o.Launch.Timeout = time.Minute
	}
	a, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// play plays such a match.
func play(ctx context.Context, t *testing.T, o Options) *result.Report {
	t.Helper()
	return open(t, o).Play(ctx)
}
