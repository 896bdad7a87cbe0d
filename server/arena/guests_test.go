package arena

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// The seat of a guest that has left before the start is free at once, although its
// connection takes a while to end.
func TestSeatOfAGuestThatHasLeft(t *testing.T) {
	g := newGuests([]seat.Spec{{Kind: seat.Page}})
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
		unconcerned, err := g.admit(&match.Candidate{Role: match.Player, Remote: remote})
		if unconcerned {
			t.Errorf("%s is not taken for a guest", remote)
		}
		return err
	}
	connect("ann")
	connect("bob")
	if err := join("ann"); err != nil {
		t.Fatal(err)
	}
	if err := join("bob"); err != match.ErrPlayers {
		t.Errorf("while the seat is taken: %v, want %v", err, match.ErrPlayers)
	}
	g.release("ann")
	if err := join("bob"); err != nil {
		t.Errorf("when ann has left: %v", err)
	}
	leave <- struct{}{}
	leave <- struct{}{}
	<-gone
	<-gone
	if g.taken != 0 || len(g.known) != 0 {
		t.Errorf("when both are gone: %d seats taken, %d guests known", g.taken, len(g.known))
	}
}
