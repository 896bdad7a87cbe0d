package event

import (
	"context"
	"errors"
	"fmt"
	"net/http"

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
		return &Act{Kind: finals, On: true, Text: format, Best: f.best, Teams: seeds, Seats: f.seats, First: e.state.rows.len()}, f.check()
	})
}

// EndFinal takes a final back. Its matches stay unrated.
func (e *Event) EndFinal() error {
	return e.act(func() (*Act, error) {
		if e.state.final == nil {
			return nil, errors.New("there is no final")
		}
		return &Act{Kind: finals, First: e.state.rows.len()}, nil
	})
}

// seeds returns the teams that have played, the best first.
func (e *Event) seeds() (teams []int) {
	official, standings := e.Official(), e.View().Standings
	out := map[int]bool{}
	for _, t := range standings {
		out[t.Number] = t.Resting || t.Hidden
	}
	if official.Matches > 0 {
		for _, t := range official.Teams {
			if t.Matches > 0 && !out[t.Team] {
				teams = append(teams, t.Team)
			}
		}
		return teams
	}
	for _, t := range standings {
		if t.Matches > 0 && !out[t.Number] {
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
		return &Act{Kind: begun, First: e.state.rows.len(), Matches: e.state.final.next(), Final: true}, nil
	})
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state.last, nil
}

// Final returns the final at this moment, or nil if the event has no final.
func (e *Event) Final() *FinalView {
	e.mu.Lock()
	defer e.mu.Unlock()
	f := e.state.final
	if f == nil {
		return nil
	}
	now := f.now()
	names := func(teams []int) []string {
		list := []string{}
		for _, team := range teams {
			list = append(list, e.state.teams[team].Name)
		}
		return list
	}
	v := &FinalView{Format: f.format, Best: f.best, Stage: now.name, Over: now.over, Places: names(now.places), Tables: []TableView{}}
	for _, t := range now.tables {
		table := TableView{Teams: names(t.teams), Left: t.left}
		for _, team := range t.teams {
			table.Points = append(table.Points, t.points[team])
		}
		v.Tables = append(v.Tables, table)
	}
	return v
}

// getFinal answers with the final, for all.
func (s *Site) getFinal(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"final": s.Event.Final()}, nil)
}

// pauseFruitless pauses rounds if no match of a final's round has a result, so that it is not begun again and again.
func (r *Rounds) pauseFruitless(ctx context.Context, round *Round) {
	if ctx.Err() != nil || r.event.View().Matches > round.First {
		return
	}
	r.opts.Log.Error().Int("round", round.Number).Msg("No match of the final could be played: rounds pause until the operator has them go on")
	_ = r.event.Pause(true) // which the event has told
}
