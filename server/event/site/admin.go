package site

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
)

// operate carries out an act of the operator.
func (s *Site) operate(w http.ResponseWriter, r *http.Request) {
	f, err := readForm(w, r)
	if err != nil {
		answer(w, http.StatusBadRequest, nil, err)
		return
	}
	do := s.actOf(r.PathValue("act"), f)
	if do == nil {
		answer(w, http.StatusNotFound, nil, fmt.Errorf("there is no act %.40q", r.PathValue("act")))
		return
	}
	note, err := do()
	if err != nil {
		answer(w, http.StatusConflict, nil, err)
		return
	}
	values := map[string]any{}
	if note != "" {
		values["note"] = note
	}
	answer(w, http.StatusOK, values, nil)
}

// actOf returns the function that carries out an act of the operator's page and returns a note on
// it, which may be empty. It returns nil if no act has this name.
func (s *Site) actOf(act string, f form) func() (note string, err error) {
	teams := f.List
	if len(teams) == 0 {
		teams = []int{f.Team}
	}
	switch act {
	case "remove":
		return func() (string, error) { return s.Rounds.RemoveTeams(teams, true) }
	case "remove-address":
		return func() (string, error) { return s.removeFrom(strings.TrimSpace(f.Address), f.Back) }
	case "forget":
		return func() (string, error) { return s.forget(f.Team, f.Name) }
	case "restore":
		return func() (string, error) { return s.Rounds.RemoveTeams(teams, false) }
	}
	do := s.silentActOf(act, f)
	if do == nil {
		return nil
	}
	return func() (string, error) { return "", do() }
}

// silentActOf is actOf for acts without a note.
func (s *Site) silentActOf(act string, f form) func() error {
	team, match := f.Team, f.Match-1
	acts := map[string]func() error{
		"round":  func() error { s.Rounds.BeginNow(); return nil },
		"pause":  s.doing(func(s *state.State) (state.Act, error) { return s.Pause(true) }),
		"resume": s.doing(func(s *state.State) (state.Act, error) { return s.Pause(false) }),
		"rest":   s.doing(func(s *state.State) (state.Act, error) { return s.Teams.Rest(team, true) }),
		"wake": s.doing(
			func(s *state.State) (state.Act, error) { return s.Teams.Rest(team, false) }),
		"hide": s.doing(func(s *state.State) (state.Act, error) { return s.Teams.Hide(team, true) }),
		"show": s.doing(
			func(s *state.State) (state.Act, error) { return s.Teams.Hide(team, false) }),
		"rename": s.doing(
			func(s *state.State) (state.Act, error) { return s.Teams.Rename(team, f.Name) }),
		"kick":      func() error { return s.Rounds.Kick(team) },
		"void":      s.doing(func(s *state.State) (state.Act, error) { return s.Void(match, true) }),
		"count":     s.doing(func(s *state.State) (state.Act, error) { return s.Void(match, false) }),
		"again":     func() error { return s.Rounds.PlayAgain(match) },
		"deadline":  func() error { return s.Event.SetDeadline(times(f.Minutes, time.Minute)) },
		"freeze":    s.Rounds.Freeze,
		"final":     func() error { return s.Event.StartFinal(f.Format, f.Teams, f.Best) },
		"final-off": s.doing((*state.State).EndFinal),
		"thaw":      s.doing((*state.State).Thaw),
		"message":   s.doing(func(s *state.State) (state.Act, error) { return s.Show(f.Text) }),
		"setup": func() error {
			limit := times(f.Milliseconds, time.Millisecond)
			return s.Rounds.Change(rounds.Setup{Map: f.Map, Turns: f.Turns, TurnTimeout: limit})
		},
		"code": s.doing((*state.State).ChangeCode),
	}
	return acts[act]
}

// doing returns a function that carries out the act that next returns.
func (s *Site) doing(next func(*state.State) (state.Act, error)) func() error {
	return func() error { return s.Event.Do(next) }
}

// times returns n units, or the longest time if that is longer: it is beyond all limits, too.
func times(n int, unit time.Duration) time.Duration {
	const longest = math.MaxInt64
	if int64(n) > longest/int64(unit) {
		return longest
	}
	return max(-1, time.Duration(n)) * unit
}

// sendActs answers with the last acts, the newest first, each with the act that takes it back.
func (s *Site) sendActs(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"acts": recentActs(s.Event)}, nil)
}

// sendCSV answers the operator with the result as a table for other programs.
func (s *Site) sendCSV(w http.ResponseWriter, _ *http.Request) { writeCSV(w, s.Event.Result()) }

// writeCSV answers with a result as a table.
func writeCSV(w http.ResponseWriter, r *state.Result) {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_ = r.WriteCSV(w) // the client may be gone
}

// shown returns the result without the teams that are hidden and what teams have declared.
func (s *Site) shown() *state.Result {
	r := *s.Event.Result()
	r.Teams = slices.DeleteFunc(slices.Clone(r.Teams),
		func(p state.Place) bool { return p.Standing.Hidden })
	for i := range r.Teams {
		r.Teams[i].Declared = state.Declared{}
	}
	return &r
}
