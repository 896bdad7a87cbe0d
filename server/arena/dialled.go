package arena

import (
	"context"
	"fmt"
	"time"

	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/panics"
)

// heartbeat is how often a bot that was dialled is asked for a sign of life, as in
// Hivemaker's server.
const heartbeat = 5 * time.Second

// dial seats a bot of the HTTTX Bot API that listens at a URL. Its conversation ends with
// the match.
func (a *Arena) dial(ctx context.Context, b *bot, url string) error {
	peer, err := a.dialer.Dial(ctx, url)
	if err != nil {
		return err
	}
	if a.opts.Opening && !peer.TakesAnyBoard() {
		peer.Close()
		return fmt.Errorf("%s does not declare free_setup, so that it cannot play from openings; leave them out", b.seat.Label)
	}
	s := botapi.NewSeat(peer, botapi.Options{Heartbeat: heartbeat, Patience: a.opts.Patience, Log: a.opts.Log})
	c := s.Candidate()
	if a.claims.holds(c.Remote) { // a bot may play against itself
		c.Remote = fmt.Sprintf("%s (seat %d)", c.Remote, b.index+1)
	}
	if err := a.join(b, s, c); err != nil {
		s.Close()
		return err
	}
	b.talked = make(chan struct{})
	panics.Go(&a.players, func() {
		defer close(b.talked)
		s.Serve(ctx)
	}, panics.Logged(a.opts.Log, "Serving a player failed"))
	return nil
}
