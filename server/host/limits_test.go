package host_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/servertest"
	"github.com/hexarena/hexarena/server/session"
)

func openLimited(t *testing.T, o host.Options) *testHost {
	return openHost(t, options{Options: o, spec: host.Spec{
		Settings: match.Settings{Turns: 1000, Players: 8, Visus: 2},
		Game:     game(hexabomb.New(hexagon(3, 4))),
	}})
}

func TestConnectionsAreLimited(t *testing.T) {
	h := openLimited(t, host.Options{Limits: limits.PortLimits{Connections: 3}})
	var in []*servertest.Client
	for range 3 {
		in = append(in, wires[0].login(h, "a", "player"))
	}
	wires[0].dial(h).ExpectKick("Too many connections")
	resp, err := http.Get("http" + strings.TrimPrefix(h.url(), "ws"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a WebSocket too many: %s", resp.Status)
	}
	_ = in[0].Conn.Close() // frees a place as soon as the server notices
	for {
		c := servertest.Dial(t, h.addr)
		c.SendLogin("b", "player")
		if m, err := c.Receive(); err == nil && m.Type == "LOGIN_ACK" {
			break
		}
	}
}

func TestOneAddressAmongMany(t *testing.T) {
	// All connections share one address, as behind a NAT, which lifts its limit.
	h := openLimited(t, host.Options{Limits: limits.PortLimits{Connections: 8, PerAddress: 2}})
	for range 5 {
		wires[0].login(h, "a", "player")
	}
}

func TestMessagesAreLimited(t *testing.T) {
	h := openLimited(t, host.Options{Allow: session.Allowances{
		Player:        session.Allowance{Size: 2000, Rate: 5},
		Visualization: session.Allowance{Size: 1500, Depth: 10},
	}})
	a, b := wires[0].login(h, "a", "player"), wires[1].login(h, "b", "player")
	if err := h.room.Match().Start(); err != nil {
		t.Fatal(err)
	}
	a.Expect("GAME_STARTS")
	b.Expect("GAME_STARTS")
	a.Expect("TURN")
	b.Expect("TURN")
	b.Answer(0, "["+strings.Repeat("1,", 2000)+"1]")
	if m := b.Expect("KICK"); !strings.Contains(m.Reason, "too big") {
		t.Errorf("kicked for %q, want its size", m.Reason)
	}
	a.Answer(0, "[]")
	for turn := 1; ; turn++ {
		m := a.Expect("TURN", "KICK")
		if m.Type == "KICK" {
			if m.Reason != "Too many messages: more than 5 in a second" || turn < 6 {
				t.Errorf("kicked after %d answers: %s", turn, m.Reason)
			}
			return
		}
		a.Answer(turn, "[]")
	}
}

// Visualizations have limits of their own.
func TestMessagesOfVisualizationsAreLimited(t *testing.T) {
	h := openLimited(t, host.Options{Allow: session.Allowances{
		Visualization: session.Allowance{Size: 1500, Depth: 10},
		Player:        session.Allowance{Depth: 512},
	}})
	player := wires[0].login(h, "a", "player")
	var visus []*servertest.Client
	for _, w := range wires {
		visus = append(visus, w.login(h, "v", "visualization"))
	}
	if err := h.room.Match().Start(); err != nil {
		t.Fatal(err)
	}
	long, deep := "["+strings.Repeat("1,", 1000)+"1]", strings.Repeat("[", 9)+strings.Repeat("]", 9)
	for i, tt := range []struct{ answer, want string }{
		{"[" + deep + "]", "Cannot read TURN_ACK. Message nested too deeply: more than 10 levels"},
		{long, "Cannot read TURN_ACK. Received message size is too big: more than 1500 bytes"},
	} {
		visus[i].Expect("GAME_STARTS")
		visus[i].Expect("TURN")
		visus[i].Answer(0, tt.answer)
		visus[i].ExpectKick(tt.want)
	}
	player.Expect("GAME_STARTS")
	for turn, answer := range []string{long, "[" + deep + "]"} {
		player.Expect("TURN")
		player.Answer(turn, answer)
	}
	player.Expect("TURN")
	player.Answer(2, strings.Repeat("[", 512)+strings.Repeat("]", 512))
	player.ExpectKick("Cannot read TURN_ACK. Message nested too deeply: more than 512 levels")
}

// kicks is a meter that records the reasons of kicks.
type kicks struct {
	session.NoMeter
	reasons chan string
}

func (k kicks) Kicked(reason string) { k.reasons <- reason }

// A client that does not read is dropped, and the others continue.
func TestNotReadingClientIsDropped(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	k := kicks{reasons: make(chan string, 10)}
	h := openHost(t, options{
		// in which the player reads on a busy machine
		Options: host.Options{WriteTimeout: 5 * time.Second, Meter: k},
		spec: host.Spec{ // larger than any socket buffer
			Settings: match.Settings{Turns: 5, Players: 1, Visus: 1},
			Game:     game(hexabomb.New(hexagon(250, 4))),
		},
	})
	player := wires[0].login(h, "a", "player")
	wires[0].login(h, "b", "visualization")
	if err := h.room.Match().Start(); err != nil {
		t.Fatal(err)
	}
	player.Expect("GAME_STARTS")
	if reason, want := <-k.reasons, "Did not read what it was sent within 5s"; reason != want {
		t.Errorf("dropped for %q, want %q", reason, want)
	}
	for turn := range 4 {
		player.Expect("TURN")
		player.Answer(turn, "[]")
	}
	player.Expect("GAME_ENDS")
}

// The large messages of all connections share one memory limit; small ones always fit.
func TestLargeMessagesAreBoundedTogether(t *testing.T) {
	for _, w := range wires {
		h := openLimited(t, host.Options{Buffers: 64 << 10})
		large, other, small := w.login(h, "large", "player"), w.login(h, "other", "player"), w.login(h, "small", "player")
		if err := h.room.Match().Start(); err != nil {
			t.Fatal(err)
		}
		for _, c := range []*servertest.Client{large, other, small} {
			c.Expect("GAME_STARTS")
			c.Expect("TURN")
		}
		answer := `["` + strings.Repeat("x", 60<<10) + `"]`
		large.Answer(0, answer)
		other.Answer(0, "[]")
		small.Answer(0, "[]")
		large.Expect("TURN") // its message was read and counts
		other.Answer(1, answer)
		if m := other.Until("KICK"); !strings.HasPrefix(m.Reason, "Cannot read TURN_ACK. Message is too big for now: ") {
			t.Errorf("kicked for %q", m.Reason)
		}
		large.Answer(1, "[]")
		small.Expect("TURN")
		small.Answer(1, "["+strings.Repeat("{},", 4000)+"{}]")
		small.Expect("TURN")
	}
}

// When the port is full, connections that have not logged in are dropped in favour of new
// ones, and are told the reason. Players stay.
func TestSilentConnectionsGiveWay(t *testing.T) {
	h := openLimited(t,
		host.Options{Limits: limits.PortLimits{Connections: 4}, LoginTimeout: time.Hour})
	player := wires[0].login(h, "a", "player")
	var silent []*servertest.Client
	// over WebSocket first: the server has those once they are dialled, the others in their order
	for i := range 4 {
		silent = append(silent, wires[1-i/2].dial(h))
	}
	silent[0].ExpectKick("Too many connections")
	wires[0].login(h, "b", "player")
	silent[1].ExpectKick("Too many connections")
	wires[1].login(h, "c", "player")
	silent[2].ExpectKick("Too many connections")
	if err := h.room.Match().Start(); err != nil {
		t.Fatal(err)
	}
	player.Expect("GAME_STARTS")
}

// Kicked connections that stay open do not count against the limit of their address.
func TestKickedConnectionsDoNotCount(t *testing.T) {
	h := openLimited(t, host.Options{Limits: limits.PortLimits{Connections: 10, PerAddress: 2}})
	for range 20 {
		c := servertest.Dial(t, h.addr) // stays open until the end of the test
		c.Send("null")
		if m := c.Expect("KICK"); strings.Contains(m.Reason, "Too many") {
			t.Fatal(m.Reason)
		}
	}
}
