package site

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/games"
)

// teamPage is the public content of a team's page.
type teamPage struct {
	state.TeamView
	Waiting  Waiting
	Next     int64
	Paused   markup // why no round begins; "": they do
	Exam     markup
	Problems []state.Problem // of the team
}

// ownPage is the content of a team's page that needs the team's token.
type ownPage struct {
	Nick, Token string
	Host, Port  string // where bots connect
	Languages   []games.Language
	Binaries    []Binary
	Builtins    []string // to practise against
	Engine      string   // what runs versions in JavaScript; "": none can be sent
}

// handleTeams registers the pages of teams.
func (s *Site) handleTeams(mux *http.ServeMux) {
	mux.HandleFunc("GET /team/{team}", s.showTeam)
	own := func(w http.ResponseWriter, r *http.Request, v state.TeamView, token string) {
		host, port := s.botAddress(r)
		page := ownPage{
			Nick: v.Standing.Nick, Token: token, Host: host, Port: port, Languages: s.languages(),
			Binaries: s.Binaries.List(), Builtins: s.Event.Builtins(),
		}
		if store := s.Rounds.Options().Store; store != nil {
			page.Engine = store.Engine()
		}
		send(w, page.own())
	}
	steps := func(w http.ResponseWriter, r *http.Request, v state.TeamView, _ string) {
		send(w, markSteps(s.steps(r, v)))
	}
	mux.HandleFunc("GET /team/{team}/own", s.ownTeam(own))
	mux.HandleFunc("GET /team/{team}/steps", s.ownTeam(steps))
	mux.HandleFunc("GET /team/{team}/starter", s.ownTeam(s.sendStarter))
	mux.HandleFunc("GET /binaries/{name}", s.Binaries.Send)
}

// ownTeam returns a handler of requests that have the token of the team, or the operator's.
func (s *Site) ownTeam(
	handle func(http.ResponseWriter, *http.Request, state.TeamView, string),
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, found := s.Event.TeamView(s.teamAt(r))
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !found || !strings.EqualFold(scheme, "Bearer") || !s.Event.Owns(token, v.Number) {
			answer(
				w, http.StatusForbidden, nil,
				errors.New("this needs the token of the team: open the address that the team got "+
					"when it signed up"),
			)
			return
		}
		handle(w, r, v, s.Event.Token(v.Number))
	}
}

// teamAt returns the number of the team whose page a request asks for, by that number or by a name,
// -1 if there is none.
func (s *Site) teamAt(r *http.Request) int {
	text := r.PathValue("team")
	n, err := strconv.Atoi(text)
	isNumber := err == nil && strconv.Itoa(n) == text
	return event.Ask(s.Event, func(now *state.State) int {
		if isNumber && 0 < n && n <= len(now.Teams.All()) {
			return n - 1
		}
		if team, found := now.Teams.Called(text); found {
			return team
		}
		return -1
	})
}

// showTeam shows a team to all.
func (s *Site) showTeam(w http.ResponseWriter, r *http.Request) {
	team := s.teamAt(r)
	v, found := s.Event.TeamView(team)
	if !found {
		sendStatus(w, http.StatusNotFound,
			s.whole(page{teamKind, "No such team", fill("noteam.html")}))
		return
	}
	// a name, which may be one that the team had before
	if path := teamPath(team); r.URL.Path != path {
		if r.URL.RawQuery != "" {
			path += "?" + r.URL.RawQuery
		}
		// relative: a proxy may show it below a path
		w.Header().Set("Location", strings.TrimPrefix(path, "/team/"))
		w.WriteHeader(http.StatusFound)
		return
	}
	view := s.Event.View()
	ready, all := s.Rounds.Connected()
	shown := teamPage{TeamView: v, Paused: pausedLine(&view)}
	shown.Problems = slices.DeleteFunc(event.Ask(s.Event, (*state.State).Problems),
		func(p state.Problem) bool { return p.Team != v.Number })
	shown.Waiting = s.waitingOf(v.Standing.Team, &view, ready, all)
	if x := s.Rounds.Options().Exam; x != nil {
		shown.Exam = markExam(s.examScores(v.Number, x))
	}
	if next, _ := s.next(); !next.IsZero() && !view.Paused {
		shown.Next = next.UnixMilli()
	}
	now, before := shown.live()
	if asksLive(r) {
		send(w, s.parts(now)+mark(`<div data-live="before">%s</div>`, before))
		return
	}
	main := fill("team.html", "name", v.Name, "now", now, "before", before)
	send(w, s.whole(page{teamKind, v.Name, main}))
}

// languages returns the languages of the starters.
func (s *Site) languages() []games.Language {
	if s.Languages == nil {
		return nil
	}
	list, _ := s.Languages(s.Rounds.Options().Game.Name).([]games.Language)
	return list
}

// teamPath returns the path of a team's page. Its number from 1 is in it, which stays when the team
// gets another name.
func teamPath(team int) string { return fmt.Sprint("/team/", team+1) }
