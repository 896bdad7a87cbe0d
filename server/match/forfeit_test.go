package match

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest"
)

// The answer of a player that broke its wire's protocol counts as malformed at once.
func TestForfeit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &diary{}
		m := New(quiet(Options{
			Settings: Settings{Turns: 30, Players: 2}, InOrder: true, Autostart: true,
			Referee: Local(enginetest.NewToy()), Watchers: []Watcher{d},
		}))
		done := make(chan Ending)
		go func() { done <- m.Run(context.Background()) }()
		first, second := newSeat(always(-1)), newSeat(always(-1))
		for i, s := range []*fakeSeat{first, second} {
			if _, err := m.Join(s, Candidate{Nickname: string(rune('a' + i))}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait() // player 0 is asked
		first.place.Forfeit("said hello")
		ending := <-done
		close(first.asked)
		if ending.Winner != 1 || ending.Reason != "forfeit" || ending.Seats[0].Reason != "said hello" ||
			ending.Seats[0].Nickname != "a" {
			t.Errorf("ending = %+v, want player 1 to win because a said hello", ending)
		}
		if last := d.plays[len(d.plays)-1]; !strings.Contains(last, "!"+engine.Malformed.String()) {
			t.Errorf("last turn %q, want a malformed answer", last)
		}
	})
}
