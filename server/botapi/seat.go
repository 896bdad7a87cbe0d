package botapi

import (
	"cmp"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/match"
)

// Options configure a seat.
type Options struct {
	Heartbeat time.Duration // interval between pings; 0: 5 s, as on Hivemaker's server
	// how long a peer without an open request may leave a ping unanswered; 0: 10 s
	Silence  time.Duration
	Patience time.Duration // time limit that a peer is told for a move without a clock; 0: none
	// how long a peer whose connection broke may take to reconnect; 0: it has left at once
	Grace time.Duration
	// Lobby says that others may take the seat until the match starts: the grace period then begins
	// before the start as well, and a person may give the seat up. Otherwise a peer has until the
	// start, and the period from then on.
	Lobby bool
	// Presence is called when the peer disconnects and when it reconnects; may be nil.
	Presence func(connected bool)
	// Absent reports whether the other side could not be connected; may be nil.
	Absent func() bool
	Log    zerolog.Logger
}

const (
	defaultHeartbeat = 5 * time.Second
	defaultSilence   = 10 * time.Second
)

// Seat connects a peer to one match. It implements match.Seat: its methods store
// the match's updates, and [Seat.Serve] sends them to the peer.
type Seat struct {
	peer    *Peer
	opts    Options
	changed chan struct{} // pending has changed

	reconnected chan *Peer    // a new connection of the peer, until Serve returns
	presence    chan bool     // the newest state of the other side: connected or not
	served      chan struct{} // closed when Serve has returned, or by Close

	mu      sync.Mutex // guards pending
	pending pendingUpdates
}

// pendingUpdates holds the match's updates that Serve has not handled yet.
type pendingUpdates struct {
	place      *match.Place
	started    *match.Frame
	id         engine.PlayerID
	newest     *match.Frame // of the offered frames
	kickReason error        // why the match is over for the peer
	closed     bool         // further updates are dropped
}

// NewSeat returns a seat for a peer, which the seat owns from then on. The caller
// must call Serve or Close.
func NewSeat(p *Peer, o Options) *Seat {
	o.Heartbeat, o.Silence = cmp.Or(o.Heartbeat, defaultHeartbeat), cmp.Or(o.Silence, defaultSilence)
	return &Seat{
		peer: p, opts: o, changed: make(chan struct{}, 1), reconnected: make(chan *Peer),
		presence: make(chan bool, 1), served: make(chan struct{}),
	}
}

// Reconnect replaces the connection of the seat's peer. If the seat is no longer
// served, it returns false and p still belongs to the caller.
func (s *Seat) Reconnect(p *Peer) bool {
	select {
	case s.reconnected <- p:
		return true
	case <-s.served:
		return false
	}
}

// Close closes a seat that the match refused, and its peer. It is called instead of Serve.
func (s *Seat) Close() {
	close(s.served)
	s.peer.Close()
}

// Refuse is Close that tells the peer the reason first.
func (s *Seat) Refuse(reason string) {
	close(s.served)
	s.peer.Refuse(reason)
}

// TakesAnyBoard reports whether the seat's peer accepts initial boards other than one cross at the
// origin.
func (s *Seat) TakesAnyBoard() bool { return s.peer.TakesAnyBoard() }

// SetPatience changes the patience of the options. It must not be called once Serve is.
func (s *Seat) SetPatience(d time.Duration) { s.opts.Patience = d }

// ShowPresence tells the peer, if it asked for that, whether the other side is connected.
func (s *Seat) ShowPresence(connected bool) {
	select {
	case <-s.presence: // an older state
	default:
	}
	select {
	case s.presence <- connected:
	default: // a concurrent call stored its state first
	}
}

// Candidate returns the candidate as which the seat joins a match.
func (s *Seat) Candidate() match.Candidate {
	return match.Candidate{
		Role: match.Player, Nickname: s.peer.Name, Remote: s.peer.Address, Person: s.opts.Lobby,
	}
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

// Offer implements match.Seat. It replaces a frame that has not been sent yet.
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

// takePending returns the pending updates. The caller has to release the frames.
func (s *Seat) takePending() pendingUpdates {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.pending
	s.pending.started, s.pending.newest = nil, nil
	return n
}

// place returns the seat's place in its match, or nil. Serve may not have handled it yet.
func (s *Seat) place() *match.Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending.place
}

// newest returns the pending position, or nil. Serve shows it later, but only to the side to move.
func (s *Seat) newest() (p *Position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.pending.newest; f != nil {
		p, _ = PositionOf(f) // Serve reports the error
	}
	return p
}

// stopUpdates drops the pending updates and all further ones.
func (s *Seat) stopUpdates() {
	s.update(func(n *pendingUpdates) { n.closed = true })
	n := s.takePending()
	n.release()
}

func (n *pendingUpdates) release() {
	for _, f := range []*match.Frame{n.started, n.newest} {
		if f != nil {
			f.Release()
		}
	}
}
