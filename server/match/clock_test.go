package match

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine"
)

func TestClock(t *testing.T) {
	const ms = time.Millisecond
	type step struct {
		call   string // asked, answered, left, returned, woken
		player engine.PlayerID
		at     int // ms
		end    bool
		wake   int // ms, 0: never
	}
	same := func(b Budget) func(engine.PlayerID) Budget { return func(engine.PlayerID) Budget { return b } }
	tests := []struct {
		name  string
		pace  Pace
		steps []step
	}{
		{"each move has the whole time", Clock(same(Budget{Time: 50 * ms}), 0), []step{
			{"asked", 1, 10, false, 60},
			{"answered", 1, 50, true, 0},
			{"asked", 0, 50, false, 100},
			{"woken", 0, 100, true, 0},
			{"asked", 1, 110, false, 160},
		}},
		{"all moves share it", Clock(same(Budget{Time: 50 * ms, Lasting: true}), 0), []step{
			{"asked", 1, 10, false, 60},
			{"answered", 1, 40, true, 0},
			{"asked", 0, 40, false, 90},
			{"answered", 0, 41, true, 0},
			{"asked", 1, 100, false, 120},
			{"woken", 1, 120, true, 0},
		}},
		{"each move adds to it", Clock(same(Budget{Time: 50 * ms, Lasting: true, Increment: 5 * ms}),
			0), []step{
			{"asked", 1, 0, false, 50},
			{"answered", 1, 20, true, 0},
			{"asked", 1, 100, false, 135},
			{"answered", 1, 101, true, 0},
			{"asked", 1, 200, false, 239},
		}},
		{"no limit", Clock(same(Budget{}), 0), []step{
			{"asked", 0, 10, false, 0},
			{"answered", 0, 100_000, true, 0},
		}},
		{"a budget for each", Clock(func(p engine.PlayerID) Budget {
			return Budget{Time: time.Duration(p+1) * 10 * ms}
		}, 0), []step{
			{"asked", 1, 0, false, 20},
			{"answered", 1, 5, true, 0},
			{"asked", 0, 5, false, 15},
		}},
		{"the floor does not count", Clock(same(Budget{Time: 50 * ms, Lasting: true}), 30*ms), []step{
			{"asked", 0, 0, false, 50},
			{"answered", 0, 10, false, 30},
			{"woken", 0, 30, true, 0},
			{"asked", 0, 100, false, 140},
		}},
		{"a player that connects again neither pays twice nor gains time", Clock(
			same(Budget{Time: 50 * ms, Lasting: true, Increment: 5 * ms}), 0), []step{
			{"asked", 1, 0, false, 50},
			{"left", 1, 40, true, 0},
			{"returned", 1, 40, false, 50},
			{"left", 1, 41, true, 0},
			{"returned", 1, 41, false, 50},
			{"answered", 1, 45, true, 0},
			{"asked", 1, 100, false, 110},
		}},
		{"answers of others do not count", Clock(same(Budget{Time: 50 * ms}), 0), []step{
			{"asked", 0, 0, false, 50},
			{"answered", 1, 10, false, 50},
			{"answered", 0, 20, true, 0},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.pace.Begun(at(0)); !got.End {
				t.Fatalf("Begun = %+v, want the end of the wait", got)
			}
			for i, s := range tt.steps {
				var got Decision
				switch s.call {
				case "asked":
					got = tt.pace.Asked(at(s.at), []engine.PlayerID{s.player})
				case "answered":
					got = tt.pace.Answered(at(s.at), s.player)
				case "left":
					got = tt.pace.Left(at(s.at), s.player)
				case "returned":
					got = tt.pace.Returned(at(s.at), s.player)
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

// If several players are awaited, the first one to run out of time ends the turn.
func TestClockOfSeveral(t *testing.T) {
	c := Clock(
		func(p engine.PlayerID) Budget { return Budget{Time: time.Duration(10+p) * time.Second} }, 0)
	if got := c.Asked(at(0), []engine.PlayerID{1, 0, 2}); !got.Wake.Equal(at(10_000)) {
		t.Fatalf("Asked = %+v", got)
	}
	if got := c.Answered(at(100), 0); got.End || !got.Wake.Equal(at(11_000)) {
		t.Fatalf("Answered = %+v", got)
	}
	if got := c.Woken(at(11_000)); !got.End {
		t.Fatalf("Woken = %+v", got)
	}
}

// turnsGame awaits its two players alternately.
type turnsGame struct{ plainGame }

func (g *turnsGame) Start(s engine.Setup) (engine.Result, error) {
	r, err := g.plainGame.Start(s)
	r.Await = engine.Only(1)
	return r, err
}

func (g *turnsGame) Step(in []engine.Input) engine.Result {
	r := g.plainGame.Step(in)
	r.Await = engine.Only(engine.PlayerID(g.step % 2))
	for _, in := range in {
		r.Over = r.Over || in.Lapse == engine.TimedOut
	}
	return r
}

// A player's clock starts when it is asked, also if it still owes an answer to an older
// TURN, and the game gets the time of the clock.
func TestClockOfAMatch(t *testing.T) {
	const ms = time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		game := &turnsGame{}
		o := Options{Settings: Settings{Turns: 20}, Referee: Local(game), Pace: func(Settings) Pace {
			return Clock(
				func(engine.PlayerID) Budget {
					return Budget{
						Time: 160 * ms, Lasting: true, Increment: 10 * ms,
					}
				},
				0,
			)
		}}
		// Both think about every TURN in order, also about the other's: player 1
		// for 60 ms, player 0 for 20 ms.
		d, seats := play(t, o, always(20*ms), always(60*ms))
		if seats[1].id != 1 {
			t.Fatalf("the slow player has id %d", seats[1].id)
		}
		var got []string
		for i, inputs := range game.inputs {
			for _, in := range inputs {
				if engine.PlayerID(i%2) == in.Player {
					got = append(got, fmt.Sprintf("%d took %d ms, %s", in.Player, in.Micros/1000, in.Lapse))
				}
			}
		}
		same(t, "played", got, []string{
			"1 took 60 ms, answered",
			"0 took 20 ms, answered",
			"1 took 100 ms, answered", // 40 ms of it about the TURN before
			"0 took 20 ms, answered",
			"1 took 0 ms, timed out", // 160 - 60 + 10 - 100 + 10 ms after it was asked
		})
		if last := d.times[len(d.times)-1]; last != (60+20+100+20+20)*ms {
			t.Errorf("the match ended after %v", last)
		}
	})
}

// An answer that arrived in time counts, even if the match reads it late.
func TestAnswerInTimeBeatsTheAlarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		game := &turnsGame{}
		m := New(quiet(Options{
			Settings: Settings{Turns: 2, Players: 2}, Autostart: true, Referee: Local(game),
			Pace: func(Settings) Pace {
				return Clock(func(engine.PlayerID) Budget { return Budget{Time: time.Second} }, 0)
			},
		}))
		done := make(chan Ending)
		go func() { done <- m.Run(t.Context()) }()
		idle := []*fakeSeat{newSeat(always(-1)), newSeat(always(-1))}
		for _, s := range idle {
			if _, err := m.Join(s, Candidate{Role: Player}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		mover := idle[0]
		if mover.id != 1 {
			mover = idle[1]
		}
		go m.ask(func() { time.Sleep(2 * time.Second) }) // the match is busy
		synctest.Wait()
		time.Sleep(time.Second / 2)
		mover.place.Answer(0, []byte(`[]`), nil, 0)
		<-done
		if last := game.inputs[1]; len(last) != 1 || last[0].Lapse != engine.Answered ||
			last[0].Micros != 500_000 {
			t.Errorf("the last turn was played with %+v", last)
		}
	})
}
