package seating

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/hexarena/hexarena/server/botapi"
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

// Start begins to seat the bots when ready is closed, at once if it is nil, while the match runs.
// abort ends the match early. Start returns
// what is called when the match is over, and returns when all bots have ended, at once if ctx has.
func (s *Seats) Start(
	ctx context.Context, ready <-chan struct{}, abort func(error),
) (finish func()) {
	if len(s.list) == 0 {
		return s.close
	}
	gathering, stop := context.WithCancel(ctx)
	var filling sync.WaitGroup
	panics.Go(&filling, func() {
		if ready != nil {
			select {
			case <-ready:
			case <-gathering.Done():
				return
			}
		}
		if err := s.filling.fill(ctx, gathering, s); err != nil {
			abort(err)
		}
	}, func(p *panics.Error) {
		panics.Logged(s.log, "Seating bots failed")(p)
		abort(p)
	})
	return func() {
		stop()
		filling.Wait()
		s.dismiss(ctx)
		s.close()
	}
}

// empty reports whether there are players' seats in the list, and no client or bot has one.
func (s *Seats) empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.players > 0 &&
		!slices.ContainsFunc(s.list, func(b *Seat) bool { return !b.Special && b.taken() })
}

// taken reports whether the match has given a client the seat. The caller holds the mutex of Seats.
func (b *Seat) taken() bool { return b.holder != nil && b.holder.joined }

// by says what runs a seat's bot.
func by(s *seat.Spec) string {
	if s.Interpreter == "" {
		return ""
	}
	return " with " + s.Interpreter
}

// seat seats a bot, in whatever way its seat has, or returns why it has no seat.
func (s *Seats) seat(ctx, gathering context.Context, b *Seat) error {
	b.talked = nil
	switch b.Kind {
	case seat.Builtin:
		return s.call(b)
	case seat.Address:
		return s.dial(ctx, gathering, b, b.URL)
	}
	return s.start(ctx, gathering, b)
}

// join gives a bot that needs no login its seat.
func (s *Seats) join(b *Seat, one match.Seat, c match.Candidate) error {
	_, err := s.joinAs(b, one, c, &login{remote: c.Remote, proven: true})
	return err
}

// joinAs gives a bot its seat without another login.
func (s *Seats) joinAs(
	b *Seat, one match.Seat, c match.Candidate, as *login,
) (*match.Place, error) {
	c.Role, c.Key, c.Number, c.Reserved, c.Seed = b.role(), b.key(), b.number, b.reserved(), b.Seed
	if !s.take(b, as) {
		return nil, errSeatTaken
	}
	place, err := s.match.Join(one, c)
	if err != nil {
		s.Release(c.Remote)
	}
	return place, err
}

// call seats a built-in bot.
func (s *Seats) call(b *Seat) (err error) {
	b.inside, err = s.bots.Call(b.Builtin, b.Seed, func(one match.Seat) error {
		return s.join(b, one, match.Candidate{Nickname: b.nickname, Remote: b.key(), Builtin: true})
	})
	return err
}

// Call seats a built-in bot in a seat that is not in the list.
func (s *Seats) Call(name, nickname string, role match.Role, seed uint64) error {
	_, err := s.bots.Call(name, seed, func(one match.Seat) error {
		c := match.Candidate{
			Role: role, Nickname: nickname, Remote: "built-in bot " + nickname, Builtin: true,
			Number: len(s.list) + 1,
		}
		_, err := s.match.Join(one, c)
		return err
	})
	return err
}

// dial seats a bot of the HTTTX Bot API that listens at a URL. Its conversation ends with the
// match.
func (s *Seats) dial(ctx, gathering context.Context, b *Seat, url string) error {
	one, err := s.bots.Dial(gathering, url, func(peer *botapi.Peer, one match.Seat, c match.Candidate) error {
		if s.opts.Opening && !peer.TakesAnyBoard() {
			return fmt.Errorf(
				"%s does not declare free_setup, so that it cannot play from openings; leave them out", b.Label)
		}
		c.Remote = s.unique(c.Remote, b.number)
		return s.join(b, one, c)
	})
	if err != nil {
		return err
	}
	talked := make(chan struct{})
	b.talked = talked
	panics.Go(&s.running, func() {
		defer close(talked)
		// the match ends it, also after an abort: a bot that is disconnected first would forfeit
		one.Serve(context.WithoutCancel(ctx))
	}, panics.Logged(s.log, "Serving a player failed"))
	return nil
}

// unique returns an address that no seat was taken from: a bot may play against itself.
func (s *Seats) unique(remote string, number int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holding(remote) == nil {
		return remote
	}
	return fmt.Sprintf("%s (seat %d)", remote, number)
}

// dismiss waits for all bots to end, and stops those that do not. After an abort they are stopped
// at once. Those that go on to run are released in the order of their seats, so that the match
// decides which are too many, and not which one was done first.
func (s *Seats) dismiss(ctx context.Context) {
	var all sync.WaitGroup
	for _, b := range s.list {
		if b.talked != nil || b.proc != nil {
			all.Go(func() { s.dismissBot(ctx, b) })
		}
	}
	all.Wait()
	for _, b := range s.list {
		if b.proc == nil {
			continue
		}
		if r := s.processes.release(b); r != nil {
			all.Go(func() { s.processes.dismiss(ctx, r) })
		}
	}
	all.Wait()
}

// dismissBot waits until a bot has ended by itself, or stops it. One that was dialled does not end
// by itself; it goes on to listen. One that stays waits for the next match.
func (s *Seats) dismissBot(ctx context.Context, b *Seat) {
	if b.talked != nil {
		<-b.talked
	}
	switch {
	case b.proc == nil:
	case b.talked == nil:
		if !s.waitsOn(ctx, b) {
			b.proc.Dismiss(ctx)
		}
	case ctx.Err() != nil:
		b.proc.Stop()
	}
}

// close closes the ports of bots, and returns when no bot is called and no conversation goes on any
// more.
func (s *Seats) close() {
	for _, b := range s.list {
		if b.port != nil {
			_ = b.port.Close()
		}
	}
	s.running.Wait()
	s.bots.Close()
}
