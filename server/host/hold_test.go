package host_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/servertest"
)

// openHold opens a host, which is shut down when the test ends.
func openHold(t *testing.T, o host.Options) *host.Host {
	t.Helper()
	o.Bind = "127.0.0.1"
	h, err := host.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Shutdown(t.Context()) })
	return h
}

// loginAsPair logs a player in by the token pair, with more fields.
func loginAsPair(t *testing.T, h *host.Host, name, more string) *servertest.Client {
	t.Helper()
	c := servertest.Dial(t, h.Addr().String())
	c.Send(`{"message_type":"LOGIN","nickname":%q,"role":"player",
		"metaprotocol_version":"2.0.0",`+more+`"token":"pair"}`, name)
	c.Expect("LOGIN_ACK")
	return c
}

// On a host that holds clients, they wait for the room that keeps a seat for them, also those that
// do not ask to stay, and before there is a room. A client that hangs up waits no more.
func TestHold(t *testing.T) {
	changed := make(chan struct{}, 1)
	h := openHold(t, host.Options{Hold: func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}})
	until := func(want ...string) {
		t.Helper()
		for {
			var names []string
			for _, c := range h.Waiting() {
				names = append(names, c.Nickname)
			}
			if slices.Sort(names); slices.Equal(names, want) {
				return
			}
			<-changed
		}
	}
	clients := map[string]*servertest.Client{}
	for _, name := range []string{"ann", "bob", "carl"} {
		clients[name] = servertest.Login(t, h.Addr().String(), name, "player")
	}
	until("ann", "bob", "carl")
	clients["bob"].Close()
	until("ann", "carl")
	clients["bob"] = servertest.Login(t, h.Addr().String(), "bob", "player")
	until("ann", "bob", "carl")

	for _, pair := range [][]string{{"carl", "ann"}, {"bob", "dora"}} {
		spec := small(2, 1)
		for _, name := range pair {
			spec.Seats = append(spec.Seats, seat.Spec{Kind: seat.Wait, Name: name, Label: name})
		}
		room, err := h.Start(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if pair[1] == "dora" {
			clients["dora"] = servertest.Login(t, h.Addr().String(), "dora", "player")
		}
		for id, name := range pair {
			c := clients[name]
			if starts := c.Expect("GAME_STARTS"); starts.PlayerID != id {
				t.Errorf("%s has the id %d, want %d", name, starts.PlayerID, id)
			}
		}
		for turn := range 2 {
			for _, name := range pair {
				clients[name].Expect("TURN")
				clients[name].Answer(turn, "[]")
			}
		}
		for _, name := range pair {
			clients[name].Expect("GAME_ENDS")
			clients[name].ExpectKick("Game is finished")
		}
		if r := room.Wait(); r.Err != nil {
			t.Error(r.Err)
		}
	}
	until()
}

// Of two clients with one token that wait, the one that came last waits on, and the other one is
// told.
func TestHoldOneOfTwo(t *testing.T) {
	h := openHold(t, host.Options{Gate: byToken{}, Hold: func() {}})
	login := func(name string) *servertest.Client { return loginAsPair(t, h, name, "") }
	first := login("first")
	second := login("second")
	first.ExpectKick("Another connection took the seat")
	if waiting := h.Waiting(); len(waiting) != 1 || waiting[0].Nickname != "second" {
		t.Errorf("waiting: %+v, want the second client alone", waiting)
	}
	third := login("third")
	second.ExpectKick("Another connection took the seat")
	third.Close()
}

// A connection that stays, and waits again after its match, does not replace a later login with its
// token: its client may be gone, and the system not know it yet.
func TestHoldNewestLogin(t *testing.T) {
	h := openHold(t, host.Options{Gate: byToken{}, Hold: func() {}})
	login := func(name string) *servertest.Client { return loginAsPair(t, h, name, `"stay":true,`) }
	spec := small(1, 1)
	spec.Seats = []seat.Spec{{Kind: seat.Wait, Key: "pair", Label: "pair"}}
	play := func(c *servertest.Client) {
		for turn := range 2 {
			c.Expect("TURN")
			c.Answer(turn, "[]")
		}
		c.Expect("GAME_ENDS")
	}
	first := login("first")
	if _, err := h.Start(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	first.Expect("GAME_STARTS")
	second := login("second")
	play(first)
	first.ExpectKick("Another connection took the seat")
	if waiting := h.Waiting(); len(waiting) != 1 || waiting[0].Nickname != "second" {
		t.Errorf("waiting: %+v, want the second client alone", waiting)
	}
	if _, err := h.Start(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	second.Expect("GAME_STARTS")
	play(second)
}

// hangingUp hangs up as a client gets its seat, and notes whether the log has that once the seat is
// free.
type hangingUp struct {
	match.BaseWatcher
	hangUp func()
	logged func() bool
	freed  chan bool
}

// Joined implements match.Watcher.
func (w *hangingUp) Joined(match.SeatInfo, match.Role) { w.hangUp() }

// Left implements match.Watcher.
func (w *hangingUp) Left(match.SeatInfo, match.Role) { w.freed <- w.logged() }

// When the log says that a client is gone, its seat is free, also if it hung up as it got that.
func TestHoldLeavesAsItIsSeated(t *testing.T) {
	var log servertest.Log
	waits := make(chan struct{}, 2)
	h := openHold(t,
		host.Options{Log: zerolog.New(&log), Hold: func() { waits <- struct{}{} }})
	for i := range 20 {
		// a name for each client: the log line about the previous one may arrive late
		name := fmt.Sprintf("brief%02d", i)
		c := servertest.Login(t, h.Addr().String(), name, "player")
		<-waits
		w := &hangingUp{freed: make(chan bool, 1)}
		w.hangUp = func() {
			_ = c.Close()
			<-waits // no more: the lobby has forgotten it
		}
		w.logged = func() bool {
			return slices.ContainsFunc(log.About("Kicking client"),
				func(line string) bool { return strings.Contains(line, name) })
		}
		spec := small(2, 1)
		spec.Watchers = []match.Watcher{w}
		of, end := context.WithCancel(t.Context())
		room, err := h.Start(of, spec)
		if err != nil {
			t.Fatal(err)
		}
		if <-w.freed {
			t.Error("the log says that the client is gone before its seat is free")
		}
		end()
		room.Wait()
	}
}
