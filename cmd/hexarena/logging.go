package main

import (
	"fmt"
	"io"
	"time"

	"github.com/rs/zerolog"
	"github.com/rs/zerolog/diode"

	"github.com/hexarena/hexarena/config"
)

// console is standard output as the server writes to it: in order, and without
// ever waiting for whoever reads the other end of the pipe. Lines that nobody
// reads are dropped when the buffer is full.
type console struct{ queue diode.Writer }

const (
	consoleLines = 1 << 14
	// consoleGrace is how long the last lines may take at the end.
	consoleGrace = 200 * time.Millisecond
)

func newConsole(w io.Writer) *console {
	return &console{diode.NewWriter(w, consoleLines, 0, func(missed int) {
		fmt.Fprintf(w, "%d lines of log were lost: nobody read them\n", missed)
	})}
}

func (c *console) Write(p []byte) (int, error) { return c.queue.Write(p) }

// Close writes what is left, if anybody reads it.
func (c *console) Close() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.queue.Close()
	}()
	select {
	case <-done:
	case <-time.After(consoleGrace):
	}
}

// newLog makes the log. Its lines keep netorcai's keys and names of levels.
func newLog(w io.Writer, level config.LogLevel, asJSON bool) zerolog.Logger {
	zerolog.MessageFieldName = "msg"
	zerolog.LevelWarnValue = "warning"
	if !asJSON {
		w = zerolog.ConsoleWriter{Out: w, NoColor: true, TimeFormat: time.RFC3339}
	}
	return zerolog.New(w).Level(levels[level]).With().Timestamp().Logger()
}

var levels = map[config.LogLevel]zerolog.Level{
	config.Quiet:   zerolog.WarnLevel,
	config.Verbose: zerolog.InfoLevel,
	config.Debug:   zerolog.DebugLevel,
}
