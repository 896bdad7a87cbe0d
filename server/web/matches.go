package web

import (
	"errors"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hexarena/hexarena/server/feed"
)

// Match is one match that a server shows. The feed's id names it, and is no other's.
type Match struct {
	Feed    *feed.Feed
	Map     []byte       // the map's JSON; nil if none is known
	Start   func() error // the operator's start; nil: the match starts by itself
	Fill    func() error // has bots take the free seats; nil: there are none
	Again   func() error // once it is over, has the same seats play once more; nil: they do not
	Players http.Handler // takes players in over WebSocket; nil: they do not come this way
}

// Bounds of what is kept. The oldest go first, and the current match last.
const (
	maxMatches  = 1000 // in all
	maxFinished = 12   // that are over
	// mostHistories and historiesShare bound the bytes of the histories of those, but for
	// the newest, which stays whatever its size. With a match that is played, and games
	// made by request, histories take three eighths of the memory that the process
	// may use: an eighth each, see [feed.MaxBytes].
	mostHistories  = 64 << 20
	historiesShare = 16
)

// exhibit is a match as it is shown.
type exhibit struct {
	Match
	frames  frames
	looking chan struct{} // holds who works out a state
	fresh   atomic.Bool   // there is something new that viewers were not woken for
	deaf    func()        // stops hearing of news
	counted bool          // its result is in the table; guarded by the hall

	viewers map[*viewer]struct{} // guarded by the crowd
	// audience is how many these are. Without any, the match wakes nobody.
	audience atomic.Int32
	told     int // how many they are, as they know; of crowd.run
}

// hall is all matches that are kept.
type hall struct {
	mu      sync.Mutex // guards all below
	matches []*exhibit // the oldest first
	current *exhibit   // nil: none
	table   table
}

// Show adds a match and makes it the current one, which all look at who asked
// for no other.
func (s *Server) Show(m Match) {
	x := s.add(m)
	s.hall.mu.Lock()
	s.hall.current = x
	dropped := s.hall.trim()
	s.hall.mu.Unlock()
	s.drop(dropped)
	s.crowd.call()
}

// Add adds a match for those who ask for it by its id.
func (s *Server) Add(m Match) { s.add(m) }

func (s *Server) add(m Match) *exhibit {
	x := &exhibit{Match: m, looking: make(chan struct{}, 1), viewers: map[*viewer]struct{}{}}
	x.deaf = m.Feed.Listen(func() {
		if x.audience.Load() == 0 { // who comes later looks by itself
			return
		}
		x.fresh.Store(true)
		notify(s.crowd.news)
	})
	s.hall.mu.Lock()
	s.hall.matches = append(s.hall.matches, x)
	dropped := s.hall.trim()
	s.hall.mu.Unlock()
	s.drop(dropped)
	return x
}

// enter and exit are for those who look at the match. The crowd's lock is held.
func (x *exhibit) enter(v *viewer) {
	x.viewers[v] = struct{}{}
	x.audience.Store(int32(len(x.viewers)))
}

func (x *exhibit) exit(v *viewer) {
	delete(x.viewers, v)
	x.audience.Store(int32(len(x.viewers)))
}

// trim forgets what is beyond the bounds, and returns it. The caller holds the lock.
func (h *hall) trim() (dropped []*exhibit) {
	h.harvest()
	most := int(min(mostHistories, debug.SetMemoryLimit(-1)/historiesShare))
	finished, size, excess := 0, 0, len(h.matches)-maxMatches
	drop := make([]bool, len(h.matches))
	for i, x := range slices.Backward(h.matches) {
		if phase, _ := x.Feed.Status(); phase == feed.Over {
			finished++
			size += x.Feed.Size()
			drop[i] = finished > maxFinished || finished > 1 && size > most
		}
	}
	var kept []*exhibit
	for i, x := range h.matches {
		if x != h.current && (drop[i] || i < excess) {
			dropped = append(dropped, x)
			continue
		}
		kept = append(kept, x)
	}
	h.matches = kept
	return dropped
}

// drop frees what is kept of matches, also for those who look at them.
func (s *Server) drop(matches []*exhibit) {
	for _, x := range matches {
		x.deaf()
		x.Feed.Release()
		s.crowd.dropped(x)
	}
}

// harvest puts the results of all that are over into the table. The caller holds
// the lock.
func (h *hall) harvest() {
	for _, x := range h.matches {
		if x.counted {
			continue
		}
		if b := x.Feed.Brief(); b.Phase == feed.Over {
			x.counted = true
			h.table.add(&b)
		}
	}
}

// now is the current match, nil if there is none.
func (h *hall) now() *exhibit {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.current
}

// each calls do for every match.
func (h *hall) each(do func(*exhibit)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.matches {
		do(x)
	}
}

// recordings returns the names of the matches' recordings, and whether each is still
// being written.
func (h *hall) recordings() map[string]bool {
	running := map[string]bool{}
	h.each(func(x *exhibit) {
		if b := x.Feed.Brief(); b.Recording != "" {
			running[b.Recording] = b.Phase == feed.Playing
		}
	})
	return running
}

// list is all matches, the newest first.
func (h *hall) list() []*exhibit {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := slices.Clone(h.matches)
	slices.Reverse(list)
	return list
}

var (
	errNoMatch   = errors.New("there is no match yet")
	errForgotten = errors.New("there is no such match, or not any more")
)

// find is the match with an id; an empty one is that of the current match.
func (h *hall) find(id string) (*exhibit, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id == "" {
		if h.current == nil {
			return nil, errNoMatch
		}
		return h.current, nil
	}
	for _, x := range h.matches {
		if x.Feed.ID() == id {
			return x, nil
		}
	}
	return nil, errForgotten
}

// asked is the match that a request is about; without one, it is answered.
func (s *Server) asked(w http.ResponseWriter, r *http.Request) *exhibit {
	x, err := s.hall.find(r.URL.Query().Get("match"))
	if err != nil {
		fail(w, http.StatusNotFound, "%v", err)
	}
	return x
}

// listed is a match in the list of matches.
type listed struct {
	feed.Brief
	Current bool     `json:"current"`
	May     []string `json:"may"` // what whoever asks may do with it
}

func (s *Server) getMatches(w http.ResponseWriter, r *http.Request) {
	here, current := s.mayTry(r), s.hall.now()
	list := []listed{}
	for _, x := range s.hall.list() {
		l := listed{Brief: x.Feed.Brief(), Current: x == current, May: []string{}}
		if here && x.Start != nil && l.Phase == feed.Gathering {
			l.May = append(l.May, "start")
		}
		if here && x.Fill != nil && l.Phase == feed.Gathering {
			l.May = append(l.May, "fill")
		}
		if x.Players != nil && l.Phase == feed.Gathering {
			l.May = append(l.May, "join")
		}
		if here && x.Again != nil && l.Current && l.Phase == feed.Over {
			l.May = append(l.May, "again")
		}
		list = append(list, l)
	}
	answer(w, http.StatusOK, list)
}

func (s *Server) getTable(w http.ResponseWriter, _ *http.Request) {
	s.hall.mu.Lock()
	s.hall.harvest()
	rows := s.hall.table.rows()
	s.hall.mu.Unlock()
	answer(w, http.StatusOK, rows)
}
