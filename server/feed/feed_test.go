package feed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/servertest"
)

// testMatch is a match of hexabomb whose feed a test writes turn by turn.
type testMatch struct {
	*Feed
	game   *hexabomb.Game
	rng    *rand.Rand
	states []string // after each turn, beginning with the initial state
}

func newTestMatch(t testing.TB, o Options) *testMatch {
	t.Helper()
	board, err := maps.Load(maps.Default)
	if err != nil {
		t.Fatal(err)
	}
	d := &testMatch{game: hexabomb.New(board), rng: rand.New(rand.NewPCG(1, 2))}
	if _, err := d.game.Start(engine.Setup{Players: 2, Turns: 1000}); err != nil {
		t.Fatal(err)
	}
	o.Rules, o.Game, o.Map = d.game, "hexabomb", maps.Default
	d.Feed = New(o)
	return d
}

func (d *testMatch) begin() {
	table := match.Table{Players: 2, Settings: match.Settings{Turns: 1000, DelayTurns: 50}}
	for i, name := range []string{"ann", "bob"} {
		info := match.SeatInfo{ID: engine.PlayerID(i), Connected: true}
		info.Nickname, info.Remote = name, fmt.Sprint("10.0.0.", i)
		table.Seats = append(table.Seats, info)
	}
	state := d.game.AppendState(nil)
	d.states = append(d.states, string(state))
	d.Started(&match.Frame{State: state, Table: table})
}

// play plays n turns of moves and bombs. whole shows them with whole states.
func (d *testMatch) play(n int, whole bool) {
	for range n {
		var answers []match.Answer
		var inputs []engine.Input
		for p := range 2 {
			in := engine.Input{
				Player: engine.PlayerID(p), Turn: len(d.states) - 2,
				Actions: []byte(servertest.Antics(d.rng, 6)),
			}
			answers = append(answers, match.Answer{Input: in, Took: 1250 * time.Microsecond})
			inputs = append(inputs, in)
		}
		r := d.game.Step(inputs)
		turn := Turn{
			Step: len(d.states), At: 1500 * time.Millisecond, State: d.game.AppendState(nil),
			Winner: r.Winner, Answers: answers, Refused: r.Refused,
		}
		if !whole {
			turn.Delta = d.game.AppendDelta(nil)
		}
		d.states = append(d.states, string(turn.State))
		d.show(&turn)
	}
}

// show passes a turn to the feed.
func (d *testMatch) show(turn *Turn) { d.played(turn, &match.Frame{State: turn.State}) }

// readAll returns all events that a cursor has now.
func readAll(t testing.TB, c *Cursor) (list []event) {
	t.Helper()
	for {
		e, ok := c.Next()
		if !ok {
			return list
		}
		list = append(list, parse(t, e.Data))
	}
}

func TestEventsOfAWholeMatch(t *testing.T) {
	thorough.Long(t)
	d := newTestMatch(
		t,
		Options{
			Describe: func(remote string) recording.Bot {
				return recording.Bot{
					Label: "label of " + remote,
				}
			},
		},
	)
	c := d.From(0)
	d.begin()
	d.play(200, false)
	d.Ended(&match.Ending{Steps: 200, Winner: 1})
	list := readAll(t, c)
	if len(list) != 202 || list[0].Type != "start" || list[201].Type != "end" {
		t.Fatalf("events: %s, want start, 200 turns and end", types(list))
	}
	if got := list[0].ID; got != d.ID() || got == "" {
		t.Errorf("start has id %q, want %q", got, d.ID())
	}
	state := []byte(list[0].State)
	for k, want := range d.states {
		if k > 0 {
			var err error
			if state, err = Apply(state, list[k].Delta); err != nil {
				t.Fatal(err)
			}
		}
		if !sameJSON(state, []byte(want)) {
			t.Fatalf("turn %d: state %s, want %s", k, state, want)
		}
		got, err := d.State(k)
		if err != nil || !sameJSON(got, []byte(want)) {
			t.Fatalf("State(%d) = %s, %v, want %s", k, got, err, want)
		}
	}
	if a := list[7].Answers; len(a) != 2 || a[1].Player != 1 || a[1].MS != 1.25 ||
		len(a[1].Actions) != 6 {
		t.Errorf("answers of turn 7: %+v, want those of two players, after 1.25 ms", a)
	}
	if tally := list[201].Tally; len(tally) != 2 || tally[1]["player"] != 1 || tally[1]["cells"] == 0 {
		t.Errorf("tally at the end: %v", tally)
	}
	if _, err := d.State(201); !errors.Is(err, ErrNoTurn) {
		t.Errorf("State after the end: %v, want %v", err, ErrNoTurn)
	}
}

func TestStatesInPlaceOfDeltas(t *testing.T) {
	thorough.Long(t)
	d := newTestMatch(t, Options{})
	d.begin()
	d.play(3, false)
	d.play(2, true)
	d.play(70, false)
	for k, want := range d.states {
		if got, err := d.State(k); err != nil || !sameJSON(got, []byte(want)) {
			t.Fatalf("State(%d) = %s, %v, want %s", k, got, err, want)
		}
	}
}

func TestFrom(t *testing.T) {
	d := newTestMatch(t, Options{})
	d.begin()
	d.play(3, false)
	for _, test := range []struct {
		from int
		want string
	}{
		{0, "start 1 2 3"},
		{2, "2 3"},
		{4, ""},
		{5, "start 1 2 3"},
		{-1, "start 1 2 3"},
	} {
		if got := types(readAll(t, d.From(test.from))); got != test.want {
			t.Errorf("From(%d) reads %q, want %q", test.from, got, test.want)
		}
	}
}

func TestLobbyAndAnnouncements(t *testing.T) {
	d := newTestMatch(t, Options{Settings: match.Settings{Players: 2, Visus: 1}, Autostart: true})
	c := d.From(0)
	ann := match.SeatInfo{Candidate: match.Candidate{Nickname: "ann", Remote: "10.0.0.1:5"}}
	bob := match.SeatInfo{Candidate: match.Candidate{Nickname: "b\"\xff\nb", Remote: "10.0.0.2:5"}}
	if got := types(readAll(t, c)); got != "lobby" {
		t.Fatalf("at first: %q, want the lobby", got)
	}
	d.Joined(ann, match.Player)
	d.Joined(bob, match.Visualization)
	d.Left(ann, match.Player)
	d.SetAddresses([]string{"192.168.1.5:4242"})
	d.Updated(match.Settings{Players: 7})
	cyd := match.SeatInfo{Candidate: match.Candidate{Nickname: "cyd", Language: "Python"}}
	d.Joined(cyd, match.Player)
	if s := string(d.Summary()); !strings.Contains(s, `{"nickname":"cyd","role":"player","language":"Python"}`) {
		t.Errorf("summary %s, want the language of cyd's program", s)
	}
	d.Left(cyd, match.Player)
	list := readAll(t, c)
	if types(list) != "lobby" || len(list[0].Present) != 1 ||
		list[0].Present[0].Role != "visualization" {
		t.Errorf("after three changes: %+v, want the newest lobby with bob alone", list)
	}
	if s := string(d.Summary()); !strings.Contains(s, `"phase":"gathering"`) || !strings.Contains(s, `"seats":{"players":7,`) || !strings.Contains(s, `"autostart":true`) || !strings.Contains(s, `"192.168.1.5:4242"`) || strings.Contains(s, "10.0.0.2") {
		t.Errorf("summary %s, want the lobby without addresses of clients", s)
	}
	d.Announce([]byte(`{"type":"viewers","count":3}`))
	d.begin()
	d.Joined(ann, match.Visualization)
	if got := types(readAll(t, c)); got != "start viewers" {
		t.Errorf("after the start: %q, want it and the announcement", got)
	}
	if got := types(readAll(t, d.From(0))); got != "start viewers" {
		t.Errorf("late reader: %q, want no lobby", got)
	}
	s := d.Summary()
	if e := parse(t, s); e.Type != "start" || e.ID != d.ID() || e.State != nil ||
		!bytes.Contains(s, []byte(`"phase":"playing","turn":0}`)) {
		t.Errorf("summary %s, want the start without its state", s)
	}
}

func TestAbortedInTheLobby(t *testing.T) {
	d := newTestMatch(t, Options{})
	d.Ended(&match.Ending{Err: errors.New("the operator\tquit")})
	if got := types(readAll(t, d.From(0))); got != "end" {
		t.Errorf("events: %q, want the end", got)
	}
	if s := string(d.Summary()); !strings.Contains(s, `"phase":"over"`) {
		t.Errorf("summary %s, want phase over", s)
	}
	if _, err := d.State(0); !errors.Is(err, ErrNoTurn) {
		t.Errorf("State(0) = %v, want %v", err, ErrNoTurn)
	}
}

func TestSlowReaderSkips(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTestMatch(t, Options{})
		d.begin()
		slow, quick := d.From(0), d.From(0)
		readAll(t, slow)
		for range 30 { // 3 s
			d.play(1, false)
			time.Sleep(100 * time.Millisecond)
			if got := readAll(t, quick); got[len(got)-1].State != nil {
				t.Fatalf("a quick reader got %s", types(got))
			}
		}
		list := readAll(t, slow)
		if got := types(list); got != "30!" {
			t.Fatalf("after 3 s: %q, want turn 30 with its state", got)
		}
		if !sameJSON(list[0].State, []byte(d.states[30])) || list[0].Delta != nil ||
			len(list[0].Answers) != 2 {
			t.Errorf("the whole turn is %+v", list[0])
		}
		d.play(2, false)
		if got := types(readAll(t, slow)); got != "31 32" {
			t.Errorf("then: %q, want 31 32", got)
		}

		late := d.From(0)
		for k := range 33 { // slower than the match, but from far behind
			time.Sleep(50 * time.Millisecond)
			if e, _ := late.Next(); types([]event{parse(t, e.Data)}) != map[bool]string{true: "start", false: fmt.Sprint(k)}[k == 0] {
				t.Fatalf("late reader: %s as number %d", e.Data, k)
			}
		}
	})
}

func TestFinishedMatchIsNotSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newTestMatch(t, Options{})
		c := d.From(0)
		d.begin()
		d.play(5, false)
		d.Ended(&match.Ending{Steps: 5})
		var list []event
		for range 7 {
			time.Sleep(time.Minute)
			e, _ := c.Next()
			list = append(list, parse(t, e.Data))
		}
		if got := types(list); got != "start 1 2 3 4 5 end" {
			t.Errorf("a slow reader of a finished match gets %q", got)
		}
	})
}

func TestHistoryIsBounded(t *testing.T) {
	const limit = 200 << 10
	d := newTestMatch(t, Options{MaxBytes: limit})
	late := d.From(0)
	d.begin()
	d.play(500, false)
	if d.history.size > limit {
		t.Errorf("the history takes %d bytes, want at most %d", d.history.size, limit)
	}
	first, _ := d.history.first(0)
	list := readAll(t, late)
	if n := len(list); n != 500-first.turn+2 || list[0].Type != "start" ||
		list[1].Turn != first.turn || list[n-1].Turn != 500 {
		t.Fatalf("a late reader gets %q, want the start and the turns from %d on", types(list),
			first.turn)
	}
	if !sameJSON(list[1].State, []byte(d.states[first.turn])) || list[2].State != nil {
		t.Errorf("a late reader begins with %q, want turn %d with its state", types(list[:3]), first.turn)
	}
	if s := string(d.Summary()); !strings.HasSuffix(s, fmt.Sprintf(`"turn":500,"oldest":%d}`, d.history.oldest)) {
		t.Errorf("summary %s, want the oldest turn", s)
	}
	if _, err := d.State(1); !errors.Is(err, ErrNoTurn) {
		t.Errorf("State(1) = %v, want %v", err, ErrNoTurn)
	}
	for k := 480; k <= 500; k++ {
		if got, err := d.State(k); err != nil || !sameJSON(got, []byte(d.states[k])) {
			if d.history.oldest+markInterval < k {
				t.Errorf("State(%d) = %v", k, err)
			}
		}
	}
	d.Ended(&match.Ending{Steps: 500})
	if list := readAll(t, d.From(0)); types(list[len(list)-2:]) != "500 end" || list[1].State == nil {
		t.Errorf("after the end, a reader gets %q", types(list))
	}
}

func TestListenersAreNotified(t *testing.T) {
	d := newTestMatch(t, Options{})
	notified := 0
	stop := d.Listen(func() { notified++ })
	d.begin()
	d.play(2, false)
	d.Announce([]byte("{}"))
	stop()
	d.play(1, false)
	if notified != 4 {
		t.Errorf("the listener was notified %d times, want 4", notified)
	}
}

// Ids are drawn from the source that is given.
func TestIDIsDrawn(t *testing.T) {
	source := func() io.Reader { return rand.NewChaCha8([32]byte{1}) }
	a, again := New(Options{Random: source()}).ID(), New(Options{Random: source()}).ID()
	if len(a) != 12 || a != again {
		t.Errorf("the ids are %q and %q, want 12 characters twice", a, again)
	}
	if other := New(Options{}).ID(); len(other) != 12 || other == a {
		t.Errorf("without a source the id is %q", other)
	}
}
