package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
)

// Backoff of dialling a bot that cannot be reached, or has left before the start. It doubles up to
// the maximum, at which an operator still sees within a minute that a bot has come up.
const (
	firstRedial = time.Second
	lastRedial  = 30 * time.Second
)

// seatBots seats the room's bots while the match runs, each in its own time. It returns what is
// called when the match is over, and waits until all bots know that.
func (r *Room) seatBots(ctx context.Context) (dismiss func()) {
	if !slices.ContainsFunc(r.spec.Seats, func(s Reservation) bool { return s.Bot != nil }) {
		return func() {}
	}
	o := r.spec.Bots
	o.Log = r.log
	bots := direct.New(o)
	gathering, stop := context.WithCancel(ctx)
	var seating sync.WaitGroup
	failed := panics.Logged(r.log, "Seating a bot failed")
	panics.Go(&seating, func() {
		for i, s := range r.spec.Seats {
			switch {
			case s.Bot == nil:
			case s.Bot.Kind == seat.Address:
				panics.Go(&seating, func() { r.dial(ctx, gathering, bots, i) }, failed)
			default:
				r.call(bots, i)
			}
		}
	}, failed)
	return func() {
		stop()
		seating.Wait()
		bots.Close()
	}
}

// call seats a built-in bot.
func (r *Room) call(bots *direct.Bots, index int) {
	bot := r.spec.Seats[index].Bot
	_, err := bots.Call(bot.Builtin, seat.Seed(r.spec.Seed, index), func(s match.Seat) error {
		return r.joinBot(index, s, match.Candidate{Nickname: bot.Nickname(), Remote: fmt.Sprint("seat ", index+1)})
	})
	if err != nil && !errors.Is(err, match.ErrStarted) && !errors.Is(err, match.ErrAborted) {
		r.log.Warn().Err(err).Str("bot", bot.Builtin).Msg("Cannot seat a built-in bot")
	}
}

// dial seats a bot of the HTTTX Bot API and serves it until the match is over. While the match is
// gathering, it dials again, with backoff, after each failure. A bot that disconnects later
// forfeits, as a client does.
func (r *Room) dial(ctx, gathering context.Context, bots *direct.Bots, index int) {
	bot := r.spec.Seats[index].Bot
	for wait := firstRedial; ; wait = min(2*wait, lastRedial) {
		s, err := bots.Dial(gathering, bot.URL, func(_ *botapi.Peer, s match.Seat, c match.Candidate) error {
			return r.joinBot(index, s, c)
		})
		if err == nil {
			s.Serve(ctx)
			err = errLeft
		}
		if r.match.Started() || r.over() {
			return
		}
		r.log.Warn().Err(err).Str("bot", bot.Label).Stringer("retry_in", wait).Msg("Cannot seat a bot; its seat is kept")
		select {
		case <-time.After(wait):
		case <-gathering.Done():
			return
		}
	}
}

var errLeft = errors.New("it disconnected before the match had started")

// over reports whether the room's match is over.
func (r *Room) over() bool {
	select {
	case <-r.match.Done():
		return true
	default:
		return false
	}
}

// joinBot gives a bot the seat that is kept for it.
func (r *Room) joinBot(index int, s match.Seat, c match.Candidate) error {
	c.Role, c.Key, c.Number, c.Reserved = match.Player, fmt.Sprint("seat ", index+1), index+1, true
	if r.spec.Seats[index].Bot.Kind == seat.Address {
		c.Remote = fmt.Sprintf("%s (seat %d)", c.Remote, index+1) // a bot may play against itself
	}
	_, err := r.match.Join(s, c)
	return err
}
