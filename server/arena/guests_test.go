package arena

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// The seat of a page bot that leaves before the start is free at once, although its
// connection ends later.
func TestSeatAfterLeaving(t *testing.T) {
	a := open(t, Options{Seats: []seat.Spec{{Kind: seat.Page}}})
	g := a.guests
	g.letIn()
	entered, leave := make(chan struct{}), make(chan struct{})
	door := g.door(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		entered <- struct{}{}
		<-leave
	}))
	gone := make(chan struct{})
	connect := func(remote string) {
		go func() {
			r := httptest.NewRequest(http.MethodGet, "/netorcai", nil)
			r.RemoteAddr = remote
			door.ServeHTTP(httptest.NewRecorder(), r)
			gone <- struct{}{}
		}()
		<-entered
	}
	join := func(remote string) error {
		return a.claims.admit(&match.Candidate{Role: match.Player, Remote: remote})
	}
	connect("ann")
	connect("bob")
	if err := join("ann"); err != nil {
		t.Fatal(err)
	}
	for _, remote := range []string{"bob", "stranger"} {
		if err := join(remote); err != match.ErrPlayers {
			t.Errorf("%s, while the seat is taken: %v, want %v", remote, err, match.ErrPlayers)
		}
	}
	a.claims.release("ann")
	if err := join("stranger"); err != match.ErrPlayers {
		t.Errorf("a client that does not connect from the page: %v, want %v", err, match.ErrPlayers)
	}
	if err := join("bob"); err != nil {
		t.Errorf("after ann has left: %v", err)
	}
	leave <- struct{}{}
	leave <- struct{}{}
	<-gone
	<-gone
	if len(a.claims.held)+len(a.claims.logins)+len(a.claims.visitors) != 0 {
		t.Errorf("after both have left: %d seats taken, %d logins and %d visitors known", len(a.claims.held), len(a.claims.logins), len(a.claims.visitors))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a.Play(ctx) // closes the port
}
