package site

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
)

// operator answers the requests of the operator, and shows the page with which they are sent.
type operator struct{ *Site }

// handle registers the page, and the requests, which need the operator's token.
func (o operator) handle(mux *http.ServeMux, operates func(*http.Request) bool) {
	mux.HandleFunc("GET /admin", o.showAdmin(operates))
	for pattern, handler := range map[string]http.HandlerFunc{
		"POST /admin/{act}": o.operate,
		"GET /admin/slips":  o.sendSlips, "GET /admin/slips/{team}": o.sendQR,
		"GET /admin/acts": o.sendActs, "GET /admin/standings.csv": o.sendCSV,
		"GET /admin/exam.csv": o.sendExam,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if !operates(r) {
				answer(
					w, http.StatusForbidden, nil,
					errors.New("the operator's token is needed: open the address of /admin that "+
						"the program printed"),
				)
				return
			}
			handler(w, r)
		})
	}
}

// operate carries out an act of the operator.
func (o operator) operate(w http.ResponseWriter, r *http.Request) {
	f, err := readForm(w, r)
	if err != nil {
		answer(w, http.StatusBadRequest, nil, err)
		return
	}
	do := o.actOf(r.PathValue("act"), f)
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
func (o operator) actOf(act string, f form) func() (note string, err error) {
	teams := f.List
	if len(teams) == 0 {
		teams = []int{f.Team}
	}
	switch act {
	case "remove":
		return func() (string, error) { return o.Rounds.RemoveTeams(teams, true) }
	case "remove-address":
		return func() (string, error) { return o.removeFrom(strings.TrimSpace(f.Address), f.Back) }
	case "forget":
		return func() (string, error) { return o.forget(f.Team, f.Name) }
	case "again":
		return func() (string, error) { return o.Rounds.PlayAgain(f.Match - 1) }
	case "restore":
		return func() (string, error) { return o.Rounds.RemoveTeams(teams, false) }
	}
	do := o.silentActOf(act, f)
	if do == nil {
		return nil
	}
	return func() (string, error) { return "", do() }
}

// silentActOf is actOf for acts without a note.
func (o operator) silentActOf(act string, f form) func() error {
	team, match := f.Team, f.Match-1
	note := func(a state.Act) func() error { return func() error { return o.Event.Note(a) } }
	do := func(next func(*state.State) (state.Act, error)) func() error {
		return func() error { return o.Event.Do(next) }
	}
	acts := map[string]func() error{
		"round":  func() error { o.Rounds.BeginNow(); return nil },
		"pause":  note(&state.RoundsPaused{On: true}),
		"resume": note(&state.RoundsPaused{}),
		"rest":   do(func(s *state.State) (state.Act, error) { return s.Teams.Rest(team, true) }),
		"wake":   do(func(s *state.State) (state.Act, error) { return s.Teams.Rest(team, false) }),
		"hide":   do(func(s *state.State) (state.Act, error) { return s.Teams.Hide(team, true) }),
		"show":   do(func(s *state.State) (state.Act, error) { return s.Teams.Hide(team, false) }),
		"rename": do(func(s *state.State) (state.Act, error) { return s.Teams.Rename(team, f.Name) }),
		"kick":   func() error { return o.Rounds.Kick(team) },
		"void":   do(func(s *state.State) (state.Act, error) { return s.Void(match, true) }),
		"count":  do(func(s *state.State) (state.Act, error) { return s.Void(match, false) }),
		"deadline": func() error {
			return o.Event.SetDeadline(times(f.Minutes, time.Minute))
		},
		"freeze":    o.Rounds.Freeze,
		"final":     func() error { return o.Event.StartFinal(f.Format, f.Teams, f.Best) },
		"final-off": do((*state.State).EndFinal),
		"thaw":      do((*state.State).Thaw),
		"message":   do(func(s *state.State) (state.Act, error) { return s.Show(f.Text) }),
		"setup": func() error {
			limit := times(f.Milliseconds, time.Millisecond)
			return o.Rounds.Change(rounds.Setup{Map: f.Map, Turns: f.Turns, TurnTimeout: limit})
		},
		"code": note(&state.CodeChanged{}),
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

// sendActs answers with the last acts, the newest first, each with the act that takes it back.
func (o operator) sendActs(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"acts": recentActs(o.Event)}, nil)
}

// sendCSV answers the operator with the result as a table for other programs.
func (o operator) sendCSV(w http.ResponseWriter, _ *http.Request) { writeCSV(w, o.Event.Result()) }

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
