package play

import (
	"context"
	"io"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/signals"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/server/arena"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat"
)

// matchView shows a local match while it is played.
type matchView struct{ tui.View }

func newMatchView(p *runner) matchView {
	switch {
	case p.asJSON:
		return matchView{tui.NewLines(io.Discard, p.matchTurns())}
	case p.live && p.game.Terminal != nil:
		title := p.game.Name + " on " + p.instance.Map
		if p.suddenDeath {
			title += ", sudden death"
		}
		o := tui.LiveOptions{
			Title: title, Terminal: p.game.Terminal, Output: p.Stdout,
			Match: games.Match{Setup: p.instance.Setup, Map: p.instance.Map, Turns: p.matchTurns()},
		}
		if tui.IsTerminal(p.Stdin) {
			o.Input = p.Stdin
		}
		return matchView{tui.NewLive(o)}
	}
	return matchView{tui.NewLines(p.Stderr, p.matchTurns())}
}

// progress shows a step in the start of a bot.
func (v matchView) progress(s *seat.Spec, what string) {
	if s.Kind == seat.Process {
		v.Say("%s: %s", s.Label, tui.Plain(what))
	}
}

// show plays the match to its end, or until interrupt is called.
func (v matchView) show(ctx context.Context, interrupt context.CancelCauseFunc, a *arena.Arena, pace func(full bool) func(match.Settings) match.Pace) (report *arena.Report) {
	v.Show(tui.Match{
		Play: func() error {
			report = a.Play(ctx)
			return report.Err
		},
		Stop: func(err error) {
			if err == nil {
				err = signals.ErrInterrupted
			}
			interrupt(err)
		},
		Pace: func(full bool) { a.SetPace(pace(full)) },
		Label: func(s match.SeatInfo) string {
			if played := a.SeatAt(s.Remote); played != nil {
				return played.Label
			}
			return s.Nickname
		},
	})
	return report
}
