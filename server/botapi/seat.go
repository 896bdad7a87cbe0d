package botapi

import (
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// Options are how a peer is treated.
type Options struct {
	Heartbeat time.Duration // between signs of life that are asked for
	Silence   time.Duration // how long who is not asked for a move may owe one; 0: 10 s
	Patience  time.Duration // what a peer without a clock is told that it has; 0: nothing
	Grace     time.Duration // how long a peer whose connection broke may take to come back; 0: it has left at once
	// Presence is called when the peer's connection is lost, and when it is back; it may be nil.
	Presence func(connected bool)
	Log      zerolog.Logger
}

const defaultSilence = 10 * time.Second

// Seat lets a peer play in one match. It implements match.Seat: what the match
// says is noted, and [Seat.Serve] passes it on.
type Seat struct {
	peer    *Peer
	opts    Options
	changed chan struct{} // there is something new

	reconnected chan *Peer    // who comes back, until Serve is over
	presence    chan bool     // whether the other side is connected, the newest
	served      chan struct{} // closed when Serve is over, or by Close

	mu      sync.Mutex // guards news
	pending pendingUpdates
}

// news is what the match has said and Serve has not heard yet.
type pendingUpdates struct {
	place      *match.Place
	started    *match.Frame
	id         engine.PlayerID
	newest     *match.Frame // of those offered
	kickReason error        // why the match says goodbye
	closed     bool         // nobody will hear
}

// NewSeat makes a seat for a peer, which it owns from then on. Serve has to be
// called, whether the seat joins a match or not.
func NewSeat(p *Peer, o Options) *Seat {
	if o.Silence == 0 {
		o.Silence = defaultSilence
	}
	return &Seat{peer: p, opts: o, changed: make(chan struct{}, 1), reconnected: make(chan *Peer), presence: make(chan bool, 1), served: make(chan struct{})}
}

// Return hands over the connection of a peer that comes back, in place of the one that
// it had. It is false, and the peer still the caller's, when the seat is over.
func (s *Seat) Reconnect(p *Peer) bool {
	select {
	case s.reconnected <- p:
		return true
	case <-s.served:
		return false
	}
}

// Close gives up a seat that the match refused, in place of Serve, and its peer.
func (s *Seat) Close() {
	close(s.served)
	s.peer.Close()
}

// ShowPresence tells a peer that wants to know whether the other side is connected.
func (s *Seat) ShowPresence(connected bool) {
	select {
	case <-s.presence: // an older one
	default:
	}
	select {
	case s.presence <- connected:
	default: // another one was faster, and as new
	}
}

// Candidate is how the seat asks to join.
func (s *Seat) Candidate() match.Candidate {
	return match.Candidate{Role: match.Player, Nickname: s.peer.Name, Remote: s.peer.Address}
}

// Welcome implements match.Seat.
func (s *Seat) Welcome(p *match.Place) { s.update(func(n *pendingUpdates) { n.place = p }) }

// Begin implements match.Seat.
func (s *Seat) Begin(f *match.Frame, id engine.PlayerID) {
	s.update(func(n *pendingUpdates) {
		f.Retain()
		n.started, n.id = f, id
	})
}

// Offer implements match.Seat. A frame that was not passed on yet gives way.
func (s *Seat) Offer(f *match.Frame) {
	s.update(func(n *pendingUpdates) {
		if n.newest != nil {
			n.newest.Release()
		}
		f.Retain()
		n.newest = f
	})
}

// Kick implements match.Seat.
func (s *Seat) Kick(reason error) { s.update(func(n *pendingUpdates) { n.kickReason = reason }) }

func (s *Seat) update(what func(*pendingUpdates)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pending.closed {
		return
	}
	what(&s.pending)
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// take takes what is new. The frames are the caller's to release.
func (s *Seat) takePending() pendingUpdates {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.pending
	s.pending.started, s.pending.newest = nil, nil
	return n
}

// deafen ends it: what the match says from now on is dropped.
func (s *Seat) stopUpdates() {
	s.mu.Lock()
	s.pending.closed = true
	n := s.pending
	s.pending.started, s.pending.newest = nil, nil
	s.mu.Unlock()
	n.release()
}

func (n *pendingUpdates) release() {
	for _, f := range []*match.Frame{n.started, n.newest} {
		if f != nil {
			f.Release()
		}
	}
}
