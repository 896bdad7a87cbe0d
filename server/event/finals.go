package event

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hexarena/hexarena/server/contest/results"
)

// applyFinal applies an act about a final.
func (s *state) applyFinal(a *Act) error {
	if !a.On {
		s.final = nil
		return nil
	}
	for _, team := range a.Teams {
		if err := s.checkTeam(team); err != nil {
			return err
		}
	}
	s.final = &final{format: a.Text, best: a.Best, seeds: a.Teams, seats: a.Seats, void: s.void}
	return s.final.check()
}

// noteFinal notes a match of a final.
func (s *state) noteFinal(row *results.Row) {
	s.unrated[row.K] = true
	o := outcome{match: row.K}
	for seat, nick := range row.Bots {
		if t := s.nicks[nick]; t != nil {
			o.teams, o.ranks = append(o.teams, t.Number), append(o.ranks, row.Ranks[seat])
		}
	}
	if s.final != nil {
		s.final.outcomes = append(s.final.outcomes, o)
	}
}

// StartFinal begins a final of the best teams, whose matches begin at once; 0 teams are the usual number. It is seeded by the official
// standings if there are any.
func (e *Event) StartFinal(format string, teams, best int) error {
	seeds := e.seeds()
	if teams == 0 {
		teams = usualFinalists
		if format == groupStage {
			teams = len(seeds)
		}
	}
	if teams < 2 || teams > MaxTeams {
		return fmt.Errorf("a final of %d teams: want 2 to %d", teams, MaxTeams)
	}
	seeds = seeds[:min(len(seeds), teams)]
	return e.act(func() (*Act, error) {
		if f := e.state.final; f != nil && !f.now().over {
			return nil, errors.New("a final is being played: end it first")
		}
		f := &final{format: format, best: max(best, 1), seeds: seeds, seats: e.plan.Seats}
		return &Act{Kind: finals, On: true, Text: format, Best: f.best, Teams: seeds, Seats: f.seats, First: len(e.state.rows)}, f.check()
	})
}

// EndFinal takes a final back. Its matches stay unrated.
func (e *Event) EndFinal() error {
	return e.act(func() (*Act, error) {
		if e.state.final == nil {
			return nil, errors.New("there is no final")
		}
		return &Act{Kind: finals, First: len(e.state.rows)}, nil
	})
}

// seeds returns the teams that have played, the best first.
func (e *Event) seeds() (teams []int) {
	official, standings := e.Official(), e.View().Standings
	in := map[int]bool{} // those that were removed are in neither list
	for _, t := range standings {
		in[t.Number] = !t.Resting && !t.Hidden
	}
	if official.Matches > 0 {
		for _, t := range official.Teams {
			if t.Matches > 0 && in[t.Team] {
				teams = append(teams, t.Team)
			}
		}
		return teams
	}
	for _, t := range standings {
		if t.Matches > 0 && in[t.Number] {
			teams = append(teams, t.Number)
		}
	}
	return teams
}

// finalPending reports whether matches of a final are to be played.
func (e *Event) finalPending() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state.final != nil && !e.state.final.now().over
}

// beginFinal begins the next matches of a final, nil if there are none.
func (e *Event) beginFinal() (*Round, error) {
	if !e.finalPending() {
		return nil, nil
	}
	err := e.act(func() (*Act, error) {
		e.state.closeRound()
		return &Act{Kind: begun, First: len(e.state.rows), Matches: e.state.final.next(), Final: true}, nil
	})
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state.last, nil
}

const (
	// finalBreak is the time between two rounds of a final, in which the screen shows the last turn for three seconds and then the bracket.
	finalBreak = 10 * time.Second
	// screenGone is after how long a screen that does not ask any more has been closed: it asks each second.
	screenGone = 5 * time.Second
)

// noteScreen notes that a screen has asked what to show.
func (r *Rounds) noteScreen() {
	now := time.Now()
	r.screened.Store(&now)
}

// breakLeft returns the time that is left of the break between two rounds of a final. It is 0 if no screen is open, which would show
// the bracket meanwhile.
func (r *Rounds) breakLeft() time.Duration {
	if at := r.screened.Load(); at == nil || time.Since(*at) > screenGone {
		return 0
	}
	return max(0, finalBreak-time.Since(r.finalEnd))
}

// endFinalRound pauses rounds once a final is over, so that the screen shows its winner until the operator has them go on. It does the same if no
// match of a final's round has a result, so that it is not begun again and again.
func (r *Rounds) endFinalRound(ctx context.Context, round *Round) {
	r.finalEnd = time.Now()
	switch {
	case ctx.Err() != nil:
		return
	case r.event.View().Matches == round.First:
		r.opts.Log.Error().Int("round", round.Number).Msg("No match of the final could be played: rounds pause until the operator has them go on")
	case r.event.finalPending():
		return
	default:
		r.opts.Log.Info().Msg("The final is over: rounds pause until the operator has them go on")
	}
	_ = r.event.Pause(true) // which the event has told
}
