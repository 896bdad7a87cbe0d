package server

import (
	"context"
	"fmt"

	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
)

// stage holds the match that is played, until another is.
type stage struct {
	*match.Match
	left chan struct{} // closed when the next match is there, or will never be
}

func (s *Server) enact(m *match.Match) { s.stage.Store(&stage{m, make(chan struct{})}) }

// Match is the match that is played here.
func (s *Server) Match() *match.Match { return s.stage.Load().Match }

// play plays one match after another, until there is no other or ctx ends. A
// match that fails ends itself and nothing else.
func (s *Server) play(ctx context.Context) match.Ending {
	for {
		now := s.stage.Load()
		ending := now.Run(ctx)
		next := s.following(ctx, &ending)
		close(now.left)
		if next == nil {
			return ending
		}
	}
}

// following is the match after one that is over, nil if that was the last: also
// when it cannot be made, which is how the last one ended then.
func (s *Server) following(ctx context.Context, last *match.Ending) (next *match.Match) {
	if s.next == nil || ctx.Err() != nil || s.draining.Load() {
		return nil
	}
	if p := panics.Catch(func() { next = s.next(last) }); p != nil {
		panics.Logged(s.log, "Making the next match failed")(p)
		last.Err = fmt.Errorf("%w: %v", match.ErrFailed, p.Value)
	}
	if next != nil && !s.follow(next) {
		return nil
	}
	return next
}

// follow puts a match in the place of the one that is over, unless the server is
// being drained. Drain sees either both or neither, and not a match that is over
// while another begins.
func (s *Server) follow(m *match.Match) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining.Load() {
		return false
	}
	s.enact(m)
	return true
}

// Drain says that no match is to follow the one that is played, and whether that
// has started: else it is no loss to abort it.
func (s *Server) Drain() (started bool) {
	s.mu.Lock()
	s.draining.Store(true)
	now := s.Match()
	s.mu.Unlock()
	return now.Started()
}

// Join implements session.Door. Who comes between two matches waits for the
// next, which is a moment.
func (s *Server) Join(seat match.Seat, c match.Candidate) (*match.Place, error) {
	if s.admit != nil {
		if err := s.admit(&c); err != nil {
			return nil, err
		}
	}
	for {
		now := s.stage.Load()
		p, err := now.Join(seat, c)
		if err == nil {
			return p, nil
		}
		select {
		case <-now.Done():
		default:
			return nil, err
		}
		<-now.left
		if s.stage.Load() == now {
			return nil, err
		}
	}
}
