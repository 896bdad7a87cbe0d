package match

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// play runs a match between players with the given delays and returns its diary.
func play(t *testing.T, o Options, delays ...func(int) time.Duration) (*diary, []*fakeSeat) {
	t.Helper()
	d := &diary{}
	o.Watchers = append(o.Watchers, d)
	o.Settings.Players = len(delays)
	o.Autostart = true
	m := New(quiet(o))
	done := make(chan Ending)
	go func() { done <- m.Run(context.Background()) }()
	var seats []*fakeSeat
	for _, delay := range delays {
		s := newSeat(delay)
		seats = append(seats, s)
		if _, err := m.Join(s, Candidate{Role: Player, Nickname: "bot"}); err != nil {
			t.Fatalf("Join: %v", err)
		}
	}
	if e := <-done; e.Err != nil {
		t.Fatalf("match ended with %v", e.Err)
	}
	for _, s := range seats {
		s.bot.Wait()
	}
	return d, seats
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestFastMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, seats := play(t, Options{Settings: Settings{Turns: 3}}, always(10*time.Millisecond))
		same(t, "played", d.plays, []string{"1:", "2: 0@0", "3: 0@1"})
		seats[0].expect(t, "welcome", `begin {"step":0}`, `turn 0 {"step":1}`, `turn 1 {"step":2}`,
			`end {"step":3}`, "kick: the game is finished")
		if got := d.times[2]; got != 20*time.Millisecond {
			t.Errorf("two answers of 10ms took %v", got)
		}
	})
}

func TestTimerMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Options{Settings: Settings{Turns: 4, DelayFirst: 100, DelayTurns: 50}}
		o.Pace = func(s Settings) Pace {
			return Timer(time.Duration(s.DelayFirst)*time.Millisecond,
				time.Duration(s.DelayTurns)*time.Millisecond)
		}
		d, _ := play(t, o, always(70*time.Millisecond))
		// An answer that takes longer than a turn counts in the next one.
		same(t, "played", d.plays,
			[]string{"1:", "2: 0@0!timed-out", "3: 0@0 0@1!timed-out", "4: 0@1 0@2!timed-out"})
		want := []time.Duration{100, 150, 200, 250}
		for i, w := range want {
			if d.times[i] != w*time.Millisecond {
				t.Errorf("turn %d came after %v, want %v", i+1, d.times[i], w*time.Millisecond)
			}
		}
	})
}

func TestHungBotLosesOnlyItsOwnTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Options{
			Settings: Settings{Turns: 4}, Pace: func(Settings) Pace { return Fast(time.Second, 0) },
			Order: Seeded,
		}
		late := func(turn int) time.Duration {
			if turn == 0 {
				return 1500 * time.Millisecond
			}
			return time.Millisecond
		}
		d, seats := play(t, o, always(time.Millisecond), late)
		if seats[1].id == 0 { // the ids are drawn
			t.Fatal("choose another seed: the late bot is to be player 1")
		}
		for i, p := range d.plays {
			words := strings.Fields(p)
			slices.Sort(words)
			d.plays[i] = strings.Join(words, " ")
		}
		same(t, "played", d.plays, []string{"1:", "0@0 1@0!timed-out 2:", "0@1 1@1 3:", "0@2 1@2 4:"})
		if got := d.times[3]; got > 1600*time.Millisecond {
			t.Errorf("the match took %v, want one limit and the late answer", got)
		}
	})
}

func TestLeavingEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(quiet(Options{Settings: Settings{Turns: 3, Players: 2}, Autostart: true}))
		d := &diary{}
		m.opts.Watchers = []Watcher{d}
		done := make(chan Ending)
		go func() { done <- m.Run(context.Background()) }()
		stays, leaves := newSeat(always(0)), newSeat(always(-1))
		for _, s := range []*fakeSeat{stays, leaves} {
			if _, err := m.Join(s, Candidate{Role: Player}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if len(d.plays) != 1 {
			t.Fatalf("played %v while a player has not answered", d.plays)
		}
		leaves.leave()
		e := <-done
		if e.Err != nil || e.Steps != 3 {
			t.Fatalf("match ended with %+v", e)
		}
		for _, s := range e.Seats {
			if want := s.ID == stays.id; s.Connected != want {
				t.Errorf("seat %d connected = %v, want %v", s.ID, s.Connected, want)
			}
		}
		if !d.seats[0][0].Connected || !d.seats[0][1].Connected {
			t.Error("an older frame's list of seats was changed in place")
		}
		if !strings.Contains(d.plays[2], "!gone") {
			t.Errorf("played %v, want the player that left to be gone", d.plays)
		}
	})
}

func TestRoster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(context.Background())
		m := New(quiet(Options{
			Settings: Settings{Turns: 2, Players: 2, Specials: 1, Visus: 1, DelayFirst: 1},
			Pace:     func(Settings) Pace { return Timer(time.Hour, time.Hour) },
		}))
		done := make(chan Ending)
		go func() { done <- m.Run(ctx) }()
		join := func(role Role, want error) *fakeSeat {
			t.Helper()
			s := newSeat(always(-1))
			if _, err := m.Join(s, Candidate{Role: role}); !errors.Is(err, want) {
				t.Fatalf("Join as %v = %v, want %v", role, err, want)
			}
			if want != nil {
				close(s.asked)
			}
			return s
		}
		first := join(Player, nil)
		second := join(Player, nil)
		join(Player, ErrPlayers)
		first.leave()
		third := join(Player, nil)
		ghost := join(Special, nil)
		join(Special, ErrSpecials)
		if err := m.Start(); err != nil {
			t.Fatalf("Start = %v", err)
		}
		if err := m.Start(); !errors.Is(err, ErrStarted) {
			t.Fatalf("second Start = %v", err)
		}
		join(Player, ErrStarted)
		join(Special, ErrStarted)
		visu := join(Visualization, nil)
		join(Visualization, ErrVisus)
		visu.expect(t, "welcome", `begin {"step":0}`)
		if visu.id != engine.NoPlayer || ghost.id != 0 || second.id+third.id != 3 {
			t.Errorf("ids: visualization %d, special %d, players %d and %d", visu.id, ghost.id, second.id,
				third.id)
		}
		time.Sleep(90 * time.Minute) // into turn 0
		visu.leave()
		late := join(Visualization, nil)
		late.expect(t, "welcome", `begin {"step":0}`, `turn 0 {"step":1}`)

		cause := errors.New("tea time")
		cancel(cause)
		if e := <-done; !errors.Is(e.Err, cause) {
			t.Errorf("match ended with %v, want %v", e.Err, cause)
		}
		late.expect(t, "kick: the match was aborted")
		if _, ok := m.Settings(); ok {
			t.Error("a finished match still has settings")
		}
	})
}

func TestIDsAreDrawnFromTheSeed(t *testing.T) {
	orders := map[string]bool{}
	for seed := range uint64(40) {
		var list [2]string
		for try := range list {
			r := roster{Special: []*Place{{}}}
			for _, name := range []string{"a", "b", "c", "d"} {
				r[Player] = append(r[Player], &Place{SeatInfo: SeatInfo{Candidate: Candidate{Nickname: name}}})
			}
			r.shuffle(seed)
			r.number()
			for i, p := range r[Player] {
				if int(p.ID) != i+1 {
					t.Fatalf("player %d has id %d", i, p.ID)
				}
				list[try] += p.Nickname
			}
		}
		if list[0] != list[1] {
			t.Fatalf("seed %d gives %s and %s", seed, list[0], list[1])
		}
		orders[list[0]] = true
	}
	if len(orders) < 10 {
		t.Errorf("40 seeds give %d orders, want many", len(orders))
	}
}

func TestSettingsAndPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		m := New(quiet(Options{
			Settings: Settings{Turns: 100, Players: 1, DelayTurns: 50},
			Pace: func(s Settings) Pace {
				return Timer(0,
					time.Duration(s.DelayTurns)*time.Millisecond)
			},
		}))
		d := &diary{}
		m.opts.Watchers = []Watcher{d}
		done := make(chan Ending)
		go func() { done <- m.Run(ctx) }()
		m.Update(func(s *Settings) { s.Turns = 5 })
		if err := m.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
		m.Update(func(s *Settings) { s.DelayTurns = 1000 }) // from the next turn on
		time.Sleep(60 * time.Millisecond)
		m.SetPace(func(Settings) Pace { return Fast(0, 0) }) // likewise
		if e := <-done; e.Steps != 5 || e.Err != nil {
			t.Fatalf("match ended with %+v, want 5 steps", e)
		}
		want := []time.Duration{
			0, 50 * time.Millisecond, 1050 * time.Millisecond, 1050 * time.Millisecond,
			1050 * time.Millisecond,
		}
		if !slices.Equal(d.times, want) {
			t.Errorf("turns came after %v, want %v", d.times, want)
		}
		cancel()
	})
}

func TestFramesAreReusedOnlyWhenReleased(t *testing.T) {
	m := New(quiet(Options{}))
	f := m.newFrame(Started)
	f.Retain()
	f.Release()
	if g := m.newFrame(Started); g == f {
		t.Fatal("a frame was reused while it was held")
	}
	if a, err := f.In(upper{}); err != nil || string(a) != `{"STEP":0}` {
		t.Fatalf("In = %s, %v", a, err)
	}
	a, _ := f.In(upper{})
	b, _ := f.In(upper{})
	if &a[0] != &b[0] {
		t.Error("a form was made twice")
	}
}

type upper struct{}

func (upper) Append(dst []byte, f *Frame) ([]byte, error) {
	return append(dst, strings.ToUpper(string(f.State))...), nil
}
