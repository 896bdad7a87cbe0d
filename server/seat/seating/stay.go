package seating

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat/process"
)

// stayer is the client of a started bot that asked to stay. Between matches its process goes on to
// run, and its connection is open; the next room with a seat of that label seats both as they are.
type stayer struct {
	seat      match.Seat
	candidate match.Candidate
	gone      string        // why the connection is over; "": it is not
	tried     chan struct{} // closed when the bot has got its seat or none; nil: it gets none now
}

// Keep makes a client whose match is over wait for the next one, if it is a started bot that may
// stay. ours is whether it has one of these seats.
func (s *Seats) Keep(one match.Seat, c match.Candidate) (ours, stays bool) {
	s.mu.Lock()
	b := s.holding(c.Remote)
	proven := b != nil && b.holder.proven
	s.mu.Unlock()
	ours = b != nil && b.mayStay()
	return ours, proven && ours && s.processes.keep(b, one, c)
}

// keep makes a bot's client wait. It reports false if no bot is to stay.
func (p *Processes) keep(b *Seat, one match.Seat, c match.Candidate) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := b.running.Load()
	if p.most == 0 || b.OneMatch || r == nil {
		return false
	}
	if r.stays == nil {
		r.stays = &stayer{seat: one, candidate: c}
		p.staying[one] = r
	}
	select {
	case r.waits <- struct{}{}:
	default: // it waits already
	}
	return true
}

// Forget tells that the connection of a client that stays is over. If it is just being given its
// seat, Forget returns when that is free again.
func (p *Processes) Forget(one match.Seat, reason string) {
	if tried := p.forget(one, reason); tried != nil {
		<-tried
	}
}

func (p *Processes) forget(one match.Seat, reason string) (tried <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.staying[one]
	if r == nil {
		return nil
	}
	r.stays.gone = reason
	delete(p.staying, one)
	return r.stays.tried
}

// lost returns why the connection of a bot that has stayed is over, "" if it is not.
func (p *Processes) lost(r *running) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return r.stays.gone
}

// errGone says that the connection of a bot that had stayed is over.
var errGone = errors.New("its connection is over")

// rejoin gives a bot that has stayed its seat. The error is [errGone] if its connection is over,
// and it is stopped. After another error, such as that the match has started, it waits for the next
// match.
func (b *Seat) rejoin(ctx context.Context, r *running) error {
	err := b.reseat(r)
	switch err {
	case nil:
		b.resumed = true
	case errGone:
		b.seats.processes.release(b)
		r.proc.Stop()
	default:
		b.waitAgain(ctx)
	}
	return err
}

// reseat gives a bot that has stayed its seat, unless its connection is over.
func (b *Seat) reseat(r *running) error {
	p := b.seats.processes
	if !p.begin(r) {
		return errGone
	}
	defer p.tried(r)
	c := r.stays.candidate
	place, err := b.join(r.stays.seat, c, &login{remote: c.Remote, proven: true, stays: true})
	gone := p.lost(r)
	switch {
	case gone == "":
		return err
	case err == nil: // its session may not know of the place
		place.Vacate(gone)
	}
	return errGone
}

// begin notes that a bot that has stayed is being given its seat. It returns false if its
// connection is over.
func (p *Processes) begin(r *running) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.stays.gone != "" {
		return false
	}
	r.stays.tried = make(chan struct{})
	return true
}

// tried notes that a bot has got its seat, or none.
func (p *Processes) tried(r *running) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(r.stays.tried)
	r.stays.tried = nil
}

// waitAgain makes a bot that has stayed, and has no seat in this match, wait for the next one.
func (b *Seat) waitAgain(ctx context.Context) {
	p := b.seats.processes
	surplus := p.release(b)
	b.running.Store(nil)
	if surplus != nil {
		p.dismiss(ctx, surplus)
	}
}

// waitsOn reports whether the client of a bot waits for the next match, once it has left this one:
// a client that owes an answer sends that first. It reports false if the process or its connection
// ends before that.
func (b *Seat) waitsOn(ctx context.Context) bool {
	if b.seats.processes.most == 0 || b.OneMatch || b.holder == nil || !b.holder.stays {
		return false
	}
	r, late := b.running.Load(), time.NewTimer(process.LeaveTime)
	defer late.Stop()
	select {
	case <-r.waits:
		return ctx.Err() == nil
	case <-r.proc.Done():
	case <-ctx.Done():
	case <-late.C:
	}
	return false
}

// surplus removes the bot that has stayed longest from those that are kept if they are too many,
// and returns it. The caller holds mu.
func (p *Processes) surplus() *running {
	staying, first := 0, -1
	for i, r := range p.kept {
		if r.stays == nil {
			continue
		}
		if staying++; first < 0 {
			first = i
		}
	}
	if staying <= p.most {
		return nil
	}
	r := p.kept[first]
	p.kept = append(p.kept[:first], p.kept[first+1:]...)
	return r
}

// Finish tells all bots that stay why there are no more matches, when all rooms are over. Close
// waits for them.
func (p *Processes) Finish(reason error) {
	p.mu.Lock()
	kept := slices.Clone(p.kept)
	p.mu.Unlock()
	for _, r := range kept {
		if r.stays != nil {
			r.stays.seat.Kick(reason)
		}
	}
}

// dismiss ends a bot that is not kept any more. One that stays is told, and has time to end by
// itself.
func (p *Processes) dismiss(ctx context.Context, r *running) {
	if r.stays == nil {
		r.proc.Stop()
		return
	}
	if p.lost(r) == "" {
		r.stays.seat.Kick(match.ErrFinished)
	}
	r.proc.Dismiss(ctx)
}
