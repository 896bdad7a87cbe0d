package match

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// In the turns of the past players are asked and their answers ignored; a person is not waited for.
// A new pace is made after each, so it counts no time before the first turn of the match's own.
func TestPast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		game, told := &plainGame{}, 0
		past := Past{Turns: 3, Inputs: func(step int) []engine.Input {
			told = step + 1
			if step == 0 {
				return nil
			}
			return []engine.Input{
				{Player: 1, Turn: step - 1, Actions: []byte(`["past"]`), Valid: true},
				{Player: 0, Turn: step - 1, Lapse: engine.TimedOut},
			}
		}}
		m := New(quiet(Options{
			Settings: Settings{Turns: 5, Players: 2}, Autostart: true, InOrder: true, Referee: Local(game),
			Past: past,
			Pace: func(Settings) Pace {
				if told < past.Turns {
					return Fast(0, 0)
				}
				return Clock(
					func(engine.PlayerID) Budget { return Budget{Time: 10 * time.Second, Lasting: true} }, 0)
			},
		}))
		done := make(chan Ending)
		go func() { done <- m.Run(t.Context()) }()
		bot := newSeat(always(time.Second))
		person := newSeat(func(turn int) time.Duration {
			if turn < 2 {
				return -1 // does not answer
			}
			return 2 * time.Second
		})
		begun := time.Now()
		for i, s := range []*fakeSeat{bot, person} {
			if _, err := m.Join(s, Candidate{Role: Player, Person: i == 1}); err != nil {
				t.Fatal(err)
			}
		}
		ending := <-done
		if took := time.Since(begun); took > time.Minute || ending.Err != nil || ending.Steps != 5 {
			t.Errorf("the match took %v and %d turns (%v), want 5 turns in seconds", took, ending.Steps,
				ending.Err)
		}
		for step, inputs := range game.inputs {
			var players []engine.PlayerID
			for _, in := range inputs {
				players = append(players, in.Player)
				if past := string(in.Actions) == `["past"]` || in.Lapse == engine.TimedOut; past != (step < 3) {
					t.Errorf("step %d got %+v", step, in)
				}
			}
			if step > 0 && step < 3 && !slices.Equal(players, []engine.PlayerID{1, 0}) {
				t.Errorf("step %d got the inputs of %v, want those of 1 and 0, in this order", step, players)
			}
		}
		bot.bot.Wait()
		person.bot.Wait()
	})
}
