package hive

import (
	"net/http"
	"sync"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/match"
)

// Bounds on the spectators of a game. A slow spectator misses boards, the oldest first, and
// gets the newest one.
const (
	maxSpectators = 1000
	maxBehind     = 16
)

// stage shows a game to its spectators. It implements match.Watcher.
type stage struct {
	mu       sync.Mutex // guards all below
	moves    int
	setup    []byte // with the board as it is now; nil before the start
	end      []byte // nil before the end
	closed   bool   // nothing comes any more
	audience map[chan []byte]struct{}
}

func newStage() *stage { return &stage{audience: map[chan []byte]struct{}{}} }

// Joined implements match.Watcher.
func (s *stage) Joined(match.SeatInfo, match.Role) {}

// Left implements match.Watcher.
func (s *stage) Left(match.SeatInfo, match.Role) {}

// Ended implements match.Watcher.
func (s *stage) Ended(*match.Ending) { s.close() }

// Started implements match.Watcher.
func (s *stage) Started(f *match.Frame) {
	if p, err := botapi.ReadPosition(f.State); err == nil { // the state is ours
		s.show(p, p.Setup())
	}
}

// Played implements match.Watcher.
func (s *stage) Played(play *match.Play) {
	p, err := botapi.ReadPosition(play.Frame.State)
	if err != nil {
		return
	}
	if p.Moves > s.moves { // which Played alone changes
		s.moves = p.Moves
		s.show(p, p.Update())
	}
	if play.Frame.Moment == match.Ended {
		s.show(p, p.End())
	}
}

// show sends a packet to the spectators, and keeps what later ones need.
func (s *stage) show(p *botapi.Position, packet htttx.Packet) {
	text := packet.Append(nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setup = p.Setup().Append(nil)
	if _, over := packet.(htttx.End); over {
		s.end = text
	}
	for c := range s.audience {
		if len(c) == cap(c) {
			select {
			case <-c:
			default: // it was read just now
			}
		}
		c <- text
	}
}

// close closes the channels of all spectators.
func (s *stage) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for c := range s.audience {
		close(c)
	}
	clear(s.audience)
}

// watch adds a spectator and returns a channel with the packets for it: what it missed as far as
// it matters, and all that follow. ok is false if there are too many spectators.
func (s *stage) watch() (c chan []byte, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.audience) >= maxSpectators {
		return nil, false
	}
	c = make(chan []byte, maxBehind)
	for _, text := range [][]byte{s.setup, s.end} {
		if text != nil {
			c <- text
		}
	}
	if s.closed {
		close(c)
	} else {
		s.audience[c] = struct{}{}
	}
	return c, true
}

func (s *stage) unwatch(c chan []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.audience, c)
}

const (
	gameNotFound = "game not found"
	noGame       = "the game was broken off"
	crowded      = "too many spectators"
)

func (h *Hive) spectate(w http.ResponseWriter, r *http.Request) {
	if !h.enter() {
		fail(w, http.StatusServiceUnavailable, errStopping.Error())
		return
	}
	defer h.leave()
	g := h.find(r.PathValue("id"))
	if g == nil {
		h.acceptor.Refuse(w, r, gameNotFound)
		return
	}
	c, ok := g.stage.watch()
	if !ok {
		h.acceptor.Refuse(w, r, crowded)
		return
	}
	defer g.stage.unwatch(c)
	v, err := h.acceptor.Viewer(w, r)
	if err != nil {
		return
	}
	defer v.Close()
	for {
		select {
		case text, more := <-c:
			if !more {
				if !g.stage.over() {
					v.Refuse(noGame)
				}
				return
			}
			if v.Send(text) != nil {
				return
			}
		case <-v.Gone():
			return
		}
	}
}

// over reports whether the game has ended.
func (s *stage) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end != nil
}
