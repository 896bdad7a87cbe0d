package match

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// A flood of mail does not delay a turn that is due.
func TestFloodOfMail(t *testing.T) {
	const turns, senders, limit = 20, 4, 10_000_000
	m := New(quiet(Options{Settings: Settings{Turns: turns, Players: 1}, Autostart: true}))
	done := make(chan Ending)
	go func() { done <- m.Run(t.Context()) }()
	var posted atomic.Int64
	var flood sync.WaitGroup
	for range senders {
		flood.Go(func() {
			for m.ask(func() { // returns when there is more mail
				for len(m.mail) == 0 && posted.Load() < limit {
					runtime.Gosched()
				}
			}) && posted.Add(1) < limit {
			}
		})
	}
	s := newSeat(always(0))
	if _, err := m.Join(s, Candidate{Role: Player, Nickname: "bot"}); err != nil {
		t.Fatal(err)
	}
	if e := <-done; e.Err != nil || e.Steps != turns {
		t.Errorf("the match ended with %+v", e)
	}
	flood.Wait()
	s.bot.Wait()
	if n := posted.Load(); n >= limit {
		t.Errorf("the match went on only after the flood, after %d events", n)
	}
}
