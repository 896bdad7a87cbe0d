package site

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/stages"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
)

// screenView is an event as the screen shows it.
type screenView struct {
	Name    string `json:"name"` // of the event
	Message string `json:"message"`
	Problem string `json:"problem"` // why no round begins; "": nothing is wrong
	// the address to join; "": other machines cannot reach any that is known
	Join  string `json:"join"`
	Code  string `json:"code"`
	Next  int64  `json:"next"` // milliseconds until the next round; -1: it does not begin by time
	When  string `json:"when"` // when it begins, if not by time
	Ready int    `json:"ready"`

	Deadline int64  `json:"deadline"` // milliseconds until versions freeze; -1: there is no deadline
	Frozen   bool   `json:"frozen"`   // versions are
	Order    string `json:"order"`    // of the teams; see Result

	Teams []screenTeam `json:"teams"` // the best first
	// as before the last round, whose results are held back until its match was shown
	Before []screenTeam `json:"before"`
	Round  int          `json:"round"` // the last one, from 1; 0: none
	Shows  []screenShow `json:"shows"` // its matches, the one to show first first

	Final       *stages.View `json:"final"`        // null if no final is played
	FinalBefore *stages.View `json:"final_before"` // as before the last round
}

// screenTeam is a team on the screen.
type screenTeam struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
	// from 1; equal teams share one; 0: it has played no match that counts
	Rank    int    `json:"rank"`
	Figure  string `json:"figure"` // what its rank follows from, as text: a rating or Elo points
	Matches int    `json:"matches"`
	Here    bool   `json:"here"` // its bot waits or plays
}

// screenShow is a match that the screen can show.
type screenShow struct {
	Match     string `json:"match"`     // the id of one that is played
	Recording string `json:"recording"` // the file of one that is over
	Teams     []int  `json:"teams"`     // by seat; built-in bots have the seats behind them
}

// sendScreen answers with the screenView of the event.
func (s *Site) sendScreen(w http.ResponseWriter, r *http.Request) {
	s.Rounds.NoteScreen()
	view := s.Event.View()
	ready, all := s.Rounds.Connected()
	v := screenView{
		Name: s.Name, Message: view.Message, Join: s.joinAddress(r), Code: s.Event.Code(), Next: -1,
		When: "when the operator begins it", Ready: len(ready), Round: view.Rounds,
	}
	if s.Rounds.Options().Start.Ready {
		v.When = "as soon as all teams are ready"
	}
	switch next, short := s.next(); {
	case short:
		v.When = "as soon as two teams are ready"
	case !next.IsZero():
		v.Next = max(0, time.Until(next)).Milliseconds()
	}
	s.Event.Read(func(now *state.State) { v.Final, v.FinalBefore = now.PlayedFinal() })
	switch {
	case view.Failure != nil:
		v.Problem = "Rounds pause: the server's disk is full."
	case view.Paused && !view.FinalOver:
		v.Problem = "Rounds pause."
	}
	v.Deadline, v.Frozen = -1, view.Frozen
	if left, set := s.Event.Deadline(); set {
		v.Deadline = left.Milliseconds()
	}
	result, here := s.Event.Result(), map[int]bool{}
	for _, t := range result.Teams {
		waiting := s.waitingOf(t.Standing.Team, &view, ready, all)
		here[t.Number] = waiting.Match != "" || slices.Contains(ready, t.Number)
	}
	v.Order, v.Teams = result.Order, screenTeams(result, here)
	v.Before = screenTeams(s.Event.ResultBefore(), here)
	v.Shows = s.shows(result)
	sendJSON(w, http.StatusOK, v)
}

// screenTeams returns the teams that the operator did not hide.
func screenTeams(r *state.Result, here map[int]bool) []screenTeam {
	teams := []screenTeam{}
	for _, t := range r.Teams {
		if !t.Standing.Hidden {
			teams = append(teams,
				screenTeam{t.Number, t.Name, t.Rank, t.Figure(), t.Matches, here[t.Number]})
		}
	}
	return teams
}

// shows returns the matches of the last round. Those that are over come first, the closest first,
// and then those that are played, the one between the best first.
func (s *Site) shows(r *state.Result) []screenShow {
	list := []screenShow{}
	for _, row := range lastRound(s.Event) {
		list = append(
			list,
			screenShow{
				Recording: event.RecordingOf(row.K),
				Teams:     event.Ask(s.Event, func(s *state.State) []int { return s.Teams.In(row) }),
			},
		)
	}
	playing := s.Rounds.Tables.Playing()
	best := func(t rounds.Table) int {
		return slices.IndexFunc(r.Teams,
			func(p state.Place) bool { return slices.Contains(t.Teams, p.Number) })
	}
	slices.SortStableFunc(playing,
		func(a, b rounds.Table) int { return cmp.Compare(best(a), best(b)) })
	for _, t := range playing {
		if t.Feed != nil {
			list = append(list, screenShow{Match: t.Feed.ID(), Teams: t.Teams})
		}
	}
	return list
}

// margin returns how far the best of a match is before the next one, as a share of its score.
func margin(row *results.Row) float64 {
	scores := slices.Clone(row.Scores)
	slices.Sort(scores)
	slices.Reverse(scores)
	if len(scores) < 2 || scores[0] <= 0 {
		return 1
	}
	return float64(scores[0]-scores[1]) / float64(scores[0])
}

// getFinal answers with the final, for all.
func (s *Site) getFinal(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"final": event.Ask(s.Event, (*state.State).FinalView)},
		nil)
}

// lastRound returns the results of the last round, the closest match first.
func lastRound(e *event.Event) []*results.Row {
	rows := event.Ask(e, (*state.State).LastRows)
	slices.SortStableFunc(rows,
		func(a, b *results.Row) int { return cmp.Compare(margin(a), margin(b)) })
	return rows
}
