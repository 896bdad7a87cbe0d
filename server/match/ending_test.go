package match

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"weak"
)

func TestGameThatEndsEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, seats := play(t, Options{Settings: Settings{Turns: 9}, Referee: Local(&plainGame{ends: 2})},
			always(0))
		if len(d.plays) != 2 {
			t.Errorf("played %v, want two turns", d.plays)
		}
		seats[0].expect(t, "welcome", `begin {"step":0}`, `turn 0 {"step":1}`, `end {"step":2}`)
	})
}

func TestMatchWithoutPlayers(t *testing.T) {
	d, _ := playAlone(t, Options{Settings: Settings{Turns: 1000}})
	if len(d.plays) != 1000 {
		t.Errorf("%d turns, want 1000", len(d.plays))
	}
}

// playAlone plays a match without players.
func playAlone(t *testing.T, o Options) (*diary, Ending) {
	t.Helper()
	d := &diary{}
	o.Watchers = []Watcher{d}
	m := New(quiet(o))
	done := make(chan Ending)
	go func() { done <- m.Run(context.Background()) }()
	if err := m.Start(); err != nil {
		t.Fatal(err)
	}
	return d, <-done
}

func TestPanicEndsTheMatchOnly(t *testing.T) {
	d, e := playAlone(t, Options{Settings: Settings{Turns: 10}, Referee: Local(&plainGame{panics: 3})})
	if e.Err == nil || !strings.Contains(e.Err.Error(), "out of cheese") || d.ending == nil {
		t.Errorf("match ended with %v, want the panic", e.Err)
	}
}

// panickyWatcher panics in each turn and at the end.
type panickyWatcher struct{ diary }

func (panickyWatcher) Played(*Play)  { panic("in Played") }
func (panickyWatcher) Ended(*Ending) { panic("in Ended") }

// The other watchers are told of the end even if one panics, also at the end.
func TestPanicAtTheEnd(t *testing.T) {
	before, after := &diary{}, &diary{}
	m := New(
		quiet(
			Options{Settings: Settings{Turns: 10}, Watchers: []Watcher{before, &panickyWatcher{}, after}}),
	)
	done := make(chan Ending)
	go func() { done <- m.Run(context.Background()) }()
	if err := m.Start(); err != nil {
		t.Fatal(err)
	}
	if e := <-done; !errors.Is(e.Err, ErrFailed) || before.ending == nil || after.ending == nil {
		t.Errorf("match ended with %v, and the other watchers were told of %v and %v", e.Err,
			before.ending, after.ending)
	}
}

// A reference to a finished match, such as a slow client's reader has, does not keep
// its watchers and seats in memory.
func TestFinishedMatchIsReleased(t *testing.T) {
	d := &diary{}
	s := newSeat(always(0))
	m := New(
		quiet(Options{Settings: Settings{Turns: 3, Players: 1}, Autostart: true, Watchers: []Watcher{d}}))
	done := make(chan Ending)
	go func() { done <- m.Run(context.Background()) }()
	place, err := m.Join(s, Candidate{Nickname: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if e := <-done; e.Err != nil || len(e.Seats) != 1 {
		t.Fatalf("match ended with %+v", e)
	}
	s.bot.Wait()
	for range 2 * mailboxSize {
		place.Leave("late")
	}
	watcher, seat := weak.Make(d), weak.Make(s)
	d, s = nil, nil
	runtime.GC()
	if watcher.Value() != nil || seat.Value() != nil {
		t.Error("the match keeps its watcher or its seat")
	}
	if err := m.Start(); err != ErrStarted {
		t.Errorf("Start = %v, want %v", err, ErrStarted)
	}
	runtime.KeepAlive(place)
}
