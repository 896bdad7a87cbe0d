package host

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

func (h *Host) enact(m *match.Match) { h.stage.Store(&stage{m, make(chan struct{})}) }

// Match is the match that is played here.
func (h *Host) Match() *match.Match { return h.stage.Load().Match }

// play plays one match after another, until there is no other or ctx ends. A
// match that fails ends itself and nothing else.
func (h *Host) play(ctx context.Context) match.Ending {
	for {
		now := h.stage.Load()
		ending := now.Run(ctx)
		next := h.following(ctx, &ending)
		close(now.left)
		if next == nil {
			return ending
		}
	}
}

// following is the match after one that is over, nil if that was the last: also
// when it cannot be made, which is how the last one ended then.
func (h *Host) following(ctx context.Context, last *match.Ending) (next *match.Match) {
	if h.next == nil || ctx.Err() != nil || h.draining.Load() {
		return nil
	}
	if p := panics.Catch(func() { next = h.next(last) }); p != nil {
		panics.Logged(h.log, "Making the next match failed")(p)
		last.Err = fmt.Errorf("%w: %v", match.ErrFailed, p.Value)
	}
	if next != nil && !h.follow(next) {
		return nil
	}
	return next
}

// follow puts a match in the place of the one that is over, unless the server is
// being drained. Drain sees either both or neither, and not a match that is over
// while another begins.
func (h *Host) follow(m *match.Match) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.draining.Load() {
		return false
	}
	h.enact(m)
	return true
}

// Drain says that no match is to follow the one that is played, and whether that
// has started: else it is no loss to abort it.
func (h *Host) Drain() (started bool) {
	h.mu.Lock()
	h.draining.Store(true)
	now := h.Match()
	h.mu.Unlock()
	return now.Started()
}

// Join implements session.Door. Who comes between two matches waits for the
// next, which is a moment.
func (h *Host) Join(seat match.Seat, c match.Candidate) (*match.Place, error) {
	if h.admit != nil {
		if err := h.admit(&c); err != nil {
			return nil, err
		}
	}
	for {
		now := h.stage.Load()
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
		if h.stage.Load() == now {
			return nil, err
		}
	}
}
