package sim

import (
	"cmp"
	"container/heap"
	"sync"
	"testing/synctest"
	"time"
)

// scheduler runs the events of a world one after another, in the order of their instants, of
// the names of their sources and of their numbers. Before each one it waits until every
// goroutine of the bubble waits for something: the timers of the server that fire at the same
// instant come first, and no two events are handled at the same time.
type scheduler struct {
	mu     sync.Mutex
	events incidentHeap
	news   chan struct{} // holds the news that there is an earlier event, or that closed is set
	closed bool
}

// incident is something that the world does.
type incident struct {
	at     time.Time
	source *emitter
	number int
	do     func() // must not block; nil: the event was cancelled
}

// emitter is where events come from. Its events of one instant are run in the order in which
// they were added, so only one goroutine at a time may add them.
type emitter struct {
	scheduler *scheduler
	name      string
	number    int // of events added; guarded by the scheduler's mutex
}

func newScheduler() *scheduler { return &scheduler{news: make(chan struct{}, 1)} }

func (s *scheduler) source(name string) *emitter { return &emitter{scheduler: s, name: name} }

// at adds an event.
func (e *emitter) at(instant time.Time, do func()) *incident {
	s := e.scheduler
	s.mu.Lock()
	defer s.mu.Unlock()
	e.number++
	next := &incident{at: instant, source: e, number: e.number, do: do}
	heap.Push(&s.events, next)
	if s.events[0] == next {
		s.tell()
	}
	return next
}

// cancel keeps an event from being run. It does nothing for nil.
func (s *scheduler) cancel(e *incident) {
	if e != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		e.do = nil
	}
}

// close makes run return.
func (s *scheduler) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.tell()
}

// tell wakes run. The caller holds mu.
func (s *scheduler) tell() {
	select {
	case s.news <- struct{}{}:
	default: // it will look anyway
	}
}

// run runs the events until close is called. It is the only caller of synctest.Wait in the
// bubble. There must always be an event.
func (s *scheduler) run() {
	for {
		synctest.Wait()
		do, wait := s.next()
		switch {
		case do != nil:
			do()
		case wait < 0:
			return
		default:
			alarm := time.NewTimer(wait)
			select {
			case <-alarm.C:
			case <-s.news:
			}
			alarm.Stop()
		}
	}
}

// next removes and returns what is to be done now. If there is nothing, it returns how long to
// wait, which is negative at the end.
func (s *scheduler) next() (do func(), wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.closed {
		if wait := time.Until(s.events[0].at); wait > 0 {
			return nil, wait
		}
		if e := heap.Pop(&s.events).(*incident); e.do != nil {
			return e.do, 0
		}
	}
	return nil, -1
}

// incidentHeap implements heap.Interface.
type incidentHeap []*incident

func (h incidentHeap) Len() int { return len(h) }

func (h incidentHeap) Less(i, j int) bool {
	a, b := h[i], h[j]
	return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.source.name, b.source.name),
		cmp.Compare(a.number, b.number)) < 0
}

func (h incidentHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *incidentHeap) Push(x any) { *h = append(*h, x.(*incident)) }

// Pop implements heap.Interface.
func (h *incidentHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return e
}
