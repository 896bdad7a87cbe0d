package seating

import (
	"time"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat/process"
)

// Joined implements match.Watcher.
func (s *Seats) Joined(info match.SeatInfo, _ match.Role) { s.joined(info) }

// Left implements match.Watcher.
func (s *Seats) Left(info match.SeatInfo, role match.Role) {
	s.mu.Lock()
	settled, b := s.settled, s.holding(info.Remote)
	if settled && b != nil && b.returns == nil && b.thrownOut(result.Departure{Reason: info.Reason}) {
		s.printed.Done(b.Label)
	}
	s.mu.Unlock()
	if d, left := s.account.Departure(info.Remote); settled && b != nil && left && !d.HungUp() {
		b.note("removed from the match: " + d.Reason)
		if r := b.running.Load(); r != nil {
			r.noteNoMessage(d.Reason, b.Argument)
		}
	}
	if settled && role != match.Visualization {
		return
	}
	s.Release(info.Remote)
	s.room.Freed()
}

// Started implements match.Watcher.
func (s *Seats) Started(f *match.Frame) { s.settle(f.Table.Seats) }

// Played implements match.Watcher. The account of the match is told before.
func (s *Seats) Played(p *match.Play) {
	for _, refused := range s.account.Explained() {
		s.noteRefused(refused)
	}
	if p.Frame.Moment == match.Ended {
		s.notePlayed()
	}
}

// noteRefused adds to the output of a started bot why an action of it was refused.
func (s *Seats) noteRefused(refused result.Explained) {
	for _, b := range s.list {
		if b.remote != "" && s.account.Player(b.remote) == refused.Player {
			b.note("refused, " + refused.Reason + ": " + refused.Why)
		}
	}
}

// note adds a line to the output of a bot if it was started.
func (b *Seat) note(line string) {
	if proc := b.process(); proc != nil {
		proc.Note(line)
	}
}

// notePlayed notes that all bots that have not left have played to the end.
func (s *Seats) notePlayed() {
	for _, b := range s.list {
		if _, left := s.account.Departure(b.remote); !left {
			s.printed.Done(b.Label)
		}
	}
}

// Ended implements match.Watcher. It waits for the last words of bots that have crashed, so that
// the recording, which is told later, has them.
func (s *Seats) Ended(*match.Ending) {
	var late <-chan time.Time
	for _, proc := range s.crashing() {
		if late == nil {
			late = time.After(settleTime)
		}
		select {
		case <-proc.Done():
		case <-late:
			return
		}
	}
}

// crashing notes which bots have played to the end, and returns the processes of those that have
// hung up before: they have ended or are about to. The caller waits for them without mu, which
// logins need.
func (s *Seats) crashing() (list []*process.Process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notePlayed()
	for _, b := range s.list {
		d, left := s.account.Departure(b.remote)
		if proc := b.process(); proc != nil && left && d.HungUp() {
			list = append(list, proc)
		}
	}
	return list
}

// settleTime is the time to wait for what a bot whose process is gone, or about to be, has
// sent or printed: it may still be on its way.
const settleTime = 100 * time.Millisecond
