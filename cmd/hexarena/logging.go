package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/panics"
)

// console writes to standard output in order and without waiting for the reader of a pipe.
// If the reader is too slow and the queue is full, lines are dropped and counted.
type console struct {
	w     io.Writer
	queue chan []byte
	lost  atomic.Int64
	tell  func(lost int64) // that so much was dropped
	stop  chan struct{}    // closed by Close
	done  chan struct{}    // closed when what was queued is written
}

const (
	consoleLines = 1 << 14
	// consoleGrace is how long the last lines may take at the end.
	consoleGrace = 200 * time.Millisecond
)

func newConsole(w io.Writer) *console {
	c := &console{
		w:     w,
		queue: make(chan []byte, consoleLines),
		tell:  func(int64) {},
		stop:  make(chan struct{}),
		done:  make(chan struct{}),
	}
	go c.drain()
	return c
}

func (c *console) Write(p []byte) (int, error) {
	select {
	case c.queue <- bytes.Clone(p):
	default:
		c.lost.Add(1)
	}
	return len(p), nil
}

// drain writes the queue until Close. A panic costs one line, and is reported on standard
// error.
func (c *console) drain() {
	defer close(c.done)
	for p := panics.Catch(c.pass); p != nil; p = panics.Catch(c.pass) {
		fmt.Fprintln(os.Stderr, p, p.Stack)
	}
}

func (c *console) pass() {
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

func (c *console) put(p []byte) {
	_, _ = c.w.Write(p)
	if lost := c.lost.Swap(0); lost > 0 {
		c.tell(lost)
	}
}

// Close writes the rest of the queue, if it is read in time.
func (c *console) Close() {
	close(c.stop)
	select {
	case <-c.done:
	case <-time.After(consoleGrace):
	}
}

// newLog returns the log of a server. Under the name netorcai, the lines are netorcai's.
func newLog(out *console, level config.LogLevel, asJSON, netorcai bool) zerolog.Logger {
	zerolog.MessageFieldName = "msg"
	zerolog.LevelWarnValue = "warning"
	var log zerolog.Logger
	switch {
	case netorcai:
		log = zerolog.New(netorcaiLog{out, asJSON}) // which adds the time
	case asJSON:
		log = zerolog.New(out).With().Timestamp().Logger()
	default:
		w := zerolog.ConsoleWriter{Out: out, NoColor: true, TimeFormat: time.RFC3339}
		log = zerolog.New(w).With().Timestamp().Logger()
	}
	log = log.Level(levels[level])
	out.tell = func(lost int64) {
		log.Warn().Int64("lines", lost).Msg("Lines of the log were dropped: they were not read in time")
	}
	return log
}

var levels = map[config.LogLevel]zerolog.Level{
	config.Quiet:   zerolog.WarnLevel,
	config.Verbose: zerolog.InfoLevel,
	config.Debug:   zerolog.DebugLevel,
}

// warnings returns a log of what a user at a terminal should know, on w.
func warnings(w io.Writer) zerolog.Logger { return zerolog.New(warningWriter(w)) }

// warningWriter writes the warnings and errors of a log to w.
func warningWriter(w io.Writer) zerolog.LevelWriter {
	out := zerolog.ConsoleWriter{Out: w, NoColor: true, PartsOrder: []string{zerolog.LevelFieldName, zerolog.MessageFieldName}}
	return &zerolog.FilteredLevelWriter{Writer: zerolog.LevelWriterAdapter{Writer: out}, Level: zerolog.WarnLevel}
}
