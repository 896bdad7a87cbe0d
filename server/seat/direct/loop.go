package direct

import (
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/machine/processors"
)

// loop calls the bots of its seats one after another, in the goroutine that calls run. Bots that
// share one take no more than one core, which suits many matches at a time; a bot that may think
// for long gets a loop to itself, so that it delays no other.
type loop struct {
	wake   chan struct{} // holds the news that a seat has something to do
	closed chan struct{}

	mu    sync.Mutex // guards all below, and the frames of the seats
	seats []*Seat
}

// newLoop returns a loop without seats.
func newLoop() *loop {
	return &loop{wake: make(chan struct{}, 1), closed: make(chan struct{})}
}

// seat returns a seat for a bot, which is called once a match has taken the seat. limit
// bounds each turn of a bot that can be told so, in a game without a clock; 0: no bound.
func (l *loop) seat(bot netorcai.Bot, limit time.Duration) *Seat {
	if b, ok := bot.(interface{ SetLimit(time.Duration) }); ok && limit > 0 {
		b.SetLimit(limit)
	}
	return &Seat{loop: l, bot: bot}
}

// run calls the bots until close is called and all have seen what they were shown
// before.
func (l *loop) run() {
	defer processors.Use()()
	for {
		select {
		case <-l.wake:
			processors.WakeMonitor()
			l.round()
		case <-l.closed:
			l.round()
			return
		}
	}
}

// close ends run. It is called once, when the matches of all seats are over.
func (l *loop) close() { close(l.closed) }

// tell changes what there is to do.
func (l *loop) tell(change func()) {
	l.mu.Lock()
	change()
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default: // run will see it
	}
}

// round shows each bot what is new.
func (l *loop) round() {
	for i := 0; ; i++ {
		l.mu.Lock()
		if i >= len(l.seats) {
			l.mu.Unlock()
			return
		}
		s := l.seats[i]
		start, newest := s.start, s.newest
		s.start, s.newest = nil, nil
		l.mu.Unlock()
		s.show(start)
		s.show(newest)
	}
}
