package seating

import (
	"context"
	"sync"
)

// dismiss waits for all bots to end, and stops those that do not. After an abort they are stopped
// at once. Those that go on to run are released in the order of their seats, so that the match
// decides which are too many, and not which one was done first.
func (s *Seats) dismiss(ctx context.Context) {
	var all sync.WaitGroup
	for _, b := range s.list {
		if b.talked != nil || b.process() != nil {
			all.Go(func() { b.dismiss(ctx) })
		}
	}
	all.Wait()
	for _, b := range s.list {
		if b.process() == nil {
			continue
		}
		if r := s.processes.release(b); r != nil {
			all.Go(func() { s.processes.dismiss(ctx, r) })
		}
	}
	all.Wait()
}

// dismiss waits until a bot has ended by itself, or stops it. One that was dialled does not end
// by itself; it goes on to listen. One that stays waits for the next match.
func (b *Seat) dismiss(ctx context.Context) {
	if b.talked != nil {
		<-b.talked
	}
	proc := b.process()
	switch {
	case proc == nil:
	case b.talked == nil:
		if !b.waitsOn(ctx) {
			proc.Dismiss(ctx)
		}
	case ctx.Err() != nil:
		proc.Stop()
	}
}

// close closes the ports of bots, and returns when no bot is called and no conversation goes on any
// more.
func (s *Seats) close() {
	for _, b := range s.list {
		if b.port != nil {
			_ = b.port.Close()
		}
	}
	s.serving.Wait()
	s.bots.Close()
}
