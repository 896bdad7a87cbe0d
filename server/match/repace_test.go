package match

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// Changing the pace or a delay in the middle of a turn neither ends this turn early nor
// makes it endless.
func TestPaceChangesBetweenTurns(t *testing.T) {
	for name, change := range map[string]func(*Match){
		"SetPace": func(m *Match) { m.SetPace(func(Settings) Pace { return Fast(0, time.Minute) }) },
		"Update":  func(m *Match) { m.Update(func(s *Settings) { s.DelayTurns = 60_000 }) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &diary{}
				m := New(quiet(Options{
					Settings:  Settings{Turns: 4, Players: 2, DelayTurns: 50},
					Autostart: true,
					Pace: func(s Settings) Pace {
						return Fast(0, time.Duration(s.DelayTurns)*time.Millisecond)
					},
					Watchers: []Watcher{d},
				}))
				done := make(chan Ending)
				go func() { done <- m.Run(t.Context()) }()
				changer := newSeat(func(turn int) time.Duration {
					if turn == 1 {
						change(m)
					}
					return time.Millisecond
				})
				for _, s := range []*fakeSeat{changer, newSeat(always(20 * time.Millisecond))} {
					if _, err := m.Join(s, Candidate{Role: Player}); err != nil {
						t.Fatal(err)
					}
				}
				<-done
				want := []time.Duration{
					0, 50 * time.Millisecond, 100 * time.Millisecond, 100*time.Millisecond + time.Minute,
				}
				for i, w := range want {
					if d.times[i] != w {
						t.Errorf("turn %d came after %v, want %v (%v)", i+1, d.times[i], w, d.plays)
					}
				}
			})
		})
	}
}

// A change of the settings fills up no clock: the second player, who thinks for 300 ms of each
// turn, has used up a second in the fourth.
func TestClocksGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &diary{}
		m := New(quiet(Options{
			Settings: Settings{Turns: 5, Players: 2}, Autostart: true, Watchers: []Watcher{d},
			Pace: func(Settings) Pace {
				return Clock(func(engine.PlayerID) Budget { return Budget{Time: time.Second, Lasting: true} },
					0)
			},
		}))
		done := make(chan Ending)
		go func() { done <- m.Run(t.Context()) }()
		changer := newSeat(func(turn int) time.Duration {
			if turn == 1 {
				m.Update(func(s *Settings) { s.DelayTurns = 60_000 })
			}
			return time.Millisecond
		})
		seats := []*fakeSeat{changer, newSeat(always(300 * time.Millisecond))}
		for _, s := range seats {
			if _, err := m.Join(s, Candidate{Role: Player}); err != nil {
				t.Fatal(err)
			}
		}
		<-done
		for _, s := range seats {
			s.bot.Wait()
		}
		for i, want := range []time.Duration{0, 300, 600, 900, 1000} {
			if got := d.times[i]; got != want*time.Millisecond {
				t.Errorf("turn %d came after %v, want %v (%v)", i+1, got, want*time.Millisecond, d.plays)
			}
		}
	})
}
