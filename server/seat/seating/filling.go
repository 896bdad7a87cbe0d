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

// Filling is how the bots of a room get their seats: [Retry], [OneTry] or [*Once].
type Filling interface {
	// fill seats the bots. Their processes last until ctx ends, and the seating until gathering
	// does. The error is the reason to abort the match.
	fill(ctx, gathering context.Context, s *Seats) error
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

func (r Retry) fill(ctx, gathering context.Context, s *Seats) error {
	s.fillAll(gathering, func(b *Seat) { r.keepFilled(ctx, gathering, b) })
	return nil
}

// keepFilled seats a bot until the match starts.
func (Retry) keepFilled(ctx, gathering context.Context, b *Seat) {
	s := b.seats
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		err := s.try(ctx, gathering, b)
		if err == nil {
			return
		}
		s.log.Warn().Err(err).Str("bot", b.Label).Stringer("retry_in", wait).
			Msg("Cannot seat a bot; its seat is kept")
		select {
		case <-time.After(wait):
		case <-gathering.Done():
			return
		}
	}
}

// OneTry starts or dials each bot once. When all seats are taken but those of bots that failed, or
// that left before the start, the match starts.
type OneTry struct{}

func (o OneTry) fill(ctx, gathering context.Context, s *Seats) error {
	var starting sync.WaitGroup
	defer starting.Wait()
	panics.Go(&starting, func() { o.startWithout(gathering, s) },
		panics.Logged(s.log, "Starting a match failed"))
	s.fillAll(gathering, func(b *Seat) {
		if err := s.try(ctx, gathering, b); err != nil {
			s.log.Warn().Err(err).Str("bot", b.Label).
				Msg("Cannot seat a bot; the match begins without it")
			s.giveUp(b)
		}
	})
	return nil
}

// startWithout starts the match when only the seats of failed bots are free.
func (OneTry) startWithout(gathering context.Context, s *Seats) {
	if !s.until(gathering, func() bool {
		return !slices.ContainsFunc(s.list, func(b *Seat) bool { return !b.taken() && !b.givenUp })
	}) {
		return
	}
	if err := s.match.Start(); err != nil && !errors.Is(err, match.ErrStarted) {
		s.log.Warn().Err(err).Msg("The match cannot start without its bots")
	}
}

// giveUp notes that a bot is not started again.
func (s *Seats) giveUp(b *Seat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.givenUp = true
	s.touch()
}

// fillAll seats all bots at the same time: it calls the built-in ones, and fill for the others.
func (s *Seats) fillAll(gathering context.Context, fill func(*Seat)) {
	var filling sync.WaitGroup
	defer filling.Wait()
	for _, b := range s.list {
		switch {
		case b.forClients():
		case b.Kind == seat.Builtin:
			err := s.call(b)
			if err != nil && gathering.Err() == nil && !errors.Is(err, match.ErrStarted) {
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
func (s *Seats) try(ctx, gathering context.Context, b *Seat) error {
	b.absent = s.seat(ctx, gathering, b)
	err := b.absent
	if err == nil && s.until(gathering, func() bool { return b.holder == nil }) {
		err = errLeft
	}
	if gathering.Err() != nil || s.match.Started() {
		return nil
	}
	if b.proc != nil {
		b.proc.Stop()
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

func (o *Once) fill(ctx, gathering context.Context, s *Seats) error {
	if o.Begin != nil {
		select {
		case <-o.Begin:
		case <-gathering.Done():
			return nil
		}
	}
	s.begun = time.Now()
	defer func() { s.filled = time.Now() }()
	for _, b := range s.list {
		if b.forClients() {
			continue
		}
		if err := o.seat(ctx, gathering, b); err != nil || gathering.Err() != nil {
			return err
		}
	}
	awaits := func(b *Seat) bool { return b.forClients() && !b.taken() }
	if !s.until(gathering, func() bool { return !slices.ContainsFunc(s.list, awaits) }) {
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
func (o *Once) seat(ctx, gathering context.Context, b *Seat) error {
	s := b.seats
	if !s.processes.keeps(b) {
		s.progress(b, "starting"+by(&b.Spec))
	}
	b.absent = s.seat(ctx, gathering, b)
	if gathering.Err() != nil || b.absent == nil {
		return nil
	}
	if o.Failed != nil {
		o.Failed(&b.Spec, b.absent)
	}
	if o.NeedAll { // the report has the reason: the output of a compiler is not for everyone
		return fmt.Errorf("%w: %s", ErrMissing, b.Label)
	}
	return nil
}

// progress reports a step in the start of a bot that is seated once.
func (s *Seats) progress(b *Seat, step string) {
	if s.once != nil && s.once.Progress != nil {
		s.once.Progress(&b.Spec, step)
	}
}
