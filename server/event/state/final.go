package state

import (
	"errors"
	"fmt"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/stages"
)

// usualFinalists is the number of teams of a knock-out if the operator does not say:
// quarter-finals.
const usualFinalists = 8

// FinalStarted starts a final, or undoes it.
type FinalStarted struct {
	Head
	On     bool   `json:"on,omitempty"`
	First  int    `json:"first,omitempty"` // matches before it
	Format string `json:"text,omitempty"`
	Best   int    `json:"best,omitempty"`  // matches of each table of the knock-out
	Teams  []int  `json:"teams,omitempty"` // the best first
	Seats  int    `json:"seats,omitempty"` // of a match
}

func (*FinalStarted) kind() string { return "final" }

func (a *FinalStarted) apply(s *State) error {
	if !a.On {
		s.final = nil
		return nil
	}
	for _, team := range a.Teams {
		if err := s.Teams.check(team); err != nil {
			return err
		}
	}
	f := &stages.Final{
		Format: a.Format, Best: a.Best, Seeds: a.Teams, Seats: a.Seats, Void: s.Results.void,
	}
	if err := f.Check(); err != nil {
		return err
	}
	s.final = f
	return nil
}

// StartFinal starts a final of the best teams; 0 teams are the usual number. It is seeded by the
// official standings if a match is official, else by the ratings of the day.
func (s *State) StartFinal(format string, teams, best int, official *Official) (Act, error) {
	seeds := seedsOf(s.Standings(), official)
	if teams == 0 {
		teams = usualFinalists
		if format == stages.GroupStage {
			teams = len(seeds)
		}
	}
	if teams < 2 || teams > MaxTeams {
		return nil, fmt.Errorf("a final of %d teams: want 2 to %d", teams, MaxTeams)
	}
	if s.final.Pending() {
		return nil, errors.New("a final is being played: end it first")
	}
	seeds = seeds[:min(len(seeds), teams)]
	f := &stages.Final{Format: format, Best: max(best, 1), Seeds: seeds, Seats: s.seats}
	return &FinalStarted{
		On: true, First: len(s.Results.rows), Format: format, Best: f.Best, Teams: seeds, Seats: f.Seats,
	}, f.Check()
}

// seedsOf returns the teams that have played, the best first.
func seedsOf(standings []Standing, official *Official) (seeds []int) {
	in := map[int]bool{} // those that were removed are in neither list
	for _, t := range standings {
		in[t.Number] = !t.Resting && !t.Hidden
	}
	if official.Matches > 0 {
		for _, t := range official.Teams {
			if t.Matches > 0 && in[t.Team] {
				seeds = append(seeds, t.Team)
			}
		}
		return seeds
	}
	for _, t := range standings {
		if t.Matches > 0 && in[t.Number] {
			seeds = append(seeds, t.Number)
		}
	}
	return seeds
}

// EndFinal undoes a final. Its matches stay unrated.
func (s *State) EndFinal() (Act, error) {
	if s.final == nil {
		return nil, errors.New("there is no final")
	}
	return &FinalStarted{First: len(s.Results.rows)}, nil
}

// StartFinalRound starts the next matches of a final, of which there are some. The last round must
// be over.
func (s *State) StartFinalRound() *RoundStarted {
	s.closeRound()
	return &RoundStarted{First: len(s.Results.rows), Matches: s.final.Next(), Final: true}
}

// noteFinal notes a match of a final.
func (s *State) noteFinal(row *results.Row) {
	s.Results.unrated[row.K] = true
	if s.final == nil {
		return
	}
	teams, seats := s.Teams.seatsIn(row)
	ranks := make([]int, len(seats))
	for i, seat := range seats {
		ranks[i] = row.Ranks[seat]
	}
	s.final.Add(row.K, teams, ranks)
}

// Final returns the final, or nil if the event has none.
func (s *State) Final() *stages.Final { return s.final }

// FinalView returns the final at this moment, or nil if the event has none.
func (s *State) FinalView() *stages.View {
	if s.final == nil {
		return nil
	}
	return s.final.View(s.Teams.namesOf)
}

// PlayedFinal returns the final at this moment and before the last round. It returns nil if no
// final is played; a final that is over is played until another round begins.
func (s *State) PlayedFinal() (now, before *stages.View) {
	f, last := s.final, s.last
	if f == nil || f.Over() && (last == nil || !last.Final) {
		return nil, nil
	}
	earlier := f
	if last != nil {
		earlier = f.Before(last.First)
	}
	return f.View(s.Teams.namesOf), earlier.View(s.Teams.namesOf)
}
