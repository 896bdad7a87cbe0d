package seating

import (
	"context"
	"fmt"

	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// attempt tries to seat the bot of a seat, and sets absent to the error. It gives up when ctx ends.
func (b *Seat) attempt(ctx context.Context) error {
	b.talked = nil
	switch b.Kind {
	case seat.Builtin:
		b.absent = b.call()
	case seat.Address:
		b.absent = b.dial(ctx, b.URL)
	default:
		b.absent = b.start(ctx)
	}
	return b.absent
}

// join gives a bot its seat without a login.
func (b *Seat) join(one match.Seat, c match.Candidate, as *login) (*match.Place, error) {
	c.Role, c.Key, c.Number, c.Reserved, c.Seed = b.role(), b.key(), b.number, b.reserved(), b.Seed
	if !b.seats.assign(b, as) {
		return nil, errSeatTaken
	}
	place, err := b.seats.match.Join(one, c)
	if err != nil {
		b.seats.Release(c.Remote)
	}
	return place, err
}

// call seats a built-in bot.
func (b *Seat) call() (err error) {
	b.inside, err = b.seats.bots.Call(b.Builtin, b.Seed, func(one match.Seat) error {
		c := match.Candidate{Nickname: b.nickname, Remote: b.key(), Builtin: true}
		_, err := b.join(one, c, &login{remote: c.Remote, proven: true})
		return err
	})
	return err
}

// dial seats a bot of the HTTTX Bot API that listens at a URL. Its conversation ends with the
// match.
func (b *Seat) dial(ctx context.Context, url string) error {
	s := b.seats
	join := func(peer *botapi.Peer, one match.Seat, c match.Candidate) error {
		if s.room.Opening && !peer.TakesAnyBoard() {
			return fmt.Errorf("%s does not declare free_setup, so that it cannot play from openings; "+
				"leave them out", b.Label)
		}
		c.Remote = s.unique(c.Remote, b.number)
		_, err := b.join(one, c, &login{remote: c.Remote, proven: true})
		return err
	}
	one, err := s.bots.Dial(ctx, url, join)
	if err != nil {
		return err
	}
	talked := make(chan struct{})
	b.talked = talked
	panics.Go(&s.serving, func() {
		defer close(talked)
		// the match ends it, also after an abort: a bot that is disconnected first would forfeit
		one.Serve(context.WithoutCancel(ctx))
	}, panics.Logged(s.log, "Serving a player failed"))
	return nil
}
