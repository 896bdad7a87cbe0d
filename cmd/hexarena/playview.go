package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// playView shows a match while it is played. As a watcher it is called by the
// match, everything else by the goroutine that called show.
type playView interface {
	match.Watcher
	// progress tells of the start of a bot.
	progress(s *seat.Spec, what string)
	// say tells anything else.
	say(format string, args ...any)
	// show plays the match to its end, or until somebody wants to interrupt it.
	show(ctx context.Context, interrupt context.CancelCauseFunc, a *arena.Arena) *arena.Report
}

func newPlayView(p *playRun) playView {
	switch {
	case p.asJSON:
		return &lineView{out: io.Discard}
	case p.live:
		return newLiveView(p)
	}
	return &lineView{out: p.stderr, turns: p.turns}
}

// lineView writes lines, at most one turn's in a second.
type lineView struct {
	out   io.Writer
	turns int
	turn  atomic.Int64 // the last one that was simulated
}

func (v *lineView) Joined(match.SeatInfo, match.Role) {}
func (v *lineView) Left(match.SeatInfo, match.Role)   {}
func (v *lineView) Started(*match.Frame)              {}
func (v *lineView) Played(p *match.Play)              { v.turn.Store(int64(p.Step)) }
func (v *lineView) Ended(*match.Ending)               {}

func (v *lineView) progress(s *seat.Spec, what string) {
	if s.Kind == seat.Process {
		v.say("%s: %s", s.Label, plain(what))
	}
}

func (v *lineView) say(format string, args ...any) { fmt.Fprintf(v.out, format+"\n", args...) }

func (v *lineView) show(ctx context.Context, _ context.CancelCauseFunc, a *arena.Arena) *arena.Report {
	done := make(chan struct{})
	var lines sync.WaitGroup
	lines.Go(func() { v.follow(done) })
	report := a.Play(ctx)
	close(done)
	lines.Wait()
	return report
}

// follow says each second what turn it is, if that has changed.
func (v *lineView) follow(done <-chan struct{}) {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	said := int64(0)
	for {
		select {
		case <-done:
			return
		case <-second.C:
			if turn := v.turn.Load(); turn != said {
				v.say("turn %d of %d", turn, v.turns)
				said = turn
			}
		}
	}
}
