package match

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Two players, a and b, play at b's pace of 100 ms a turn; a leaves in turn 1.
func TestReconnect(t *testing.T) {
	const grace = time.Second
	at := func(nickname, remote, key string) Candidate {
		return Candidate{Role: Player, Nickname: nickname, Remote: remote, Key: key}
	}
	tests := []struct {
		name        string
		first       [2]Candidate // the players; the first leaves
		grace, away time.Duration
		back        Candidate
		stays       bool // it does not leave: the match has not noticed that its connection is broken
		want        error
	}{
		{name: "same nickname and host", first: [2]Candidate{
			at("a", "h:1", ""), at("b", "h:2", ""),
		}, grace: grace, back: at("a", "h:3", "")},
		{name: "another nickname", first: [2]Candidate{
			at("a", "h:1", ""), at("b", "h:2", ""),
		}, grace: grace, back: at("c", "h:3", ""), want: ErrStarted},
		{name: "another host", first: [2]Candidate{
			at("a", "h:1", ""), at("b", "h:2", ""),
		}, grace: grace, back: at("a", "g:1", ""), want: ErrStarted},
		{name: "too late", first: [2]Candidate{
			at("a", "h:1", ""), at("b", "h:2", ""),
		}, grace: grace, away: 2 * grace, back: at("a", "h:3", ""), want: ErrStarted},
		{name: "reconnecting is off", first: [2]Candidate{
			at("a", "h:1", ""), at("b", "h:2", ""),
		}, back: at("a", "h:3", ""), want: ErrStarted},
		{name: "the other is connected", first: [2]Candidate{
			at("a", "h:1", ""), at("a", "h:2", ""),
		}, grace: grace, back: at("a", "h:3", "")},
		{
			name: "another role", first: [2]Candidate{at("a", "h:1", ""), at("b", "h:2", "")}, grace: grace,
			back: Candidate{Role: Special, Nickname: "a", Remote: "h:3"}, want: ErrStarted,
		},
		{name: "only the key counts", first: [2]Candidate{
			at("a", "h:1", "A"), at("a", "h:1", "B"),
		}, grace: grace, back: at("z", "g:9", "A")},
		{name: "a wrong key", first: [2]Candidate{
			at("a", "h:1", "A"), at("b", "h:1", "B"),
		}, grace: grace, back: at("a", "h:1", "C"), want: ErrStarted},
		{name: "a key replaces the old connection", first: [2]Candidate{
			at("a", "h:1", "A"), at("b", "h:1", "B"),
		}, grace: grace, back: at("a", "h:2", "A"), stays: true},
		{name: "without a key, no connection is replaced", first: [2]Candidate{
			at("a", "h:1", ""), at("b", "h:1", ""),
		}, grace: grace, back: at("a", "h:1", ""), stays: true, want: ErrStarted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := New(
					quiet(
						Options{
							Settings: Settings{Turns: 60, Players: 2}, Autostart: true, InOrder: true, Grace: tt.grace,
						},
					),
				)
				ended := make(chan Ending, 1)
				go func() { ended <- m.Run(context.Background()) }()
				seats := [2]*fakeSeat{newSeat(always(0)), newSeat(always(100 * time.Millisecond))}
				for i, s := range seats {
					if _, err := m.Join(s, tt.first[i]); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(150 * time.Millisecond) // b thinks about TURN 1
				if !tt.stays {
					seats[0].leave()
				}
				time.Sleep(tt.away)
				again := newSeat(always(0))
				_, err := m.Join(again, tt.back)
				if !errors.Is(err, tt.want) {
					t.Fatalf("Join = %v, want %v", err, tt.want)
				}
				if err == nil {
					again.expect(t, "welcome", `begin {"step":0}`, `turn 1 {"step":2}`, `turn 2 {"step":3}`)
					if again.id != 0 {
						t.Errorf("it is player %d now, want 0", again.id)
					}
				} else {
					close(again.asked)
				}
				if e := <-ended; e.Err != nil || e.Seats[0].Connected != (err == nil || tt.stays) {
					t.Errorf("ending %+v", e)
				}
			})
		})
	}
}

// A match without a timer does not play on while all players are disconnected and may
// reconnect.
func TestHoldForReconnect(t *testing.T) {
	const grace, ms = 10 * time.Second, time.Millisecond
	tests := []struct {
		name  string
		grace time.Duration
		pace  Pace
		alone bool // the other does not reconnect
		want  time.Duration
	}{
		{"both reconnect", grace, Fast(0, 0), false, 3 * time.Second},
		{"one reconnects", grace, Fast(0, 0), true, 3 * time.Second},
		{"with a limit on turns", grace, Fast(time.Second, 0), false, 3 * time.Second},
		{"after the answers, in a turn with a shortest " +
			"time", grace, Fast(0, 200*ms), false, 3*time.Second + 4*200*ms},
		{"after the answers, when the limit is as long", grace, Fast(100*ms,
			200*ms), false, 3*time.Second + 4*200*ms},
		{"too late", 2 * time.Second, Fast(0, 0), false, 2*time.Second + 150*ms},
		{"reconnecting is off", 0, Fast(0, 0), false, 150 * ms},
		{"a timer does not wait", grace, Timer(100*ms, 100*ms), false, 600 * ms},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := New(quiet(Options{
					Settings: Settings{Turns: 6, Players: 2}, Autostart: true, InOrder: true, Grace: tt.grace,
					Pace: func(Settings) Pace { return tt.pace },
				}))
				begun := time.Now()
				ended := make(chan time.Duration, 1)
				go func() { m.Run(context.Background()); ended <- time.Since(begun) }()
				// The first has answered TURN 1 when it leaves, the second has not.
				seats := [2]*fakeSeat{newSeat(always(0)), newSeat(always(100 * ms))}
				for i, name := range []string{"a", "b"} {
					if _, err := m.Join(seats[i], Candidate{Nickname: name, Remote: "h:1"}); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(150 * ms)
				seats[0].leave()
				seats[1].leave()
				time.Sleep(3*time.Second - 150*ms)
				for i, name := range []string{"a", "b"} {
					if i == 1 && tt.alone {
						break
					}
					again := newSeat(always(0))
					if _, err := m.Join(again, Candidate{Nickname: name, Remote: "h:1"}); err != nil {
						close(again.asked)
					}
				}
				if got := <-ended; got != tt.want {
					t.Errorf("the match took %v, want %v", got, tt.want)
				}
			})
		})
	}
}

// late counts the turns that players lost by being late.
type late struct {
	BaseWatcher
	turns int
}

func (l *late) Played(p *Play) {
	for _, a := range p.Answers {
		if a.Lapse == engine.TimedOut {
			l.turns++
		}
	}
}

// A turn that was held while all were away waits for a player that came back and thinks, also when
// another one comes back that had answered.
func TestBackWhileAnotherThinks(t *testing.T) {
	const ms = time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		lost := &late{}
		m := New(quiet(Options{
			Settings: Settings{Turns: 4, Players: 2}, Autostart: true, InOrder: true,
			Grace: 10 * time.Second,
			Pace:  func(Settings) Pace { return Fast(0, 0) }, Watchers: []Watcher{lost},
		}))
		ended := make(chan struct{})
		go func() { defer close(ended); m.Run(context.Background()) }()
		join := func(name string, delay time.Duration) *fakeSeat {
			s := newSeat(always(delay))
			if _, err := m.Join(s, Candidate{Nickname: name, Remote: "h:1"}); err != nil {
				t.Fatal(err)
			}
			return s
		}
		a, b := join("a", 0), join("b", 100*ms)
		time.Sleep(150 * ms) // the first has answered TURN 1, the second has not
		a.leave()
		b.leave()
		time.Sleep(time.Second)
		join("b", 200*ms)
		time.Sleep(100 * ms)
		join("a", 0)
		<-ended
		if lost.turns != 0 {
			t.Errorf("players lost %d turns", lost.turns)
		}
	})
}

// A new connection with a player's key does not count as leaving, in its turn or in that of
// another: neither ends a match in which leaving does, and the player's clock runs on.
func TestReplacedInMatchThatLeavingEnds(t *testing.T) {
	const ms = time.Millisecond
	for _, key := range []string{"waits", "thinks"} {
		t.Run(key, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				game, d := &turnsGame{}, &diary{}
				m := New(quiet(Options{
					Settings: Settings{Turns: 2, Players: 2}, Autostart: true, InOrder: true, Grace: time.Second,
					LeaveEnds: true,
					Referee:   Local(game), Watchers: []Watcher{d}, Pace: func(Settings) Pace {
						return Clock(func(engine.PlayerID) Budget { return Budget{Time: 150 * ms, Lasting: true} }, 0)
					},
				}))
				ended := make(chan struct{})
				go func() { defer close(ended); m.Run(context.Background()) }()
				join := func(key string, delay time.Duration) {
					s := newSeat(always(delay))
					if _, err := m.Join(s, Candidate{Nickname: key, Key: key}); err != nil {
						t.Fatal(err)
					}
					t.Cleanup(s.bot.Wait)
				}
				join("waits", 0)
				join("thinks", 100*ms) // is player 1, which is asked first
				time.Sleep(20 * ms)
				join(key, 100*ms)
				<-ended
				last, want := game.inputs[1], 100*ms
				if key == "thinks" {
					want = 120 * ms
				}
				if i := slices.IndexFunc(last, func(in engine.Input) bool { return in.Player == 1 }); i < 0 ||
					last[i].Lapse != engine.Answered || d.times[1] != want {
					t.Errorf("the turn ended after %v with %+v, want an answer after %v", d.times[1], last, want)
				}
			})
		})
	}
}

// A connection that was there before does not take the seat of a later one with its key back,
// neither before the start nor during the match.
func TestOlderLoginDoesNotReplace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(quiet(Options{
			Settings: Settings{Turns: 2, Players: 2}, Autostart: true, InOrder: true, Grace: time.Second,
		}))
		ended := make(chan struct{})
		go func() { defer close(ended); m.Run(context.Background()) }()
		join := func(key string, since time.Time, want error) {
			s := newSeat(always(100 * time.Millisecond))
			if _, err := m.Join(s, Candidate{Nickname: key, Key: key, Since: since}); !errors.Is(err, want) {
				t.Errorf("the login of %s at %v: %v, want %v", key, since, err, want)
			} else if err != nil {
				close(s.asked)
			}
			t.Cleanup(s.bot.Wait)
		}
		first := time.Now()
		second := first.Add(time.Second)
		join("twice", second, nil)
		join("twice", first, ErrReplaced)
		join("once", first, nil)
		time.Sleep(20 * time.Millisecond)
		join("twice", first, ErrStarted)
		join("twice", second.Add(time.Second), nil)
		<-ended
	})
}

// counting names players by their nickname and the number of players before them.
type counting struct{}

func (counting) Name(c Candidate, taken []string) string {
	return c.Nickname + strconv.Itoa(len(taken))
}

// A renamed player gets its seat back by the nickname that it asks for, and keeps its
// name.
func TestRenamedPlayerReconnects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(
			quiet(
				Options{
					Settings: Settings{Turns: 60, Players: 2}, Autostart: true, InOrder: true, Grace: time.Second,
					Names: counting{},
				},
			),
		)
		ended := make(chan Ending, 1)
		go func() { ended <- m.Run(context.Background()) }()
		seats := [2]*fakeSeat{newSeat(always(0)), newSeat(always(100 * time.Millisecond))}
		for _, s := range seats {
			if _, err := m.Join(s, Candidate{Role: Player, Nickname: "a", Remote: "h:1"}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(150 * time.Millisecond)
		seats[0].leave()
		if _, err := m.Join(newSeat(always(0)), Candidate{Role: Player, Nickname: "a", Remote: "h:2"}); err != nil {
			t.Fatal(err)
		}
		e := <-ended
		if got := e.Seats[0].Nickname + " " + e.Seats[1].Nickname; e.Err != nil || got != "a0 a1" ||
			!e.Seats[0].Connected {
			t.Errorf("players were called %s in %+v, want a0 a1", got, e)
		}
	})
}
