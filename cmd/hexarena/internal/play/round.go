package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// round is one match of those that are played one after another, or at once without a server.
type round struct {
	*runner
	instance games.Instance
	seats    []seat.Spec
	seed     uint64

	again   chan struct{} // receives a request from the page to play again
	changed string        // the file that changed during the match; empty: none
}

// visus is the number of clients that may look on.
const visus = 16

// personGrace is the time that a person at the page may take to come back: the default of the
// setting reconnect of servers.
const personGrace = 30 * time.Second

// spec describes the match.
func (r *round) spec() host.Spec {
	delay := float64(r.delay()) / float64(time.Millisecond)
	settings := match.Settings{Turns: r.turns(), Visus: visus, DelayFirst: delay, DelayTurns: delay}
	for i := range r.seats {
		if r.seats[i].Special {
			settings.Specials++
		} else {
			settings.Players++
		}
	}
	spec := r.each
	spec.Game, spec.Seats, spec.Seed, spec.Settings = r.instance, r.seats, r.seed, settings
	spec.Pace, spec.PersonGrace, spec.Untimed = r.pace(tui.Speed{}), personGrace, r.untimed
	spec.InOrder, spec.LeaveEnds = r.alternates() || r.Past != nil, r.alternates()
	spec.Digest, spec.Extra = true, r.extra()
	spec.Page = host.PageSpec{
		Starts: true, Interval: func(match.Settings) time.Duration { return r.interval() },
	}
	if r.Past != nil {
		spec.Past = r.Past.Match()
	}
	return spec
}

// filling returns how the bots get their seats once begin is closed; view shows its progress.
func (r *round) filling(view tui.View, begin <-chan struct{}) *seating.Once {
	return &seating.Once{
		Begin: begin, NeedAll: r.alternates() || r.Past != nil, Strict: r.strict,
		Progress: func(s *seat.Spec, step string) {
			if s.Kind == seat.Process {
				view.Say("%s: %s", s.Label, tui.Plain(step))
			}
		},
		Failed: func(s *seat.Spec, err error) {
			view.Warn(tui.Plain(s.Label) + ": never logged in: " + tui.PlainLines(err.Error()))
		},
	}
}

// turns returns how many turns the match has at the most.
func (r *round) turns() int { return cmp.Or(r.instance.Turns, r.MaxTurns) }

// extra returns the options of the match that a recording keeps.
func (r *round) extra() map[string]string {
	extra := map[string]string{"turn_timeout": r.TurnTimeout.String()}
	if r.alternates() {
		extra["tc"] = r.Values.Text("tc")
	} else {
		extra["order"], extra["pace"], extra["tps"] = string(r.Order), string(r.Pace), r.tps()
	}
	if !r.instance.Opening { // that is one match of several
		extra["command"] = r.command(r.seed)
	}
	return extra
}

// play plays the match to its end, or until interrupt is called, and shows it.
func (r *round) play(ctx context.Context, interrupt context.CancelCauseFunc) (*host.Result, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	view, begin := r.newView(), make(chan struct{})
	spec := r.spec()
	spec.Watchers = []match.Watcher{view, &untimedNote{round: r, view: view}}
	spec.Bots.Fill = r.filling(view, begin)
	pace, waits := r.pace, r.newWaiting(view)
	if waits != nil {
		pace = func(s tui.Speed) func(match.Settings) match.Pace {
			return func(settings match.Settings) match.Pace { return waits.at(r.pace(s)(settings)) }
		}
		spec.Pace, spec.Bots.Hung = pace(tui.Speed{}), waits.whyHung
		spec.Watchers = append(spec.Watchers, waits.players)
		defer waits.tracing.Wait()
	}
	if r.open || r.watch {
		spec.Page.Again = r.requestAgain
		spec.Page.Restart = func() error {
			stop(ErrRestarted)
			return r.requestAgain()
		}
	}
	room, err := r.host.Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	if waits != nil {
		waits.stack = room.Stack
	}
	r.call(view)
	r.showPage(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { r.watchFiles(ctx, stop) })
	var played host.Result
	view.Show(tui.Match{
		Play: func() error {
			close(begin)
			played = room.Wait()
			return played.Err
		},
		Stop:  func(err error) { interrupt(cmp.Or(err, cli.ErrInterrupted)) },
		Pace:  func(s tui.Speed) { room.Match().SetPace(pace(s)) },
		Pause: func(paused bool) { room.Match().Pause(paused) },
		Step:  func() { room.Match().Step() },
		Label: r.label,
	})
	stop(nil)
	watching.Wait()
	return &played, nil
}

// newView returns what shows the match.
func (r *round) newView() tui.View {
	_, messages := r.Stderr.(*tui.Messages)
	switch {
	case messages && !r.asText:
		return tui.NewLines(r.Stderr, r.turns())
	case r.asJSON:
		return tui.NewLines(io.Discard, r.turns())
	case r.asText:
		return tui.NewText(tui.TextOptions{
			Text: r.game.Text, Match: r.match(), Output: r.Stdout, Notes: r.Stderr,
		})
	case !r.live || r.game.Terminal == nil:
		return tui.NewLines(r.Stderr, r.turns())
	}
	o := tui.LiveOptions{
		Title: r.game.Name + " on " + r.instance.Map, Terminal: r.game.Terminal, Output: r.Stdout,
		Match: r.match(),
	}
	if r.suddenDeath {
		o.Title += ", sudden death"
	}
	if tui.IsTerminal(r.Stdin) {
		o.Input = r.Stdin
	}
	return tui.NewLive(o)
}

// match describes the match, without its players.
func (r *round) match() games.Match {
	return games.Match{Setup: r.instance.Setup, Map: r.instance.Map, Turns: r.turns()}
}

// requestAgain accepts a request from the page to play again.
func (r *round) requestAgain() error {
	select {
	case r.again <- struct{}{}:
	default: // it is requested already
	}
	return nil
}

// ErrChanged and ErrRestarted are the reasons why a match ends when a file of one of its bots
// changes, and when the page requests another match.
var (
	ErrChanged   = errors.New("a bot has changed")
	ErrRestarted = errors.New("another match was requested")
)

// watchFiles stops the match when a file of its bots changes.
func (r *round) watchFiles(ctx context.Context, stop context.CancelCauseFunc) {
	if r.watched == nil {
		return
	}
	if name, err := r.watched.Next(ctx); err == nil {
		r.changed = name
		stop(ErrChanged)
	}
}

// next waits until another match is requested, and reports whether one is.
func (r *round) next(ctx context.Context) bool {
	if ctx.Err() != nil || !r.open && r.watched == nil {
		return false
	}
	if r.changed == "" {
		if len(r.again) == 0 {
			r.invite()
		}
		r.await(ctx)
	}
	if ctx.Err() != nil {
		return false
	}
	if r.changed != "" {
		r.note("%s has changed: playing again", tui.Plain(r.changed))
	} else {
		r.note("playing again")
	}
	return true
}

// await waits until the page requests another match, a file has changed
// or ctx ends.
func (r *round) await(ctx context.Context) {
	waiting, stop := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { r.watchFiles(waiting, stop) })
	select {
	case <-r.again:
	case <-waiting.Done():
	}
	stop(nil)
	watching.Wait()
}

// invite prints what the program waits for.
func (r *round) invite() {
	if r.watched != nil {
		r.note("waiting for a bot's file to change, until Ctrl-C")
	}
	if r.open {
		r.note("the match stays at %s until Ctrl-C", r.host.Page().URL())
	}
}

func (p *runner) note(format string, args ...any) {
	if !p.asJSON || p.open {
		fmt.Fprintf(p.Stderr, format+"\n", args...)
	}
}

// sources are the files of all bots that are.
func sources(seats []seat.Spec) (files []string) {
	for i := range seats {
		files = append(files, seats[i].Sources()...)
	}
	return files
}
