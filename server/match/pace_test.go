package match

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine"
)

var t0 = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return t0.Add(time.Duration(ms) * time.Millisecond) }

// paceStep is one call of a pace and the decision that it must return.
type paceStep struct {
	call string // begun, asked, answered, woken
	at   int    // ms
	end  bool
	wake int // ms, 0: never
}

func TestPace(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name    string
		pace    Pace
		awaited int
		steps   []paceStep
	}{
		{"timer ignores answers", Timer(30*ms, 50*ms), 2, []paceStep{
			{"begun", 0, false, 30},
			{"woken", 30, true, 0},
			{"asked", 40, false, 90},
			{"answered", 50, false, 90},
			{"answered", 60, false, 90},
			{"woken", 90, true, 0},
		}},
		{"timer keeps its rate", Timer(30*ms, 50*ms), 2, []paceStep{
			{"begun", 0, false, 30},
			{"woken", 31, true, 0},
			{"asked", 31, false, 80},
			{"woken", 85, true, 0},
			{"asked", 85, false, 130},
			{"woken", 190, true, 0}, // too late to be made up for
			{"asked", 190, false, 240},
		}},
		{"fast ends with the last answer", Fast(0, 0), 2, []paceStep{
			{"begun", 0, true, 0},
			{"asked", 10, false, 0},
			{"answered", 11, false, 0},
			{"answered", 12, true, 0},
		}},
		{"fast without awaited players", Fast(0, 0), 0, []paceStep{{"asked", 10, true, 0}}},
		{"fast with a limit", Fast(100*ms, 0), 2, []paceStep{
			{"asked", 10, false, 110},
			{"answered", 50, false, 110},
			{"woken", 110, true, 0},
			{"asked", 120, false, 220},
			{"answered", 130, false, 220},
			{"answered", 140, true, 0},
		}},
		{"fast with a floor", Fast(0, 100*ms), 1, []paceStep{
			{"asked", 10, false, 0},
			{"answered", 20, false, 110},
			{"woken", 110, true, 0},
			{"asked", 120, false, 0},
			{"answered", 300, true, 0},
		}},
		{"a floor above the limit", Fast(50*ms, 100*ms), 1, []paceStep{
			{"asked", 10, false, 110}, {"woken", 110, true, 0},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for i, s := range tt.steps {
				var got Decision
				switch s.call {
				case "begun":
					got = tt.pace.Begun(at(s.at))
				case "asked":
					got = tt.pace.Asked(at(s.at), make([]engine.PlayerID, tt.awaited))
				case "answered":
					got = tt.pace.Answered(at(s.at), 0)
				case "woken":
					got = tt.pace.Woken(at(s.at))
				}
				want := Decision{End: s.end}
				if s.wake != 0 {
					want.Wake = at(s.wake)
				}
				if got.End != want.End || !got.Wake.Equal(want.Wake) {
					t.Fatalf("step %d, %s at %d ms = %+v, want %+v", i, s.call, s.at, got, want)
				}
			}
		})
	}
}

// punctualSeat keeps the times at which it gets turns. It never answers.
type punctualSeat struct {
	*fakeSeat
	times []time.Time
}

func (s *punctualSeat) Offer(*Frame) { s.times = append(s.times, time.Now()) }

func TestPlayersGetATurnFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(quiet(Options{
			Settings: Settings{Turns: 3, Players: 1, Visus: 1},
			Pace:     func(Settings) Pace { return Timer(0, 50*time.Millisecond) },
		}))
		done := make(chan Ending)
		go func() { done <- m.Run(context.Background()) }()
		visu, player := &punctualSeat{fakeSeat: newSeat(nil)}, &punctualSeat{fakeSeat: newSeat(nil)}
		for role, s := range map[Role]Seat{Visualization: visu, Player: player} {
			if _, err := m.Join(s, Candidate{Role: role, Nickname: "seat"}); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.Start(); err != nil {
			t.Fatal(err)
		}
		<-done
		want := []time.Duration{headStart, headStart, 0} // there is nothing to think about at the end
		got := []time.Duration{}
		for i, at := range visu.times {
			got = append(got, at.Sub(player.times[i]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("visualizations get turns %v after the players, want %v", got, want)
		}
	})
}

// While spectators wait for a turn, the match handles events at once, in order: they
// get the turn before anything that happens after it, and only once.
func TestHeadroomDoesNotDelayEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		order := &eventOrder{}
		m := New(quiet(Options{
			Settings: Settings{Turns: 3, Players: 1, Visus: 2},
			Pace:     func(Settings) Pace { return Timer(0, 50*time.Millisecond) },
			Watchers: []Watcher{order},
		}))
		done := make(chan Ending)
		go func() { done <- m.Run(context.Background()) }()
		early, late, player := newSeat(always(-1)), newSeat(always(-1)), newSeat(always(-1))
		for _, s := range []struct {
			role Role
			seat Seat
		}{{Player, player}, {Visualization, early}} {
			if _, err := m.Join(s.seat, Candidate{Role: s.role}); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.Start(); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		player.expect(t, "welcome", `begin {"step":0}`, `turn 0 {"step":1}`)
		if _, err := m.Join(late, Candidate{Role: Visualization}); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(begun); d != 0 {
			t.Errorf("joining within the headroom took %v", d)
		}
		<-done
		for _, s := range []*fakeSeat{early, late} {
			s.expect(t, "welcome", `begin {"step":0}`, `turn 0 {"step":1}`, `turn 1 {"step":2}`,
				`end {"step":3}`)
		}
		want := []string{"joined", "joined", "played", "joined", "played", "played"}
		if !slices.Equal(order.calls, want) {
			t.Errorf("watchers were told %q, want %q", order.calls, want)
		}
	})
}

// eventOrder keeps the order of clients that join and turns that are played.
type eventOrder struct {
	diary
	calls []string
}

func (o *eventOrder) Joined(SeatInfo, Role) { o.calls = append(o.calls, "joined") }
func (o *eventOrder) Played(*Play)          { o.calls = append(o.calls, "played") }
