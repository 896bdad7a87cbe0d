package web

import (
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/panics"
)

// crowd is all viewers. A goroutine of its own wakes them, so that the match
// does not spend its time on it.
type crowd struct {
	hall *hall
	log  zerolog.Logger
	news chan struct{} // some match has something new
	quit chan struct{} // closed: take what is left, and go

	woken []*viewer // of run, used again

	mu      sync.Mutex // guards all below
	viewers map[*viewer]struct{}
	closed  bool
	running sync.WaitGroup
}

// countInterval is how often at the most viewers are told how many they are.
const countInterval = 2 * time.Second

func (c *crowd) init(h *hall, log zerolog.Logger) {
	c.hall, c.log = h, log
	c.news = make(chan struct{}, 1)
	c.quit = make(chan struct{})
	c.viewers = map[*viewer]struct{}{}
}

// notify leaves a note, if there is none already.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run wakes viewers until they are dismissed. After a panic it goes on.
func (c *crowd) run() {
	failed := panics.Logged(c.log, "Waking viewers failed")
	for p := panics.Catch(c.attend); p != nil; p = panics.Catch(c.attend) {
		failed(p)
	}
}

// attend wakes viewers when there is news, and whom a panic has left out no later
// than they are counted.
func (c *crowd) attend() {
	tick := time.NewTicker(countInterval)
	defer tick.Stop()
	for {
		select {
		case <-c.quit:
			return
		case <-c.news:
		case <-tick.C:
			c.hall.each(c.tell)
		}
		c.hall.each(func(x *exhibit) {
			if x.fresh.Swap(false) {
				c.wake(x)
			}
		})
	}
}

// batch is how many viewers are woken at once. If all were, the scheduler would see
// to thousands before it looked at the network again, where players' answers are.
const batch = 16

// wake wakes those who look at a match, and lets others run between batches.
func (c *crowd) wake(x *exhibit) {
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

// tell tells those who look at a match how many they are.
func (c *crowd) tell(x *exhibit) {
	c.mu.Lock()
	n := len(x.viewers)
	c.mu.Unlock()
	if n != x.told {
		x.told = n
		x.Feed.Announce([]byte(`{"type":"viewers","count":` + strconv.Itoa(n) + `}`))
	}
}

// call has those who follow the current match look which it is.
func (c *crowd) call() {
	c.each(func(v *viewer) {
		if v.follows {
			notify(v.news)
		}
	})
}

// dropped has those who look at a match that is no longer kept see that.
func (c *crowd) dropped(x *exhibit) {
	x.frames.clear()
	c.mu.Lock()
	defer c.mu.Unlock()
	for v := range x.viewers {
		notify(v.news)
	}
}

// move has a viewer look at another match, from the start on.
func (c *crowd) move(v *viewer, x *exhibit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v.shown != nil {
		v.shown.exit(v)
	}
	x.enter(v)
	v.look(x, 0)
}

func (c *crowd) each(do func(*viewer)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for v := range c.viewers {
		do(v)
	}
}

func (c *crowd) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.viewers)
}

// admit lets a viewer write and read, unless all are being dismissed.
func (c *crowd) admit(v *viewer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.viewers[v] = struct{}{}
	if v.shown != nil {
		v.shown.enter(v)
	}
	c.running.Go(func() { c.serve(v.listen) })
	c.running.Go(func() {
		c.serve(func() { v.show(c.quit) })
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.viewers, v)
		if v.shown != nil {
			v.shown.exit(v)
		}
	})
	return true
}

// serve serves a viewer. A panic ends its connection, as both ways to serve one do
// when they end, and harms nobody else.
func (c *crowd) serve(do func()) {
	if p := panics.Catch(do); p != nil {
		c.log.Error().EmbedObject(p).Msg("Serving a viewer failed")
	}
}

// dismiss has all viewers take what is left and go.
func (c *crowd) dismiss() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	close(c.quit)
}

// close hangs up on those who have not gone.
func (c *crowd) close() { c.each(func(v *viewer) { c.serve(func() { _ = v.conn.Close() }) }) }

func (c *crowd) wait() { c.running.Wait() }
