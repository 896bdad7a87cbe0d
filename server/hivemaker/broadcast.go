package hivemaker

import (
	"net/http"
	"slices"
	"sync"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/match"
)

// maxQueued is the number of packets that are kept for slow spectators. A slower one misses boards,
// the oldest first, and gets the newest one.
const maxQueued = 16

// encoded is a packet in its JSON form.
type encoded []byte

// Append implements htttx.Packet.
func (e encoded) Append(dst []byte) []byte { return append(dst, e...) }

// broadcast sends a game to its spectators. It implements match.Watcher.
type broadcast struct {
	match.BaseWatcher
	mu      sync.Mutex // guards the fields below
	moves   int
	setup   encoded        // with the current board; nil before the start
	newest  []htttx.Packet // that were sent last, at most maxQueued
	sent    int            // packets so far
	ended   bool           // the last packet tells of the end
	changed chan struct{}  // closed and replaced after each packet; nil when no more follow
}

func newBroadcast() *broadcast { return &broadcast{changed: make(chan struct{})} }

// Ended implements match.Watcher.
func (s *broadcast) Ended(*match.Ending) { s.close() }

// Started implements match.Watcher.
func (s *broadcast) Started(f *match.Frame) {
	if p, err := botapi.PositionOf(f); err == nil { // the state is this server's own
		s.show(p, p.Setup())
	}
}

// Played implements match.Watcher.
func (s *broadcast) Played(play *match.Play) {
	p, err := botapi.PositionOf(play.Frame)
	if err != nil {
		return
	}
	if p.Moves > s.moves { // only Played changes s.moves
		s.moves = p.Moves
		s.show(p, p.Update())
	}
	if play.Frame.Moment == match.Ended {
		s.show(p, p.End())
	}
}

// show sends a packet to the spectators, and keeps what later ones need.
func (s *broadcast) show(p *botapi.Position, packet htttx.Packet) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setup = p.Setup().Append(nil)
	s.newest = append(s.newest[max(0, len(s.newest)+1-maxQueued):], encoded(packet.Append(nil)))
	s.sent++
	_, s.ended = packet.(htttx.End)
	close(s.changed)
	s.changed = make(chan struct{})
}

// close tells the spectators that no more packets follow.
func (s *broadcast) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// since returns the packets that follow the first n, and their number with these. Below 0, n stands
// for a new spectator, which gets the current board, and the end if the game is over. changed is
// closed when there is more; it is nil if no more packets follow.
func (s *broadcast) since(n int) (packets []htttx.Packet, sent int, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	packets = s.newest[max(0, len(s.newest)-(s.sent-n)):]
	if n < 0 && s.setup != nil {
		packets = []htttx.Packet{s.setup}
		if s.ended {
			packets = append(packets, s.newest[len(s.newest)-1])
		}
	}
	packets = slices.Clone(packets)
	if s.changed == nil && !s.ended {
		packets = append(packets, htttx.Nope{Reason: gameAborted})
	}
	return packets, s.sent, s.changed
}

const (
	gameNotFound = "game not found"
	gameAborted  = "the game was broken off"
)

// spectate shows a game to a spectator.
func (h *Server) spectate(w http.ResponseWriter, r *http.Request) {
	g := h.find(r.PathValue("id"))
	if g == nil {
		h.acceptor.Refuse(w, r, gameNotFound)
		return
	}
	// before it is accepted, so that it sees all that follows
	packets, sent, changed := g.broadcast.since(-1)
	v, err := h.acceptor.AcceptViewer(w, r)
	if err != nil {
		return
	}
	defer v.Close()
	for {
		for _, p := range packets {
			if v.Send(p) != nil {
				return
			}
		}
		if changed == nil || !v.Idle(changed) {
			return
		}
		packets, sent, changed = g.broadcast.since(sent)
	}
}
