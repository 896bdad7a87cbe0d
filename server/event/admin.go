package event

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
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

// actOf returns the function that carries out an act of the operator's page and returns a note on it,
// which may be empty. It returns nil if no act has this name.
func (s *Site) actOf(act string, f form) func() (note string, err error) {
	teams := f.List
	if len(teams) == 0 {
		teams = []int{f.Team}
	}
	switch act {
	case "remove":
		return func() (string, error) { return s.Rounds.removeTeams(teams, true) }
	case "remove-address":
		return func() (string, error) { return s.removeFrom(strings.TrimSpace(f.Address), f.Back) }
	case "restore":
		return func() (string, error) { return s.Rounds.removeTeams(teams, false) }
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
		"round":     func() error { s.Rounds.BeginNow(); return nil },
		"pause":     func() error { return s.Event.Pause(true) },
		"resume":    func() error { return s.Event.Pause(false) },
		"rest":      func() error { return s.Event.Rest(team, true) },
		"wake":      func() error { return s.Event.Rest(team, false) },
		"hide":      func() error { return s.Event.Hide(team, true) },
		"show":      func() error { return s.Event.Hide(team, false) },
		"rename":    func() error { return s.Event.Rename(team, f.Name) },
		"kick":      func() error { return s.Rounds.Kick(team) },
		"void":      func() error { return s.Event.Void(match, true) },
		"count":     func() error { return s.Event.Void(match, false) },
		"again":     func() error { return s.Rounds.playAgain(match) },
		"deadline":  func() error { return s.Event.Announce(times(f.Minutes, time.Minute)) },
		"freeze":    s.Rounds.Freeze,
		"final":     func() error { return s.Event.StartFinal(f.Format, f.Teams, f.Best) },
		"final-off": s.Event.EndFinal,
		"thaw":      s.Event.Thaw,
		"message":   func() error { return s.Event.Tell(f.Text) },
		"setup": func() error {
			limit := times(f.Milliseconds, time.Millisecond)
			return s.Rounds.Change(Setup{Map: f.Map, Turns: f.Turns, TurnTimeout: limit})
		},
		"code": s.Event.newCode,
	}
	return acts[act]
}

// times returns n units, or the longest time if that is longer: it is beyond all limits, too.
func times(n int, unit time.Duration) time.Duration {
	const longest = math.MaxInt64
	if int64(n) > longest/int64(unit) {
		return longest
	}
	return max(-1, time.Duration(n)) * unit
}

// slip is the text of the paper that a team is given.
type slip struct {
	Name, Token, Page string
}

// sendSlips answers with the slips of all teams, which have their tokens.
func (s *Site) sendSlips(w http.ResponseWriter, _ *http.Request) {
	var list []slip
	for _, t := range s.Event.Result().Teams {
		token := s.Event.token(t.Number)
		list = append(list, slip{t.Name, token, s.Here() + teamPath(t.Number) + "#" + token})
	}
	answer(w, http.StatusOK, map[string]any{"slips": list}, nil)
}

// sendActs answers with the last acts, the newest first, each with the act that takes it back.
func (s *Site) sendActs(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"acts": s.Event.recentActs()}, nil)
}

// sendCSV answers with the result as a table for other programs.
func (s *Site) sendCSV(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_ = s.Event.Result().WriteCSV(w) // the client may be gone
}

// sendResult answers with the result, without the teams that are hidden.
func (s *Site) sendResult(w http.ResponseWriter, _ *http.Request) {
	r := *s.Event.Result()
	r.Teams = slices.DeleteFunc(slices.Clone(r.Teams), func(p Place) bool { return p.Standing.Hidden })
	sendJSON(w, http.StatusOK, &r)
}
