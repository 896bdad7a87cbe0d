package web

import (
	"strconv"
	"sync"
	"time"

	"github.com/hexarena/hexarena/server/feed"
)

// crowd is all viewers. A goroutine of its own wakes them, so that the match
// does not spend its time on it.
type crowd struct {
	feed *feed.Feed
	stop func()        // hearing of news
	news chan struct{} // the feed has something new
	quit chan struct{} // closed: take what is left, and go

	mu      sync.Mutex // guards all below
	viewers map[*viewer]struct{}
	closed  bool
	running sync.WaitGroup
}

// countInterval is how often at the most viewers are told how many they are.
const countInterval = 2 * time.Second

func (c *crowd) init(f *feed.Feed) {
	c.feed = f
	c.news = make(chan struct{}, 1)
	c.quit = make(chan struct{})
	c.viewers = map[*viewer]struct{}{}
	c.stop = f.Listen(func() { notify(c.news) })
}

// notify leaves a note, if there is none already.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run wakes viewers until they are dismissed.
func (c *crowd) run() {
	tick := time.NewTicker(countInterval)
	defer tick.Stop()
	defer c.stop()
	told := 0
	for {
		select {
		case <-c.quit:
			return
		case <-c.news:
			c.each(func(v *viewer) { notify(v.news) })
		case <-tick.C:
			if n := c.count(); n != told {
				told = n
				c.feed.Announce([]byte(`{"type":"viewers","count":` + strconv.Itoa(n) + `}`))
			}
		}
	}
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
	c.running.Go(v.listen)
	c.running.Go(func() {
		v.show(c.quit)
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.viewers, v)
	})
	return true
}

// dismiss has all viewers take what is left and go.
func (c *crowd) dismiss() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	close(c.quit)
}

// close hangs up on those who have not gone.
func (c *crowd) close() { c.each(func(v *viewer) { _ = v.conn.Close() }) }

func (c *crowd) wait() { c.running.Wait() }
