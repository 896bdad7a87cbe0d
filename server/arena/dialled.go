package arena

import (
	"context"
	"fmt"

	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
)

// dial seats a bot of the HTTTX Bot API that listens at a URL. Its conversation ends with
// the match.
func (a *Arena) dial(ctx context.Context, b *bot, url string) error {
	s, err := a.direct.Dial(ctx, url, func(peer *botapi.Peer, s match.Seat, c match.Candidate) error {
		if a.opts.Opening && !peer.TakesAnyBoard() {
			return fmt.Errorf("%s does not declare free_setup, so that it cannot play from openings; leave them out", b.seat.Label)
		}
		if a.claims.holds(c.Remote) { // a bot may play against itself
			c.Remote = fmt.Sprintf("%s (seat %d)", c.Remote, b.index+1)
		}
		return a.join(b, s, c)
	})
	if err != nil {
		return err
	}
	b.talked = make(chan struct{})
	panics.Go(&a.players, func() {
		defer close(b.talked)
		s.Serve(ctx)
	}, panics.Logged(a.opts.Log, "Serving a player failed"))
	return nil
}
