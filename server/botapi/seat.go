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
	Log       zerolog.Logger
}

const silence = 10 * time.Second

// Seat lets a peer play in one match. It implements match.Seat: what the match
// says is noted, and [Seat.Serve] passes it on.
type Seat struct {
	peer *Peer
	opts Options
	note chan struct{} // there is something new

	mu   sync.Mutex // guards news
	news news
}

// news is what the match has said and Serve has not heard yet.
type news struct {
	place   *match.Place
	started *match.Frame
	id      engine.PlayerID
	newest  *match.Frame // of those offered
	parted  error        // why the match says goodbye
	deaf    bool         // nobody will hear
}

// NewSeat makes a seat for a peer, which it owns from then on. Serve has to be
// called, whether the seat joins a match or not.
func NewSeat(p *Peer, o Options) *Seat {
	if o.Silence == 0 {
		o.Silence = silence
	}
	return &Seat{peer: p, opts: o, note: make(chan struct{}, 1)}
}

// Candidate is how the seat asks to join.
func (s *Seat) Candidate() match.Candidate {
	return match.Candidate{Role: match.Player, Nickname: s.peer.Name, Remote: s.peer.Address}
}

// Welcome implements match.Seat.
func (s *Seat) Welcome(p *match.Place) { s.tell(func(n *news) { n.place = p }) }

// Begin implements match.Seat.
func (s *Seat) Begin(f *match.Frame, id engine.PlayerID) {
	s.tell(func(n *news) {
		f.Retain()
		n.started, n.id = f, id
	})
}

// Offer implements match.Seat. A frame that was not passed on yet gives way.
func (s *Seat) Offer(f *match.Frame) {
	s.tell(func(n *news) {
		if n.newest != nil {
			n.newest.Release()
		}
		f.Retain()
		n.newest = f
	})
}

// Kick implements match.Seat.
func (s *Seat) Kick(reason error) { s.tell(func(n *news) { n.parted = reason }) }

func (s *Seat) tell(what func(*news)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.news.deaf {
		return
	}
	what(&s.news)
	select {
	case s.note <- struct{}{}:
	default:
	}
}

// take takes what is new. The frames are the caller's to release.
func (s *Seat) take() news {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.news
	s.news.started, s.news.newest = nil, nil
	return n
}

// deafen ends it: what the match says from now on is dropped.
func (s *Seat) deafen() {
	s.mu.Lock()
	s.news.deaf = true
	n := s.news
	s.news.started, s.news.newest = nil, nil
	s.mu.Unlock()
	n.release()
}

func (n *news) release() {
	for _, f := range []*match.Frame{n.started, n.newest} {
		if f != nil {
			f.Release()
		}
	}
}
