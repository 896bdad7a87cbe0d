package hivemaker

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
	maxQueued     = 16
)

// broadcast sends a game to its spectators. It implements match.Watcher.
type broadcast struct {
	match.BaseWatcher
	mu          sync.Mutex // guards the fields below
	moves       int
	setup       []byte // with the current board; nil before the start
	end         []byte // nil before the end
	closed      bool   // no packets follow
	subscribers map[chan []byte]struct{}
}

func newBroadcast() *broadcast { return &broadcast{subscribers: map[chan []byte]struct{}{}} }

// Ended implements match.Watcher.
func (s *broadcast) Ended(*match.Ending) { s.close() }

// Started implements match.Watcher.
func (s *broadcast) Started(f *match.Frame) {
	if p, err := botapi.ReadPosition(f.State); err == nil { // the state is this server's own
		s.show(p, p.Setup())
	}
}

// Played implements match.Watcher.
func (s *broadcast) Played(play *match.Play) {
	p, err := botapi.ReadPosition(play.Frame.State)
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
	text := packet.Append(nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setup = p.Setup().Append(nil)
	if _, over := packet.(htttx.End); over {
		s.end = text
	}
	for c := range s.subscribers {
		if len(c) == cap(c) {
			select {
			case <-c:
			default: // the spectator has just read
			}
		}
		c <- text
	}
}

// close closes the channels of all spectators.
func (s *broadcast) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for c := range s.subscribers {
		close(c)
	}
	clear(s.subscribers)
}

// subscribe adds a spectator and returns the channel of its packets: the current board, the end
// if the game is over, and all packets that follow. ok is false if there are too many spectators.
func (s *broadcast) subscribe() (c chan []byte, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.subscribers) >= maxSpectators {
		return nil, false
	}
	c = make(chan []byte, maxQueued)
	for _, text := range [][]byte{s.setup, s.end} {
		if text != nil {
			c <- text
		}
	}
	if s.closed {
		close(c)
	} else {
		s.subscribers[c] = struct{}{}
	}
	return c, true
}

func (s *broadcast) unsubscribe(c chan []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.subscribers, c)
}

const (
	gameNotFound      = "game not found"
	gameAborted       = "the game was broken off"
	tooManySpectators = "too many spectators"
)

func (h *Server) spectate(w http.ResponseWriter, r *http.Request) {
	if !h.beginRequest() {
		writeError(w, http.StatusServiceUnavailable, errStopping.Error())
		return
	}
	defer h.endRequest()
	g := h.find(r.PathValue("id"))
	if g == nil {
		h.acceptor.Refuse(w, r, gameNotFound)
		return
	}
	c, ok := g.broadcast.subscribe()
	if !ok {
		h.acceptor.Refuse(w, r, tooManySpectators)
		return
	}
	defer g.broadcast.unsubscribe(c)
	v, err := h.acceptor.AcceptViewer(w, r)
	if err != nil {
		return
	}
	defer v.Close()
	for {
		select {
		case text, more := <-c:
			if !more {
				if !g.broadcast.over() {
					v.Refuse(gameAborted)
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
func (s *broadcast) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end != nil
}
