package match

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// Answers that change nothing stay in the mailbox, so that a turn wakes the match once.
func TestMatchParks(t *testing.T) {
	const players = 5
	for _, test := range []struct {
		name   string
		pace   Pace
		unread []int // mail after each of the answers
	}{
		{"fast", Fast(0, 0), []int{1, 2, 3, 4, 0}},
		{"fast with a limit", Fast(time.Hour, 0), []int{1, 2, 3, 4, 0}},
		{"timer", Timer(time.Second, time.Hour), []int{1, 2, 3, 4, 5}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, seats, end := parked(t, test.pace, players)
				defer end()
				for i, s := range seats {
					s.place.Answer(0, []byte(`[]`), nil, 0)
					synctest.Wait()
					if got := len(m.mail); got != test.unread[i] {
						t.Errorf("after %d answers, %d are in the mailbox, want %d", i+1, got, test.unread[i])
					}
				}
			})
		})
	}
}

// Any other event is handled at once, after the answers before it.
func TestMatchWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, seats, end := parked(t, Fast(0, 0), 3)
		defer end()
		seats[0].place.Answer(0, []byte(`[]`), nil, 0)
		seats[1].place.Answer(0, []byte(`[]`), nil, 0)
		synctest.Wait()
		if got := len(m.mail); got != 2 {
			t.Errorf("%d answers are in the mailbox, want 2", got)
		}
		seats[2].leave() // so that no other player is awaited
		synctest.Wait()
		if s, _ := m.Settings(); len(m.mail) != 0 || s.Players != 3 {
			t.Errorf("the match did not read %d events", len(m.mail))
		}
		seats[0].expect(t, "welcome", `begin {"step":0}`, `turn 0 {"step":1}`, `turn 1 {"step":2}`)
	})
}

// A full mailbox of answers wakes the match.
func TestMailboxFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, seats, end := parked(t, Timer(time.Second, time.Hour), 1)
		defer end()
		for range 3 * mailboxSize {
			seats[0].place.Answer(0, []byte(`[]`), nil, 0)
		}
		synctest.Wait()
		if got := len(m.mail); got > mailboxSize/2 {
			t.Errorf("%d answers are in the mailbox, want at most %d", got, mailboxSize/2)
		}
	})
}

// parked returns a match in its first turn whose players have not answered.
func parked(t *testing.T, pace Pace, players int) (m *Match, seats []*fakeSeat, end func()) {
	m = New(quiet(Options{
		Settings: Settings{Turns: 10, Players: players}, Autostart: true, InOrder: true,
		Pace: func(Settings) Pace { return pace },
	}))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan Ending)
	go func() { done <- m.Run(ctx) }()
	for range players {
		s := newSeat(always(-1))
		seats = append(seats, s)
		if _, err := m.Join(s, Candidate{Role: Player, Nickname: "bot"}); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(2 * time.Second) // of the bubble: until the first turn
	synctest.Wait()
	return m, seats, func() {
		stop()
		<-done
		for _, s := range seats {
			s.bot.Wait()
		}
	}
}
