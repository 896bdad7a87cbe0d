package host_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/servertest"
)

// Waiting clients get the seats that are reserved for them, in any order of rooms.
func TestReservedSeats(t *testing.T) {
	h := openHost(t, options{spec: small(1, 1), next: func(*host.Result) *host.Spec { return nil }})
	reserved := func(number int, names ...string) host.Spec {
		s := small(len(names), number)
		for _, name := range names {
			s.Seats = append(s.Seats, seat.Spec{Kind: seat.Wait, Name: name})
		}
		return s
	}
	ctx := t.Context()
	var rooms []*host.Room
	for i, names := range [][]string{{"a", "b"}, {"d", "c"}} {
		r, err := h.Start(ctx, reserved(i+2, names...))
		if err != nil {
			t.Fatal(err)
		}
		rooms = append(rooms, r)
	}
	var clients []*servertest.Client
	for _, name := range []string{"c", "b", "d", "a", "e"} {
		clients = append(clients, wires[0].loginStaying(h, name))
	}
	for i, want := range []string{
		`"match":3,`, `"match":2,`, `"match":3,`, `"match":2,`, `"match":1,`,
	} {
		c := clients[i]
		if starts := c.Expect("GAME_STARTS"); !strings.Contains(string(starts.Raw), want) {
			t.Errorf("client %d received %s, want %s", i, starts.Raw, want)
		}
	}
	var playing sync.WaitGroup
	for _, c := range clients {
		playing.Go(func() {
			for turn := range 2 {
				c.Expect("TURN")
				c.Answer(turn, "[]")
			}
			c.Expect("GAME_ENDS")
		})
	}
	playing.Wait()
	for i, names := range []string{"a b", "d c"} {
		r := rooms[i].Wait()
		if r.Err != nil || len(r.Players) != 2 ||
			r.Players[0].Nickname+" "+r.Players[1].Nickname != names {
			t.Errorf("room %d: %+v, want %s in that order", i, r, names)
		}
	}
}

// A seat that is reserved is kept while others are open.
func TestReservedSeatIsKept(t *testing.T) {
	spec := small(2, 1)
	spec.Seats = []seat.Spec{{Kind: seat.Wait, Name: "expected"}}
	h := openHost(t, options{spec: spec})
	first := wires[0].login(h, "first", "player")
	second := wires[0].dial(h)
	second.SendLogin("second", "player")
	second.ExpectKick("LOGIN denied: Maximum number of players reached")
	wires[0].login(h, "expected", "player").Expect("GAME_STARTS")
	first.Expect("GAME_STARTS")
}

// A room whose seats are not all taken in time starts with the connected players. A room
// without players is aborted.
func TestPatience(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	h := openHost(t, options{spec: small(1, 1)})
	spec := small(2, 2)
	spec.Seats = []seat.Spec{{Kind: seat.Wait, Name: "there"}, {Kind: seat.Wait, Name: "absent"}}
	// far above what a login takes on a busy machine
	spec.Patience, spec.NeedPlayer = time.Second, true
	some, err := h.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	spec.Seats = []seat.Spec{{Kind: seat.Wait, Name: "nowhere"}, {Kind: seat.Wait, Name: "absent"}}
	none, err := h.Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	c := wires[0].loginStaying(h, "there")
	c.Expect("GAME_STARTS")
	for turn := range 2 {
		c.Expect("TURN")
		c.Answer(turn, "[]")
	}
	c.Expect("GAME_ENDS")
	if r := some.Wait(); r.Err != nil || len(r.Players) != 1 {
		t.Errorf("the room with one player: %+v", r)
	}
	if r := none.Wait(); r.Err == nil || r.Players != nil {
		t.Errorf("the room without players: %+v, want that it is aborted", r)
	}
}

// sessionEnds is sent a value when a session ends.
type sessionEnds chan struct{}

func (sessionEnds) Connected()      {}
func (c sessionEnds) Disconnected() { c <- struct{}{} }
func (sessionEnds) Kicked(string)   {}
func (sessionEnds) Refused(string)  {}
func (sessionEnds) Received(int)    {}
func (sessionEnds) Sent(int)        {}

// A client that hangs up while it waits between two matches keeps the seat that is reserved for
// it: it gets it when it logs in again before the match starts. Others do not get it meanwhile.
func TestReservationOutlivesAConnection(t *testing.T) {
	thorough.Long(t)
	overWires(t, func(t *testing.T, w wire) {
		started := make(chan *host.Spec, 1)
		ended := make(sessionEnds, 10)
		h := openHost(t, options{
			Options: host.Options{Linger: usualLinger, Meter: ended},
			spec:    small(2, 1),
			next: func(*host.Result) *host.Spec {
				return <-started
			},
		})
		gone, other := w.loginStaying(h, "gone"), w.loginStaying(h, "other")
		var playing sync.WaitGroup
		for _, c := range []*servertest.Client{gone, other} {
			playing.Go(func() { holdStill(c, 3) })
		}
		playing.Wait()
		gone.Close()
		<-ended
		next := small(2, 2)
		next.Seats = []seat.Spec{{Kind: seat.Wait, Name: "gone"}, {Kind: seat.Wait, Name: "other"}}
		started <- &next
		stranger := w.loginStaying(h, "stranger")
		back := w.loginStaying(h, "gone")
		for _, c := range []*servertest.Client{back, other} {
			playing.Go(func() {
				holdStill(c, 3)
				c.ExpectKick("Game is finished")
			})
		}
		close(started)
		playing.Wait()
		stranger.ExpectKick("Game is finished")
		if e := h.end(); e.Err != nil || e.Steps != 3 {
			t.Errorf("the second match ended with %+v", e)
		}
	})
}

// joins is a watcher that tells of each player that gets a seat.
type joins struct {
	match.BaseWatcher
	nicknames chan string
}

func (j *joins) Joined(s match.SeatInfo, _ match.Role) { j.nicknames <- s.Nickname }

// A client that waits gets a seat that becomes free in a match that gathers.
func TestSeatThatBecomesFree(t *testing.T) {
	joined := &joins{nicknames: make(chan string, 10)}
	spec := small(1, 1)
	spec.Autostart, spec.Watchers = false, []match.Watcher{joined}
	h := openHost(t, options{spec: spec})
	first := wires[0].login(h, "first", "player")
	waits := wires[0].loginStaying(h, "waits")
	first.Close()
	for _, want := range []string{"first", "waits"} {
		if got := <-joined.nicknames; got != want {
			t.Fatalf("%s got a seat, want %s", got, want)
		}
	}
	h.start()
	waits.Expect("GAME_STARTS")
}

// Built-in bots take the seats that are free, and none that is kept for a bot which is not there.
func TestFillKeepsReservedSeats(t *testing.T) {
	var filled []int
	spec := small(3, 1)
	spec.Seats = []seat.Spec{{Kind: seat.Address, URL: "127.0.0.1:1"}}
	spec.Bots.Builtin = func(string, uint64) (netorcai.Bot, error) { return idleBot{}, nil }
	spec.Page.Filler = &games.Game{Mix: func(n int) []string {
		filled = append(filled, n)
		return slices.Repeat([]string{"idle"}, n)
	}}
	h := openHost(t, options{Options: host.Options{Page: shownOn()}, spec: spec})
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	for range 2 {
		answer, err := http.Post(h.Page().URL()+"api/match/fill", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("fill: %s", answer.Status)
		}
	}
	if want := []int{2, 0}; !slices.Equal(filled, want) {
		t.Errorf("bots for %v seats were asked for, want %v", filled, want)
	}
}
