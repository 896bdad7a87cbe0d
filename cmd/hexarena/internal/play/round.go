package play

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/session"
)

// round is one match of those that are played one after another.
type round struct {
	*runner
	page    *matchPage // nil: none
	results *tournament
	again   chan struct{} // receives a request from the page to play again
	changed string        // the file that changed during the match; empty: none
}

// play plays the match and prints its result.
func (r *round) play(ctx context.Context, interrupt context.CancelCauseFunc, log zerolog.Logger) (*arena.Report, error) {
	a, view, err := r.prepare(log)
	if err != nil {
		return nil, err
	}
	r.call(view, a)
	if r.page != nil {
		r.page.show(ctx)
	}
	match, stop := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { r.watch(match, stop) })
	report := view.show(match, interrupt, a, r.pace)
	r.recording, r.recordingErr = report.Recording, report.RecordingErr
	stop(nil)
	watching.Wait()
	if errors.Is(report.Err, ErrChanged) {
		return report, nil
	}
	if r.alternates() {
		return report, r.tellGame(report)
	}
	return report, r.tell(report)
}

// prepare opens the server for the match, and shows it on the page.
func (r *round) prepare(log zerolog.Logger) (*arena.Arena, matchView, error) {
	p := r.runner
	view := newMatchView(p)
	printed := new(recording.Pages)
	o := arena.Options{
		Name: p.game.Name, Game: p.instance, Builtin: p.newBuiltin, Seats: p.seats,
		Turns: p.matchTurns(), Pace: p.pace(false), Delay: p.delay(), Order: p.order, Seed: p.seed,
		InOrder: p.alternates(), LeaveEnds: p.alternates(), NeedAll: p.alternates(), HTTTX: p.game.BotAPI,
		Opening: p.instance.Opening, Patience: p.TurnTimeout, Kept: p.kept,
		Bind: p.Bind, Port: p.Port, Yield: !p.changed("port"), Strict: p.strict,
		Allow:        session.Allowances{Player: session.Allowance{Size: p.instance.AnswerSize}},
		StartTimeout: p.startTimeout, Logs: p.logs,
		Watchers: []match.Watcher{view}, Progress: view.progress, Log: log,
		Recordings: p.recordings(), Extra: p.extra(), Program: "hexarena " + p.Version, Pages: printed,
		Printed:  func(s *seat.Spec, line string) { printed.Print(s.Label, line) },
		Interval: func(match.Settings) time.Duration { return p.interval() },
	}
	if r.page != nil {
		o.Page = r.page.server
		if p.open || p.watch {
			o.Again = r.requestAgain
		}
	}
	a, err := arena.New(o)
	if errors.Is(err, arena.ErrPort) {
		return nil, view, fmt.Errorf("port %d is in use, perhaps by another hexarena; leave --port out to have a free one taken, or give --port 0", p.Port)
	}
	if err != nil {
		return nil, view, err
	}
	if port := a.Addr().Port; port != p.Port && port != p.told && p.Port != 0 && p.startsBots() {
		names := "BOT_PORT and {port}"
		if p.game.BotAPI { // there {port} is where a bot may listen
			names = "BOT_PORT"
		}
		view.Say("port %d is in use; this match is on port %d, which bots find in %s", p.Port, port, names)
		p.told = port
	}
	return a, view, nil
}

// requestAgain accepts a request from the page to play again.
func (r *round) requestAgain() error {
	select {
	case r.again <- struct{}{}:
	default: // it is requested already
	}
	return nil
}

// ErrChanged is why a match ends when a file of one of its bots changes.
var ErrChanged = errors.New("a bot has changed")

// watch stops the match when a file of its bots changes.
func (r *round) watch(ctx context.Context, stop context.CancelCauseFunc) {
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
		r.invite()
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
	watching.Go(func() { r.watch(waiting, stop) })
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
		r.note("the match stays at %s until Ctrl-C", r.page.server.URL())
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
