package match

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine"
)

// preparingGame prepares actions by counting their bytes.
type preparingGame struct{ plainGame }

func (g *preparingGame) Prepare(actions []byte) any { return len(actions) }

// Large answers are parsed before the turn, ordinary ones in it.
func TestLargeAnswersArePrepared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &preparingGame{}
		m := New(quiet(Options{
			Settings: Settings{Turns: 2, Players: 2}, Autostart: true, InOrder: true, Referee: Local(g),
			Pace: func(Settings) Pace { return Fast(0, 0) },
		}))
		done := make(chan Ending)
		go func() { done <- m.Run(context.Background()) }()
		var seats []*fakeSeat
		for range 2 {
			s := newSeat(always(-1))
			seats = append(seats, s)
			if _, err := m.Join(s, Candidate{Role: Player, Nickname: "bot"}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(2 * time.Second) // of the bubble: until the first turn
		large := "[" + strings.Repeat("0,", prepareFrom) + "0]"
		seats[0].place.Answer(0, []byte(large), nil, 0)
		seats[1].place.Answer(0, []byte("[]"), nil, 0)
		<-done
		for _, s := range seats {
			s.bot.Wait()
		}
		for _, in := range g.inputs[1] {
			want := map[engine.PlayerID]any{0: len(large), 1: nil}[in.Player]
			if in.Prepared != want || !in.Valid {
				t.Errorf("player %d: prepared %v, valid %v; want %v", in.Player, in.Prepared, in.Valid, want)
			}
		}
	})
}
