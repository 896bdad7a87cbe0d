package host_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/servertest"
)

// Keys of people.
const (
	ann = "0123456789abcdef"
	bob = "fedcba9876543210"
)

// openTable opens a host whose page is on the port, and returns where people ask for seats.
func openTable(t *testing.T, gate bool, spec host.Spec) (h *testHost, url string) {
	h, _ = openLobby(t, gate, spec)
	return h, "ws://" + h.addr + "/person"
}

// A person plays beside a client over TCP: they have a name, are told their side, and have the end
// of the match told.
func TestPersonBesideClient(t *testing.T) {
	thorough.Long(t)
	for _, kind := range []seat.Spec{
		{Kind: seat.Open, Label: "open"},
		{Kind: seat.Page, Label: "page"},
		{Kind: seat.Wait, Label: "wait"},
		{Kind: seat.Wait, Name: "carl", Label: "carl"},
	} {
		t.Run(kind.Label, func(t *testing.T) {
			spec := board(8, kind, seat.Spec{Kind: seat.Wait, Name: "tcp", Label: "tcp"})
			joined := &joins{nicknames: make(chan string, 2)}
			spec.Watchers = []match.Watcher{joined}
			h, url := openTable(t, false, spec)
			c := servertest.Login(t, h.addr, "tcp", "player")
			person := servertest.Sit(t, url, htttx.Sit{Key: ann})
			if names := []string{<-joined.nicknames, <-joined.nicknames}; !slices.Equal(names, []string{"tcp", "person"}) {
				t.Errorf("the players are %q", names)
			}
			if s, ok := person.Next().(htttx.Setup); !ok || s.Side != htttx.Cross {
				t.Errorf("the person is shown %v, want a setup for cross", s)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				c.PlayPieces(htttx.Circle)
			}()
			if end, ok := person.Play().(htttx.End); !ok || end.Reason == htttx.EndForfeit {
				t.Errorf("the person is told %v at the end", end)
			}
			<-done
			if e := h.end(); e.Err != nil {
				t.Error(e.Err)
			}
		})
	}
}

// A person who plays on from a turn is first asked after it.
func TestPersonPlaysOn(t *testing.T) {
	spec := board(8, seat.Spec{Kind: seat.Open, Label: "open"},
		seat.Spec{Kind: seat.Wait, Name: "tcp", Label: "tcp"})
	spec.Past = match.Past{Turns: 3, Inputs: func(step int) []engine.Input {
		return [][]engine.Input{
			nil,
			{{Player: 1, Turn: 0, Actions: []byte(
				`[{"pieces":[{"q":1,"r":0},{"q":2,"r":0}]}]`), Valid: true}},
			{{Player: 0, Turn: 1, Actions: []byte(
				`[{"pieces":[{"q":0,"r":1},{"q":0,"r":2}]}]`), Valid: true}},
		}[step]
	}}
	h, url := openTable(t, false, spec)
	c := servertest.Login(t, h.addr, "tcp", "player")
	person := servertest.Sit(t, url, htttx.Sit{Key: ann})
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.PlayPieces(htttx.Circle)
	}()
	m := person.Request()
	pieces, err := htttx.ParseBoard(m.Board)
	if want := (htttx.Piece{Cell: htttx.Cell{Q: 0, R: 2}, Side: htttx.Cross}); err != nil ||
		len(pieces) != 7 || !slices.Contains(pieces, want) {
		t.Errorf("the person is first asked about %s, want 7 pieces, %v among them", m.Board, want)
	}
	person.Answer(m)
	if end, ok := person.Play().(htttx.End); !ok || end.Reason == htttx.EndForfeit {
		t.Errorf("the person is told %v at the end", end)
	}
	<-done
	if e := h.end(); e.Err != nil || e.Steps < 5 {
		t.Errorf("the match ended after %d turns: %v", e.Steps, e.Err)
	}
}

// awaitPresence waits until a person is told whether the other side is connected. They may hear
// more than once that it is.
func awaitPresence(t *testing.T, person *servertest.Bot, connected bool) {
	t.Helper()
	for {
		m, ok := person.Next().(htttx.Presence)
		if !ok {
			t.Fatalf("the person receives %v, want presence %t", m, connected)
		}
		if m.Connected == connected {
			return
		}
	}
}

// A person who comes back with their key has the seat as it was, before the start and after it. The
// other person is told.
func TestPersonComesBack(t *testing.T) {
	spec := board(8, seat.Spec{Kind: seat.Open, Label: "x"}, seat.Spec{Kind: seat.Open, Label: "o"})
	spec.PersonGrace = time.Minute
	joined := &joins{nicknames: make(chan string, 2)}
	spec.Watchers = []match.Watcher{joined}
	h, url := openTable(t, false, spec)
	early := servertest.Sit(t, url, htttx.Sit{Key: ann})
	<-joined.nicknames
	x := servertest.Sit(t, url, htttx.Sit{Key: ann})
	if m, ok := early.Next().(htttx.Nope); !ok || m.Reason != match.ErrReplaced.Error() {
		t.Errorf("the connection that was replaced before the start receives %v", m)
	}
	o := servertest.Sit(t, url, htttx.Sit{Key: bob})
	o.Answer(o.Request())
	o.Answer(o.Request())
	_ = x.Request()
	_ = x.Close()
	awaitPresence(t, o, false)
	back := servertest.Sit(t, url, htttx.Sit{Key: ann})
	awaitPresence(t, o, true)
	if s, ok := back.Next().(htttx.Setup); !ok || s.Side != htttx.Cross {
		t.Errorf("x is shown %v, want a setup for cross", s)
	}
	ends := make(chan htttx.Packet)
	go func() { ends <- back.Play() }()
	for _, end := range []htttx.Packet{o.Play(), <-ends} {
		if e, ok := end.(htttx.End); !ok || e.Reason == htttx.EndForfeit {
			t.Errorf("at the end a person is told %v", end)
		}
	}
	h.end()
}

// A person who leaves before the start gives up the seat, at once if they say so and else after the
// grace period. One who resigns has lost, and the client that is absent is reported.
func TestPersonLeaves(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	spec := board(8, seat.Spec{Kind: seat.Open, Label: "x"}, seat.Spec{Kind: seat.Open, Label: "o"})
	spec.PersonGrace, spec.LeaveEnds, spec.Reconnect = 20*time.Millisecond, false, time.Minute
	left := &leaves{reasons: make(chan string, 4)}
	spec.Watchers = []match.Watcher{left}
	h, url := openTable(t, false, spec)
	servertest.Sit(t, url, htttx.Sit{Key: ann}).Send(`{"type":"resign"}`)
	if reason := <-left.reasons; reason != "resigned" {
		t.Errorf("the match is told %q, want that the person resigned", reason)
	}
	_ = servertest.Sit(t, url, htttx.Sit{Key: ann}).Close()
	<-left.reasons
	c := servertest.Login(t, h.addr, "tcp", "player")
	person := servertest.Sit(t, url, htttx.Sit{Key: ann})
	_ = person.Request()
	_ = c.Close()
	awaitPresence(t, person, false)
	c = servertest.Login(t, h.addr, "tcp", "player")
	awaitPresence(t, person, true)
	person.Send(`{"type":"resign"}`)
	c.PlayPieces(htttx.Cross)
	if e := h.end(); e.Err != nil || e.Reason != "forfeit: left" {
		t.Errorf("the match ends with %q, %v", e.Reason, e.Err)
	}
}

// leaves records why players leave.
type leaves struct {
	match.BaseWatcher
	reasons chan string
}

func (l *leaves) Left(info match.SeatInfo, _ match.Role) { l.reasons <- info.Reason }

// People are refused as clients that log in are, with the reason, and so are pages of other sites.
func TestPersonRefused(t *testing.T) {
	asItIs := func(*host.Spec) {}
	ask := string(htttx.Sit{Key: ann}.Append(nil))
	for _, tt := range []struct {
		name, first, want string
		change            func(*host.Spec)
	}{
		{"a bot", plainCaps, `the first frame has to ask for a seat: `, asItIs},
		{"another packet", `{"type":"resign"}`, `the first frame has to ask for a seat: its type is not "sit"`, asItIs},
		{"a short key", `{"type":"sit","key":"short"}`, `the first frame has to ask for a seat: key has 5 bytes: want 16 to 64`, asItIs},
		{"a wrong token", string(
			htttx.Sit{Key: ann, Token: "wrong"}.Append(nil)), "a token is needed here", asItIs},
		{"no seat", ask, "all seats are reserved for others", func(s *host.Spec) {
			s.Seats = []seat.Spec{
				{Kind: seat.Wait, Key: "k", Label: "k"}, {Kind: seat.Wait, Key: "l", Label: "l"},
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			spec := board(4)
			tt.change(&spec)
			_, url := openTable(t, true, spec)
			if m, ok := servertest.DialIn(t, url, tt.first).Next().(htttx.Nope); !ok ||
				m.Reason[:min(len(m.Reason), len(tt.want))] != tt.want {
				t.Errorf("it receives %v, want nope with %q", m, tt.want)
			}
		})
	}
	_, url := openTable(t, false, board(4))
	if _, answer, err := websocket.DefaultDialer.DialContext(t.Context(), url, http.Header{"Origin": {"http://elsewhere.example"}}); err == nil || answer.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another site: %v, want it refused", err)
	}
	other := board(4)
	other.Game, other.Bots.HTTTX = games.Instance{}, false
	_, url = openTable(t, false, other)
	if _, answer, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil); err == nil ||
		answer.StatusCode != http.StatusNotFound {
		t.Errorf("in another game: %v, want not found", err)
	}
}

// A person who waits, or has not asked yet, does not keep the host from shutting down.
func TestPersonShutdown(t *testing.T) {
	spec, joined := board(4), &joins{nicknames: make(chan string, 1)}
	spec.Watchers, spec.PersonGrace = []match.Watcher{joined}, time.Hour
	h, url := openTable(t, false, spec)
	silent, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	seated := servertest.Sit(t, url, htttx.Sit{Key: ann})
	<-joined.nicknames
	_ = seated.Close() // its grace period is an hour
	h.stop()
	h.end()
}
