package match

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// However much mail comes, it does not put off a turn that is due.
func TestStormOfMail(t *testing.T) {
	const turns, senders, most = 20, 4, 100_000
	m := New(quiet(Options{Settings: Settings{Turns: turns, Players: 1}, Autostart: true}))
	done := make(chan Ending)
	go func() { done <- m.Run(t.Context()) }()
	var posted atomic.Int64
	var storm sync.WaitGroup
	for range senders {
		storm.Go(func() {
			for m.ask(func() { // keeps the match until there is more mail
				for len(m.mail) == 0 && posted.Load() < most {
					runtime.Gosched()
				}
			}) && posted.Add(1) < most {
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
	storm.Wait()
	s.bot.Wait()
	if n := posted.Load(); n >= most {
		t.Errorf("the match went on when the storm was over, after %d pieces of mail", n)
	}
}
