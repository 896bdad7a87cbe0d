package match

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// A turn waits for a player without a deadline, whose time is not measured. The answer of another
// that is late counts in the next turn, as if the turn had ended in time.
func TestUntimed(t *testing.T) {
	for name, pace := range map[string]Pace{"fast": Fast(100*time.Millisecond, 0), "timer": Timer(0, 100*time.Millisecond)} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				game := &plainGame{}
				m := New(quiet(Options{
					Settings: Settings{Turns: 3, Players: 2}, Autostart: true, InOrder: true, Referee: Local(game),
					Pace: func(Settings) Pace { return pace },
				}))
				done := make(chan Ending)
				go func() { done <- m.Run(t.Context()) }()
				first := func(d time.Duration) func(int) time.Duration {
					return func(turn int) time.Duration {
						if turn == 0 {
							return d
						}
						return 0
					}
				}
				debugged, late := newSeat(first(time.Hour)), newSeat(first(time.Second))
				begun := time.Now()
				for _, one := range []struct {
					seat *fakeSeat
					c    Candidate
				}{{debugged, Candidate{Role: Player, Untimed: true}}, {late, Candidate{Role: Player}}} {
					if _, err := m.Join(one.seat, one.c); err != nil {
						t.Fatal(err)
					}
				}
				<-done
				debugged.bot.Wait()
				late.bot.Wait()
				if took := time.Since(begun); took < time.Hour || took > time.Hour+time.Second {
					t.Errorf("the match took %v, want an hour", took)
				}
				var lapses []engine.Lapse
				for _, in := range game.inputs[1] {
					lapses = append(lapses, in.Lapse)
					if in.Player == 0 && in.Micros != 0 {
						t.Errorf("the player without a deadline took %d µs", in.Micros)
					}
				}
				if len(lapses) != 2 || lapses[0] != engine.Answered || lapses[1] != engine.TimedOut {
					t.Errorf("the inputs of the first turn are %+v", game.inputs[1])
				}
				// The late answer and, unless the turn is over before, the one to the second TURN.
				for _, in := range game.inputs[2] {
					if in.Lapse != engine.Answered {
						t.Errorf("the inputs of the second turn are %+v", game.inputs[2])
					}
				}
			})
		})
	}
}

// While a match is paused, only Step plays turns.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		game := &plainGame{}
		m := New(quiet(Options{
			Settings: Settings{Turns: 5, Players: 1}, Autostart: true, Referee: Local(game),
			Pace: func(Settings) Pace { return Fast(time.Second, 0) },
		}))
		done := make(chan Ending)
		go func() { done <- m.Run(t.Context()) }()
		m.Pause(true)
		s := newSeat(always(time.Millisecond))
		if _, err := m.Join(s, Candidate{Role: Player}); err != nil {
			t.Fatal(err)
		}
		for want := range 3 {
			time.Sleep(time.Hour)
			synctest.Wait()
			if game.step != want {
				t.Errorf("%d turns were played, want %d", game.step, want)
			}
			m.Step()
		}
		m.Pause(false)
		if e := <-done; e.Err != nil || e.Steps != 5 {
			t.Errorf("the match ended with %+v", e)
		}
		s.bot.Wait()
	})
}
