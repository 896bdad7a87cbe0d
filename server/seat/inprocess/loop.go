// Package inprocess seats bots that are called in this process: they need no connection
// and no encoding, and are told and do the same as over a wire.
//
// A [Loop] calls the bots of its seats one after another. Bots that share one take no
// more than one core, which suits many matches at a time; a bot that may think for long
// gets a loop of its own, so that it delays no other.
package inprocess

import (
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// Loop calls bots, in the goroutine that calls Run.
type Loop struct {
	wake   chan struct{} // holds the news that a seat has something to do
	closed chan struct{}

	mu    sync.Mutex // guards all below, and the frames of the seats
	seats []*Seat
}

// NewLoop returns a loop without seats.
func NewLoop() *Loop {
	return &Loop{wake: make(chan struct{}, 1), closed: make(chan struct{})}
}

// Seat returns a seat for a bot, which is called once a match has taken the seat. limit
// bounds each turn of a bot that can be told so, in a game without a clock; 0: no bound.
func (l *Loop) Seat(bot netorcai.Bot, limit time.Duration) *Seat {
	if b, ok := bot.(interface{ SetLimit(time.Duration) }); ok && limit > 0 {
		b.SetLimit(limit)
	}
	return &Seat{loop: l, bot: bot}
}

// Run calls the bots until Close is called and all have seen what they were shown
// before.
func (l *Loop) Run() {
	for {
		select {
		case <-l.wake:
			l.round()
		case <-l.closed:
			l.round()
			return
		}
	}
}

// Close ends Run. It is called once, when the matches of all seats are over.
func (l *Loop) Close() { close(l.closed) }

// tell changes what there is to do.
func (l *Loop) tell(change func()) {
	l.mu.Lock()
	change()
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default: // Run will see it
	}
}

// round shows each bot what is new.
func (l *Loop) round() {
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
