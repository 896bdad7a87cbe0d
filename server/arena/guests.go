package arena

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/hexarena/hexarena/server/seat"
)

// guests let clients of the page in, over WebSocket, for the seats that wait for them.
// That is once all started bots have their seats, or none.
type guests struct {
	opened chan struct{} // closed when clients are let in, or the match is over
	once   sync.Once
	claims *claims
}

// letIn lets the clients of the page in.
func (g *guests) letIn() { g.once.Do(func() { close(g.opened) }) }

// door lets requests through one by one, while there is a match.
func (g *guests) door(players http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-g.opened:
		case <-r.Context().Done():
			return
		}
		defer g.claims.visit(r.RemoteAddr)()
		players.ServeHTTP(w, r)
	})
}

// letGuestsIn implements host.PageSpec.Players: it returns what serves clients of the page
// that take the seats which wait for them; nil if there is no such seat.
func (a *Arena) letGuestsIn(players http.Handler) http.Handler {
	if !slices.ContainsFunc(a.bots, func(b *bot) bool { return b.seat.Kind == seat.Page }) {
		return nil
	}
	return a.guests.door(players)
}

// receive waits until clients have taken all seats that wait for them, however long that
// takes. One that leaves before that makes room for another.
func (a *Arena) receive(ctx context.Context) {
	for slices.ContainsFunc(a.bots, func(b *bot) bool { return b.guest() && a.claims.joined(b) == "" }) {
		select {
		case <-a.logins.moved:
		case <-ctx.Done():
			return
		}
	}
}
