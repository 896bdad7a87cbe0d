package arena

import (
	"context"
	"net/http"
	"sync"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// guests are those who come over WebSocket, from the page, for the seats that wait
// for them. They are let in once all other bots have been seen to, so that nobody
// is taken for another's bot. From then on nobody else gets a player's seat.
type guests struct {
	seats  int           // that wait for guests
	opened chan struct{} // closed when guests are let in, or there is nothing to let them into

	mu    sync.Mutex       // guards all below
	open  bool             // opened is closed
	known map[string]*bool // by the address it calls from: whether it has taken a seat
	taken int
}

func newGuests(seats []seat.Spec) *guests {
	g := &guests{opened: make(chan struct{}), known: map[string]*bool{}}
	for i := range seats {
		if seats[i].Kind == seat.Page {
			g.seats++
		}
	}
	return g
}

// letIn opens the door.
func (g *guests) letIn() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.open {
		g.open = true
		close(g.opened)
	}
}

// admit decides about the login of a guest, and of everybody else once guests are
// let in. Until then others are not its concern.
func (g *guests) admit(c *match.Candidate) (unconcerned bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	seated := g.known[c.Remote]
	switch {
	case c.Role == match.Visualization:
		return false, nil
	case seated == nil && (!g.open || g.seats == 0):
		return true, nil
	case seated == nil || c.Role != match.Player || g.taken == g.seats:
		return false, match.ErrPlayers
	}
	*seated = true
	g.taken++
	return false, nil
}

// release frees the seat of a guest that has left before the start: the connection may
// end later.
func (g *guests) release(remote string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if seated := g.known[remote]; seated != nil && *seated {
		*seated = false
		g.taken--
	}
}

// door lets guests in, one request after another, while there is a match.
func (g *guests) door(players http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-g.opened:
		case <-r.Context().Done():
			return
		}
		seated := new(bool)
		g.mu.Lock()
		g.known[r.RemoteAddr] = seated
		g.mu.Unlock()
		players.ServeHTTP(w, r)
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.known, r.RemoteAddr)
		if *seated {
			g.taken--
		}
	})
}

// Guests takes in those who play the seats that wait for somebody at the page, over
// WebSocket; nil if there is no such seat.
func (a *Arena) Guests() http.Handler {
	if a.guests.seats == 0 {
		return nil
	}
	return a.guests.door(a.server.Players())
}

// receive waits until guests have all seats that wait for them, however long that
// takes. One who leaves before that makes room for another.
func (a *Arena) receive(ctx context.Context) {
	for ctx.Err() == nil {
		free := a.free()
		if free == nil {
			return
		}
		select {
		case s := <-a.logins.moved:
			switch {
			case s.Role != match.Player:
			case s.Connected:
				free.remote, free.nickname = s.Remote, s.Nickname
			default:
				a.vacate(s.Remote)
			}
		case <-ctx.Done():
		}
	}
}

// free is the first seat that waits for a guest, nil if there is none.
func (a *Arena) free() *bot {
	for _, b := range a.bots {
		if b.seat.Kind == seat.Page && b.remote == "" {
			return b
		}
	}
	return nil
}

// vacate frees the seat of a guest that has left.
func (a *Arena) vacate(remote string) {
	for _, b := range a.bots {
		if b.seat.Kind == seat.Page && b.remote == remote {
			b.remote = ""
		}
	}
}
