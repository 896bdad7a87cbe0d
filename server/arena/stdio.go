package arena

import (
	"fmt"

	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/session"
)

// converse serves a bot that was started, on its standard input and output. What comes
// from there is the bot's own, which needs no proof.
func (a *Arena) converse(b *bot) {
	remote := fmt.Sprintf("seat %d (stdio)", b.index+1)
	conn := session.OverStdio(b.proc.Stdio.Out, b.proc.Stdio.In, remote)
	forget := a.claims.expect(remote, b)
	b.hungUp = make(chan struct{})
	panics.Go(&a.players, func() {
		defer close(b.hungUp)
		defer forget()
		b.farewell = a.rooms.Converse(conn)
	}, panics.Logged(a.opts.Log, "Serving a bot failed"))
}
