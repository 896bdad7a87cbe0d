package seating

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// Why a match is not played.
var (
	// ErrNoBot means that no player's bot logged in.
	ErrNoBot = errors.New("no bot logged in")
	// ErrMissing means that a bot has no seat, and the match needs all of them.
	ErrMissing = errors.New("a bot is missing")
)

// Filling is how the bots of a room get their seats: [Retry], [OneTry] or [*Once].
type Filling interface {
	// fill seats the bots, until ctx ends. The error is the reason to abort the match.
	fill(ctx context.Context, s *Seats) error
}

// Retry starts or dials a bot without a seat again, with backoff, until the match starts. A bot
// that leaves later forfeits, as a client does.
type Retry struct{}

// Backoff of seating a bot that has no seat, or has left before the start. It doubles up to the
// maximum, at which an operator still sees within a minute that a bot has come up.
const (
	firstRetry = time.Second
	lastRetry  = 30 * time.Second
)

func (r Retry) fill(ctx context.Context, s *Seats) error {
	s.fillAll(ctx, func(b *Seat) { r.keepFilled(ctx, b) })
	return nil
}

// keepFilled seats a bot until the match starts.
func (Retry) keepFilled(ctx context.Context, b *Seat) {
	s := b.seats
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		err := b.try(ctx)
		if err == nil {
			return
		}
		s.log.Warn().Err(err).Str("bot", b.Label).Stringer("retry_in", wait).
			Msg("Cannot seat a bot; its seat is kept")
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// OneTry starts or dials each bot once. When all seats are taken but those of bots that failed, or
// that left before the start, the match starts.
type OneTry struct{}

func (o OneTry) fill(ctx context.Context, s *Seats) error {
	var starting sync.WaitGroup
	defer starting.Wait()
	panics.Go(&starting, func() { o.startWithout(ctx, s) },
		panics.Logged(s.log, "Starting a match failed"))
	s.fillAll(ctx, func(b *Seat) {
		if err := b.try(ctx); err != nil {
			s.log.Warn().Err(err).Str("bot", b.Label).
				Msg("Cannot seat a bot; the match begins without it")
			s.giveUp(b)
		}
	})
	return nil
}

// startWithout starts the match when only the seats of failed bots are free.
func (OneTry) startWithout(ctx context.Context, s *Seats) {
	if !s.until(ctx, func() bool {
		return !slices.ContainsFunc(s.list, func(b *Seat) bool { return !b.taken() && !b.givenUp })
	}) {
		return
	}
	if err := s.match.Start(); err != nil && !errors.Is(err, match.ErrStarted) {
		s.log.Warn().Err(err).Msg("The match cannot start without its bots")
	}
}

// fillAll seats all bots at the same time: it calls the built-in ones, and fill for the others.
func (s *Seats) fillAll(ctx context.Context, fill func(*Seat)) {
	var filling sync.WaitGroup
	defer filling.Wait()
	for _, b := range s.list {
		switch {
		case b.forClients():
		case b.Kind == seat.Builtin:
			err := b.call()
			if err != nil && ctx.Err() == nil && !errors.Is(err, match.ErrStarted) {
				s.log.Warn().Err(err).Str("bot", b.Builtin).Msg("Cannot seat a built-in bot")
			}
		default:
			panics.Go(&filling, func() { fill(b) }, panics.Logged(s.log, "Seating a bot failed"))
		}
	}
}

var errLeft = errors.New("it left before the match had started")

// try seats a bot. It returns nil once the match starts or the seating ends, and before that the
// reason why the bot has no seat, or has it no more; then its process has been stopped.
func (b *Seat) try(ctx context.Context) error {
	s, err := b.seats, b.attempt(ctx)
	if err == nil && s.until(ctx, func() bool { return b.holder == nil }) {
		err = errLeft
	}
	if ctx.Err() != nil || s.match.Started() {
		return nil
	}
	if proc := b.process(); proc != nil {
		proc.Stop()
	}
	return err
}

// Once gives each bot one chance to take its seat, one bot after another, so that a connection is
// known to be that bot's. When clients have taken the seats that wait for them, however long that
// takes, the match starts.
type Once struct {
	Begin   <-chan struct{} // closed when bots may be started; nil: at once
	NeedAll bool            // the match is aborted if a bot has no seat
	Strict  bool            // a login that cannot be traced to a bot never gets the bot's seat

	Progress func(seat *seat.Spec, step string) // is called at each step of a bot's start; or nil
	Failed   func(seat *seat.Spec, err error)   // is called for a bot without a seat; or nil
}

func (o *Once) fill(ctx context.Context, s *Seats) error {
	if o.Begin != nil {
		select {
		case <-o.Begin:
		case <-ctx.Done():
			return nil
		}
	}
	s.begun = time.Now()
	defer func() { s.filled = time.Now() }()
	for _, b := range s.list {
		if b.forClients() {
			continue
		}
		if err := o.seat(ctx, b); err != nil || ctx.Err() != nil {
			return err
		}
	}
	awaits := func(b *Seat) bool { return b.forClients() && !b.taken() }
	if !s.until(ctx, func() bool { return !slices.ContainsFunc(s.list, awaits) }) {
		return nil
	}
	if s.empty() {
		return ErrNoBot
	}
	if err := s.match.Start(); err != nil && !errors.Is(err, match.ErrStarted) {
		return err
	}
	return nil
}

// seat seats a bot. The error is the reason to abort the match.
func (o *Once) seat(ctx context.Context, b *Seat) error {
	if !b.seats.processes.keeps(b) {
		b.progress("starting" + by(&b.Spec))
	}
	err := b.attempt(ctx)
	if ctx.Err() != nil || err == nil {
		return nil
	}
	if o.Failed != nil {
		o.Failed(&b.Spec, err)
	}
	if o.NeedAll { // the report has the reason: the output of a compiler is not for everyone
		return fmt.Errorf("%w: %s", ErrMissing, b.Label)
	}
	return nil
}

// progress reports a step in the start of a bot that is seated once.
func (b *Seat) progress(step string) {
	if once := b.seats.once; once != nil && once.Progress != nil {
		once.Progress(&b.Spec, step)
	}
}

// by says what runs a seat's bot.
func by(s *seat.Spec) string {
	if s.Interpreter == "" {
		return ""
	}
	return " with " + s.Interpreter
}
