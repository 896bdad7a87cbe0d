package rounds

import (
	"context"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
)

// finalTurn is the least time of a turn of a final: eight turns a second, as people can follow.
const finalTurn = time.Second / 8

// finalPending reports whether matches of a final are to be played.
func (r *Rounds) finalPending() bool {
	return event.Ask(r.event, func(s *state.State) bool { return s.Final().Pending() })
}

// beginFinal starts the next matches of a final, and returns nil if there are none.
func (r *Rounds) beginFinal() (*state.Round, error) {
	if !r.finalPending() {
		return nil, nil
	}
	return r.event.Start(func(s *state.State) (state.Act, error) { return s.StartFinalRound(), nil })
}

const (
	// finalBreak is the time between two rounds of a final, in which the screen shows the last turn
	// for three seconds and then the bracket.
	finalBreak = 10 * time.Second
	// screenGone is the time after which a screen that has not asked is closed: it asks each
	// second.
	screenGone = 5 * time.Second
)

// NoteScreen notes that a screen has asked what to show.
func (r *Rounds) NoteScreen() {
	now := time.Now()
	r.screened.Store(&now)
}

// breakLeft returns the time that is left of the break between two rounds of a final. It is 0 if no
// screen is open, which would show the bracket meanwhile.
func (r *Rounds) breakLeft() time.Duration {
	if at := r.screened.Load(); at == nil || time.Since(*at) > screenGone {
		return 0
	}
	return max(0, finalBreak-time.Since(r.finalEnd))
}

// endFinalRound pauses rounds once a final is over, so that the screen shows its winner until the
// operator resumes them. It also does if no match of a final's round has a result, so that the
// round is not started again and again.
func (r *Rounds) endFinalRound(ctx context.Context, round *state.Round) {
	r.finalEnd = time.Now()
	switch {
	case ctx.Err() != nil:
		return
	case r.event.View().Matches == round.First:
		r.opts.Log.Error().Int("round", round.Number).Msg(
			"No match of the final could be played: rounds pause until the operator has them go on")
	case r.finalPending():
		return
	default:
		r.opts.Log.Info().Msg("The final is over: rounds pause until the operator has them go on")
	}
	_ = r.event.Note(&state.RoundsPaused{On: true}) // an error was logged
}
