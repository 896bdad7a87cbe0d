package match

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Two players, a and b, at b's pace of 100 ms a turn; a leaves in turn 1.
func TestWhoComesBackGetsItsSeat(t *testing.T) {
	const grace = time.Second
	at := func(nickname, remote, key string) Candidate {
		return Candidate{Role: Player, Nickname: nickname, Remote: remote, Key: key}
	}
	tests := []struct {
		name        string
		first       [2]Candidate // who plays; the first leaves
		grace, away time.Duration
		back        Candidate
		stays       bool // it never leaves: its old connection is broken and does not know
		want        error
	}{
		{name: "same nickname and host", first: [2]Candidate{at("a", "h:1", ""), at("b", "h:2", "")}, grace: grace, back: at("a", "h:3", "")},
		{name: "another nickname", first: [2]Candidate{at("a", "h:1", ""), at("b", "h:2", "")}, grace: grace, back: at("c", "h:3", ""), want: ErrStarted},
		{name: "another host", first: [2]Candidate{at("a", "h:1", ""), at("b", "h:2", "")}, grace: grace, back: at("a", "g:1", ""), want: ErrStarted},
		{name: "too late", first: [2]Candidate{at("a", "h:1", ""), at("b", "h:2", "")}, grace: grace, away: 2 * grace, back: at("a", "h:3", ""), want: ErrStarted},
		{name: "nobody may", first: [2]Candidate{at("a", "h:1", ""), at("b", "h:2", "")}, back: at("a", "h:3", ""), want: ErrStarted},
		{name: "the other is connected", first: [2]Candidate{at("a", "h:1", ""), at("a", "h:2", "")}, grace: grace, back: at("a", "h:3", "")},
		{
			name: "another role", first: [2]Candidate{at("a", "h:1", ""), at("b", "h:2", "")}, grace: grace,
			back: Candidate{Role: Special, Nickname: "a", Remote: "h:3"}, want: ErrStarted,
		},
		{name: "the key alone counts", first: [2]Candidate{at("a", "h:1", "A"), at("a", "h:1", "B")}, grace: grace, back: at("z", "g:9", "A")},
		{name: "a wrong key", first: [2]Candidate{at("a", "h:1", "A"), at("b", "h:1", "B")}, grace: grace, back: at("a", "h:1", "C"), want: ErrStarted},
		{name: "a key takes over", first: [2]Candidate{at("a", "h:1", "A"), at("b", "h:1", "B")}, grace: grace, back: at("a", "h:2", "A"), stays: true},
		{name: "without a key, nobody is thrown out", first: [2]Candidate{at("a", "h:1", ""), at("b", "h:1", "")}, grace: grace, back: at("a", "h:1", ""), stays: true, want: ErrStarted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := New(quiet(Options{Settings: Settings{Turns: 60, Players: 2}, Autostart: true, InOrder: true, Grace: tt.grace}))
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
						t.Errorf("it is player %d now, was 0", again.id)
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
