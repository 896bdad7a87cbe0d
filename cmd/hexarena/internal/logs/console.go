// Package logs writes the log of a server: in lines for people, as JSON, or as the program netorcai
// writes it, without waiting for a slow reader.
package logs

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/server/machine/panics"
)

// Console writes to standard output in order and without waiting for the reader of a pipe.
// If the reader is too slow and the queue is full, lines are dropped and counted.
type Console struct {
	w     io.Writer
	queue chan []byte
	bytes atomic.Int64 // of the queue
	lost  atomic.Int64
	tell  func(lost int64) // is told how many lines were dropped
	stop  chan struct{}    // closed by Close
	done  chan struct{}    // closed when what was queued is written
}

const (
	consoleLines = 1 << 14
	// consoleBytes bounds the queue: under the name netorcai, lines of the level debug hold whole
	// messages, each of at most 16 MiB, of which several have room.
	consoleBytes = 64 << 20
	// consoleGrace is the time that the last lines may take at the end. A reader that reads has them
	// at once, but on a busy machine even that takes more than a fraction of a second.
	consoleGrace = 2 * time.Second
)

// NewConsole returns a console that writes to w. The caller must close it.
func NewConsole(w io.Writer) *Console {
	c := &Console{
		w:     w,
		queue: make(chan []byte, consoleLines),
		tell:  func(int64) {},
		stop:  make(chan struct{}),
		done:  make(chan struct{}),
	}
	go c.drain()
	return c
}

// Write implements io.Writer. It queues a copy of p, and never fails.
func (c *Console) Write(p []byte) (int, error) {
	size := int64(len(p))
	if c.bytes.Add(size) <= consoleBytes {
		select {
		case c.queue <- bytes.Clone(p):
			return len(p), nil
		default:
		}
	}
	c.bytes.Add(-size)
	c.lost.Add(1)
	return len(p), nil
}

// drain writes the queue until Close. A panic costs one line, and is reported on standard
// error.
func (c *Console) drain() {
	defer close(c.done)
	for p := panics.Catch(c.pass); p != nil; p = panics.Catch(c.pass) {
		fmt.Fprintln(os.Stderr, p, p.Stack)
	}
}

func (c *Console) pass() {
	for {
		select {
		case p := <-c.queue:
			c.put(p)
		case <-c.stop:
			for len(c.queue) > 0 {
				c.put(<-c.queue)
			}
			return
		}
	}
}

func (c *Console) put(p []byte) {
	c.bytes.Add(-int64(len(p)))
	_, _ = c.w.Write(p)
	if lost := c.lost.Swap(0); lost > 0 {
		c.tell(lost)
	}
}

// Close writes the rest of the queue, if it is read in time.
func (c *Console) Close() {
	close(c.stop)
	select {
	case <-c.done:
	case <-time.After(consoleGrace):
	}
}
