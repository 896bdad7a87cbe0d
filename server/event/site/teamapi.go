package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/event/versions"
)

// checkTime is the time that it may take to look at a version, with the questions to the container
// runtime.
const checkTime = 30 * time.Second

// teamAPI answers the requests that teams send with their tokens.
type teamAPI struct{ *Site }

// handle registers the requests.
func (a teamAPI) handle(mux *http.ServeMux) {
	for route, handle := range map[string]func(http.ResponseWriter, *http.Request, state.Team){
		"GET /event/team":                         a.getTeam,
		"GET /event/output":                       a.getOutput,
		"POST /event/output":                      a.postOutput,
		"POST /event/versions":                    a.postVersion,
		"GET /event/versions/{version}":           a.getVersion,
		"POST /event/versions/{version}/activate": a.activateVersion,
		"POST /event/practice":                    a.postPractice,
		"DELETE /event/practice":                  a.deletePractice,
	} {
		mux.HandleFunc(route, func(w http.ResponseWriter, r *http.Request) {
			token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			team, found := a.Event.Team(token)
			if !found {
				answer(w, http.StatusUnauthorized, nil, errors.New("the token is not that of a team: copy "+
					"it from the page that showed it when the team signed up"))
				return
			}
			if team.Removed {
				answer(w, http.StatusForbidden, nil, event.ErrRemoved)
				return
			}
			handle(w, r, team)
		})
	}
}

// getTeam answers with the state of a team, for the team alone.
func (a teamAPI) getTeam(w http.ResponseWriter, _ *http.Request, team state.Team) {
	line, _ := a.Rounds.LineUp()
	player, ready := line[team.Number]
	values := map[string]any{
		"name": team.Name, "nick": team.Nick, "number": team.Number, "ready": ready,
		"resting": team.Resting,
		"versions": event.Ask(a.Event,
			func(s *state.State) []state.VersionResult { return s.VersionResults(team.Number) }),
		"send": true,
	}
	if ready {
		values["plays"] = player.Version
		values["connected"] = player.Sent == nil
	}
	if x := a.Rounds.Options().Exam; x != nil {
		remark := event.Ask(a.Event,
			func(s *state.State) string { return s.Exams.Remark(team.Number, x.Digest) })
		values["exam"] = map[string]any{"marks": a.examScores(team.Number, x), "remark": remark}
	}
	if p := a.Rounds.Practices.Of(team.Number); p != nil {
		values["practice"] = shownPractice(p)
	}
	if left, set := a.Event.Deadline(); set {
		values["deadline_seconds"] = int(left.Seconds())
	}
	if v := a.Event.View(); v.Frozen {
		values["frozen"] = true
	}
	if why := a.whyNoSend(); why != "" {
		values["send"], values["no_send"] = false, why
	}
	if store := a.Rounds.Options().Store; store != nil && store.Only() != "" {
		values["send_only"] = store.Only()
	}
	answer(w, http.StatusOK, values, nil)
}

// postVersion receives a version: a file, or a zip archive of a folder, whose name is in the query.
func (a teamAPI) postVersion(w http.ResponseWriter, r *http.Request, team state.Team) {
	store := a.Rounds.Options().Store
	if store == nil {
		answer(w, http.StatusForbidden, nil, errors.New("no version can be sent here: "+a.NoSend))
		return
	}
	now := time.Now().Unix()
	err := event.Ask(a.Event,
		func(s *state.State) error { return s.Versions.MaySend(team.Number, now) })
	if err != nil {
		answer(w, http.StatusConflict, nil, err)
		return
	}
	if r.ContentLength > versions.MaxSent {
		answer(w, http.StatusRequestEntityTooLarge, nil,
			errors.New("it has more than 8 MiB: leave out what the bot does not need"))
		return
	}
	body := a.uploads.begin(team.Number, w, r)
	if body == nil {
		answer(w, http.StatusServiceUnavailable, nil, errManyUploads)
		return
	}
	defer body.end()
	query := r.URL.Query()
	ctx, cancel := context.WithTimeout(r.Context(), uploadTime+checkTime)
	defer cancel()
	adopt := func(u state.Upload) error { return a.addVersion(team.Number, u) }
	v, err := store.Add(ctx, query.Get("name"), body, query.Get("stdio") == "1", adopt)
	if err != nil {
		status, err := body.explain(err)
		answer(w, status, nil, err)
		return
	}
	answer(w, http.StatusOK,
		map[string]any{"version": state.UploadPrefix + v.Digest, "file": v.File, "bytes": v.Bytes},
		nil)
}

// addVersion adds a version of a team, unless it is the one that plays for the team already.
func (a teamAPI) addVersion(team int, u state.Upload) error {
	now := time.Now().Unix()
	err := a.Event.Do(func(s *state.State) (state.Act, error) { return s.Versions.Send(team, u, now) })
	if err == state.ErrPlays {
		return nil
	}
	return err
}

// versionIn returns the digest of the version in the path of a request, with its prefix or without.
func versionIn(r *http.Request) string {
	return strings.TrimPrefix(r.PathValue("version"), state.UploadPrefix)
}

// getVersion answers a team with the files of a version that it has sent.
func (a teamAPI) getVersion(w http.ResponseWriter, r *http.Request, team state.Team) {
	v := event.Ask(a.Event,
		func(now *state.State) *state.Version { return now.Versions.Find(team.Number, versionIn(r)) })
	store := a.Rounds.Options().Store
	if v == nil || store == nil {
		answer(w, http.StatusNotFound, nil,
			fmt.Errorf("the team has not sent the version %.40q", r.PathValue("version")))
		return
	}
	name, content, err := store.Archive(v.Upload)
	if err != nil {
		answer(w, http.StatusConflict, nil, err)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition",
		mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(content) // the client may be gone
}

// activateVersion chooses the version, of those that a team has sent, that plays for the team.
func (a teamAPI) activateVersion(w http.ResponseWriter, r *http.Request, team state.Team) {
	now := time.Now().Unix()
	err := a.Event.Do(func(at *state.State) (state.Act, error) {
		return at.Versions.Activate(team.Number, versionIn(r), now)
	})
	if err != nil && err != state.ErrPlays {
		answer(w, http.StatusConflict, nil, err)
		return
	}
	answer(w, http.StatusOK, map[string]any{}, nil)
}

// shownPractice returns a practice as its team is told of it.
func shownPractice(p *rounds.Practice) map[string]any {
	values := map[string]any{"match": p.Match, "against": p.Against}
	if !p.Ends.IsZero() {
		values["ends"] = p.Ends.UnixMilli()
	}
	return values
}

// postPractice begins a practice match.
func (a teamAPI) postPractice(w http.ResponseWriter, r *http.Request, team state.Team) {
	var asked struct {
		Against []string `json:"against"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxForm)).Decode(&asked); err != nil {
		answer(w, http.StatusBadRequest, nil,
			fmt.Errorf(`the request is not like {"against": ["painter"]}: %w`, err))
		return
	}
	p, err := a.Rounds.Practices.Start(r.Context(), team.Number, asked.Against)
	if err != nil {
		answer(w, http.StatusConflict, nil, err)
		return
	}
	answer(w, http.StatusOK, shownPractice(p), nil)
}

// deletePractice ends a practice match.
func (a teamAPI) deletePractice(w http.ResponseWriter, _ *http.Request, team state.Team) {
	a.Rounds.Practices.Stop(team.Number)
	answer(w, http.StatusOK, map[string]any{}, nil)
}
