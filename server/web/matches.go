package web

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
)

// Match is one match that a server shows, identified by its feed's id.
type Match struct {
	Feed  *feed.Feed
	Map   []byte       // the map in JSON; may be nil
	Start func() error // starts the match for the operator; nil if it starts by itself
	Fill  func() error // lets bots take the free seats; nil if there are no bots
	// ends the match early and plays again with the same seats; nil if not possible
	Restart func() error
	Again   func() error      // after the end, plays again with the same seats; nil if not possible
	Players http.Handler      // lets players join over WebSocket; nil if they cannot
	ForPage bool              // whether bots that are written in the page have seats among them
	People  http.Handler      // lets people play at the page; nil if they cannot
	Invites func() bool       // reports whether such a person would get a seat now; set if People is
	Held    func() match.Held // why it plays no turn now; may be nil
}

// Limits on what is kept. The oldest match is dropped first, the current one last.
const (
	maxMatches  = 1000 // in all
	maxFinished = 12   // finished ones
	// maxHistories and historiesShare limit the size in bytes of the histories of finished
	// matches, except the newest one, which is always kept. Together with a running match and
	// games on request, histories take three eighths of the memory limit: an eighth each, see
	// [feed.MaxBytes].
	maxHistories   = 64 << 20
	historiesShare = 16
)

// entry is a match in the list.
type entry struct {
	Match
	frames      frames
	stateSem    semaphore   // held while a state is computed
	hasNews     atomic.Bool // there are events for which viewers were not woken
	unsubscribe func()      // stops the feed's notifications

	viewers map[*viewer]struct{} // guarded by viewerSet.mu
	// audience is len(viewers). While it is 0, the match wakes no goroutine.
	audience  atomic.Int32
	announced int // the last announced number of viewers; belongs to viewerSet.run
}

// matchList holds the matches that are kept.
type matchList struct {
	first chan struct{} // closed when there is a current match

	mu      sync.Mutex // guards all below
	matches []*entry   // the oldest first
	current *entry     // may be nil
}

// firstMatchTime is the time that a request waits for the first match: a server has its page a
// moment before, and clients ask as soon as they can connect.
const firstMatchTime = time.Second

// awaitFirst waits until there is a current match, or for as long as a request may wait.
func (h *matchList) awaitFirst(ctx context.Context) {
	select {
	case <-h.first:
	case <-time.After(firstMatchTime):
	case <-ctx.Done():
	}
}

// Show adds a match and makes it the current one, which viewers see unless they ask for
// another one.
func (s *Server) Show(m Match) {
	s.add(m, true)
	s.viewers.notifyFollowers()
}

// Add adds a match that viewers see only if they ask for its id.
func (s *Server) Add(m Match) { s.add(m, false) }

func (s *Server) add(m Match, current bool) {
	x := &entry{Match: m, stateSem: make(semaphore, 1), viewers: map[*viewer]struct{}{}}
	x.unsubscribe = m.Feed.Listen(func() {
		if x.audience.Load() == 0 { // a new viewer reads the history without being woken
			return
		}
		x.hasNews.Store(true)
		notify(s.viewers.news)
	})
	s.matches.mu.Lock()
	s.matches.matches = append(s.matches.matches, x)
	if current {
		if s.matches.current == nil {
			close(s.matches.first)
		}
		s.matches.current = x
	}
	dropped := s.matches.trim()
	s.matches.mu.Unlock()
	for _, x := range dropped { // which disconnects their viewers
		x.unsubscribe()
		x.Feed.Release()
		s.viewers.released(x)
	}
}

// enter and exit add and remove a viewer. The caller holds viewerSet.mu.
func (x *entry) enter(v *viewer) {
	x.viewers[v] = struct{}{}
	x.audience.Store(int32(len(x.viewers)))
}

func (x *entry) exit(v *viewer) {
	delete(x.viewers, v)
	x.audience.Store(int32(len(x.viewers)))
}

// trim removes the matches beyond the limits and returns them. The caller holds mu.
func (h *matchList) trim() (dropped []*entry) {
	limit := int(min(maxHistories, debug.SetMemoryLimit(-1)/historiesShare))
	finished, size, excess := 0, 0, len(h.matches)-maxMatches
	drop := make([]bool, len(h.matches))
	for i, x := range slices.Backward(h.matches) {
		if phase, _ := x.Feed.Status(); phase == feed.Over {
			finished++
			size += x.Feed.Size()
			drop[i] = finished > maxFinished || finished > 1 && size > limit
		}
	}
	var kept []*entry
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

// currentEntry returns the current match, or nil.
func (h *matchList) currentEntry() *entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.current
}

// each calls do for every match.
func (h *matchList) each(do func(*entry)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.matches {
		do(x)
	}
}

// recordings returns the names of the matches' recordings, and whether each is still
// being written.
func (h *matchList) recordings() map[string]bool {
	running := map[string]bool{}
	h.each(func(x *entry) {
		if b := x.Feed.Brief(); b.Recording != "" {
			running[b.Recording] = b.Phase == feed.Playing
		}
	})
	return running
}

// list returns all matches, the newest first.
func (h *matchList) list() []*entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := slices.Clone(h.matches)
	slices.Reverse(list)
	return list
}

var (
	errNoMatch   = errors.New("there is no match yet")
	errForgotten = errors.New("there is no such match, or it is no longer kept")
)

// find returns the match with an id, or the current match if id is empty.
func (h *matchList) find(id string) (*entry, error) {
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

// requested returns the match of a request. If it is not found, it answers the request and
// returns nil.
func (s *Server) requested(w http.ResponseWriter, r *http.Request) *entry {
	id := r.URL.Query().Get("match")
	if id == "" {
		s.matches.awaitFirst(r.Context())
	}
	x, err := s.matches.find(id)
	if err != nil {
		fail(w, http.StatusNotFound, "%v", err)
	}
	return x
}

// listed is a match as the API lists it.
type listed struct {
	feed.Brief
	Current bool     `json:"current"`
	May     []string `json:"may"` // actions that the client may request
	// ForPage reports whether bots that are written in the page have seats in the match.
	ForPage bool `json:"for_page"`
	match.Held
	// Unrecorded is why the match is not recorded, for the operator.
	Unrecorded string `json:"unrecorded,omitempty"`
}

func (s *Server) getMatches(w http.ResponseWriter, r *http.Request) {
	here, current := s.mayTry(r), s.matches.currentEntry()
	list := []listed{}
	if l := s.opts.Lobby; l != nil {
		list = append(list, l.listed())
	}
	for _, x := range s.matches.list() {
		l := listed{Brief: x.Feed.Brief(), Current: x == current, May: []string{}, ForPage: x.ForPage}
		if here {
			l.Unrecorded = x.Feed.Unrecorded()
		}
		if x.Held != nil && l.Phase == feed.Playing {
			l.Held = x.Held()
		}
		for _, a := range actions {
			if here && l.Phase == a.phase && (l.Current || !a.current) && a.of(&x.Match) != nil {
				l.May = append(l.May, a.name)
			}
		}
		if l.ForPage && l.Phase == feed.Gathering {
			l.May = append(l.May, "join")
		}
		if l.Phase == feed.Gathering && x.People != nil && x.Invites() {
			l.May = append(l.May, "sit")
		}
		list = append(list, l)
	}
	answer(w, http.StatusOK, list)
}
