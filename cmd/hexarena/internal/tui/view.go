package tui

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/server/match"
)

// View shows a match while it is played. The match calls it as a watcher; everything else
// is called by the goroutine that calls Show, before it.
type View interface {
	match.Watcher
	// Say shows a line about anything but a turn.
	Say(format string, args ...any)
	// Show plays a match and returns when it is over and no longer shown.
	Show(m Match)
}

// Match is a match that a view shows.
type Match struct {
	Play  func() error                // plays the match to its end
	Stop  func(err error)             // makes Play return soon; the user's wish if err is nil
	Pace  func(full bool)             // switches to full speed and back; it may wait for the match
	Label func(match.SeatInfo) string // the name of a seat
}

// lines is a view that writes lines, at most one turn a second.
type lines struct {
	match.BaseWatcher
	out   io.Writer
	turns int
	turn  atomic.Int64 // the last one that was played
}

// NewLines returns a view that writes lines to out.
func NewLines(out io.Writer, turns int) View { return &lines{out: out, turns: turns} }

func (v *lines) Played(p *match.Play) { v.turn.Store(int64(p.Step)) }

// Say implements View.
func (v *lines) Say(format string, args ...any) { fmt.Fprintf(v.out, format+"\n", args...) }

// Show implements View.
func (v *lines) Show(m Match) {
	done := make(chan struct{})
	var reporting sync.WaitGroup
	reporting.Go(func() { v.report(done) })
	_ = m.Play() // the caller reports the error
	close(done)
	reporting.Wait()
}

// report writes the number of the turn each second, if it has changed.
func (v *lines) report(done <-chan struct{}) {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	last := int64(0)
	for {
		select {
		case <-done:
			return
		case <-second.C:
			if turn := v.turn.Load(); turn != last {
				v.Say("turn %d of %d", turn, v.turns)
				last = turn
			}
		}
	}
}
