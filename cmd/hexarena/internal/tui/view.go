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
	// Warn shows a text of one or more lines that the user should not miss, also while turns are
	// played.
	Warn(text string)
	// Show plays a match and returns when it is over and no longer shown.
	Show(m Match)
}

// Match is a match that a view shows.
type Match struct {
	Play  func() error                // plays the match to its end
	Stop  func(err error)             // makes Play return soon; the user's wish if err is nil
	Pace  func(Speed)                 // changes the speed; it and the next two may wait for the match
	Pause func(paused bool)           // keeps the match from playing turns, or lets it go on
	Step  func()                      // plays one turn, and pauses the match
	Label func(match.SeatInfo) string // the name of a seat
}

// Speed is how fast a match is played.
type Speed struct {
	Full   bool // as fast as the players answer
	Slower int  // how often the user has doubled the time between turns; below 0: halved it
}

// The bounds of Speed.Slower. At 10 turns a second they are 160 turns a second, which is faster
// than a screen shows them, and a turn in 6.4 seconds.
const (
	slowest = 6
	fastest = -4
)

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

// Warn implements View.
func (v *lines) Warn(text string) { v.Say("%s", text) }

// Show implements View.
func (v *lines) Show(m Match) {
	done := make(chan struct{})
	var reporting sync.WaitGroup
	reporting.Go(func() { v.report(done) })
	_ = m.Play() // the caller reports the error
	close(done)
	reporting.Wait()
}

// tell writes the number of the turn.
func (v *lines) tell(turn int) {
	if m, asJSON := v.out.(*Messages); asJSON {
		m.Object(progressed{Unit: "turn", Done: turn, Total: v.turns})
		return
	}
	v.Say("%s", match.NameBoard(turn, v.turns))
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
				v.tell(int(turn))
				last = turn
			}
		}
	}
}
