package web

import (
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/machine/processors"
)

// viewerSet holds all viewers. A separate goroutine wakes them, so that the match does not
// spend its time on that.
type viewerSet struct {
	matches  *matchList
	log      zerolog.Logger
	news     chan struct{} // a match has new events
	quit     chan struct{} // closed: viewers send what is left and end
	patience time.Duration // for a viewer to take an event; 0: writeTime

	woken []*viewer // buffer of run

	mu      sync.Mutex // guards the fields below
	all     map[*viewer]struct{}
	closed  bool
	running sync.WaitGroup
}

// countInterval is the shortest time between two announcements of the number of viewers.
const countInterval = 2 * time.Second

func (c *viewerSet) init(h *matchList, log zerolog.Logger) {
	c.matches, c.log = h, log
	c.news = make(chan struct{}, 1)
	c.quit = make(chan struct{})
	c.all = map[*viewer]struct{}{}
}

// notify sends on c unless c is full.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run wakes viewers until drain is called. It continues after a panic.
func (c *viewerSet) run() {
	failed := panics.Logged(c.log, "Waking viewers failed")
	for p := panics.Catch(c.wakeLoop); p != nil; p = panics.Catch(c.wakeLoop) {
		failed(p)
	}
}

// wakeLoop wakes viewers when there are new events. It also does so at each countInterval,
// for viewers that were left out because of a panic.
func (c *viewerSet) wakeLoop() {
	tick := time.NewTicker(countInterval)
	defer tick.Stop()
	for {
		select {
		case <-c.quit:
			return
		case <-c.news:
		case <-tick.C:
			c.matches.each(c.announceCount)
		}
		c.matches.each(func(x *entry) {
			if x.hasNews.Swap(false) {
				c.wake(x)
			}
		})
	}
}

// batch is the number of viewers that are woken at once. After waking thousands the scheduler would
// run all of them before it polls the network again, where players' answers arrive.
const batch = 16

// wake wakes the viewers of a match, and lets other goroutines run between batches.
func (c *viewerSet) wake(x *entry) {
	c.mu.Lock()
	c.woken = slices.AppendSeq(c.woken[:0], maps.Keys(x.viewers))
	c.mu.Unlock()
	for some := range slices.Chunk(c.woken, batch) {
		for _, v := range some {
			notify(v.news)
		}
		runtime.Gosched()
	}
	clear(c.woken)
}

// announceCount announces the number of viewers of a match to them.
func (c *viewerSet) announceCount(x *entry) {
	c.mu.Lock()
	n := len(x.viewers)
	c.mu.Unlock()
	if n != x.announced {
		x.announced = n
		x.Feed.Announce([]byte(`{"type":"viewers","count":` + strconv.Itoa(n) + `}`))
	}
}

// notifyFollowers makes the viewers that follow the current match check which one it is.
func (c *viewerSet) notifyFollowers() {
	c.each(func(v *viewer) {
		if v.follows {
			notify(v.news)
		}
	})
}

// released wakes the viewers of a match that is no longer kept, so that they notice.
func (c *viewerSet) released(x *entry) {
	x.frames.clear()
	c.mu.Lock()
	defer c.mu.Unlock()
	for v := range x.viewers {
		notify(v.news)
	}
}

// switchTo makes a viewer watch another match from its start.
func (c *viewerSet) switchTo(v *viewer, x *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v.shown != nil {
		v.shown.exit(v)
	}
	x.enter(v)
	v.watch(x, 0)
}

func (c *viewerSet) each(do func(*viewer)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for v := range c.all {
		do(v)
	}
}

func (c *viewerSet) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.all)
}

// add starts serving a viewer. It reports false if the server is about to end.
func (c *viewerSet) add(v *viewer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.all[v] = struct{}{}
	if v.shown != nil {
		v.shown.enter(v)
	}
	failed := panics.Logged(c.log, "Serving a viewer failed")
	panics.Go(&c.running, v.listen, failed)
	panics.Go(&c.running, func() {
		defer c.remove(v)
		defer processors.Use()()
		v.show(c.quit)
	}, failed)
	return true
}

func (c *viewerSet) remove(v *viewer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.all, v)
	if v.shown != nil {
		v.shown.exit(v)
	}
}

// drain makes all viewers send what is left and end.
func (c *viewerSet) drain() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	close(c.quit)
}

// close closes the connections that are still open.
func (c *viewerSet) close() { c.each(func(v *viewer) { _ = v.conn.Close() }) }

func (c *viewerSet) wait() { c.running.Wait() }
