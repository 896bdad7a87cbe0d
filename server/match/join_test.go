package match

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// slowStart is a watcher whose disk is slow when the match starts.
type slowStart struct{ BaseWatcher }

func (slowStart) Started(*Frame) { time.Sleep(time.Second) }

// A match that starts or plays does not delay the goroutine that seats clients in it and in others:
// neither when it fills the last seat nor when it asks for a seat for a client that had none. A
// client that had one is asked about.
func TestJoinDoesNotWaitForTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(
			quiet(
				Options{
					Settings: Settings{Turns: 3, Players: 2}, Autostart: true, Grace: time.Minute,
					Watchers: []Watcher{slowStart{}},
				},
			),
		)
		ended := make(chan struct{})
		go func() { defer close(ended); m.Run(context.Background()) }()
		began := time.Now()
		join := func(nickname, remote, key string) (*fakeSeat, error) {
			s := newSeat(always(0))
			_, err := m.Join(s, Candidate{Nickname: nickname, Remote: remote, Key: key})
			if err != nil {
				close(s.asked)
			}
			return s, err
		}
		for _, name := range []string{"a", "b"} {
			if _, err := join(name, "h:1", name); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait() // the match starts
		for _, c := range []Candidate{
			{Nickname: "c", Remote: "h:1"},
			{Nickname: "a", Remote: "h:1", Key: "c"},
			{Nickname: "a", Remote: "h:1"},
		} {
			if _, err := join(c.Nickname, c.Remote, c.Key); !errors.Is(err, ErrStarted) {
				t.Errorf("a seat for %+v: %v", c, err)
			}
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("clients waited for %v", took)
		}
		back, err := join("z", "h:2", "a")
		if err != nil || time.Since(began) != time.Second {
			t.Errorf("a player connects again after %v: %v", time.Since(began), err)
		}
		back.expect(t, "welcome")
		<-ended
	})
}
