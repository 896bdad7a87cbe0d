// Package site is the pages of an event, and the requests of its teams and its operator.
package site

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/rounds"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/web"
)

// Site is the pages of an event: /screen and /standings for all, /join for those that sign up, and
// /admin for the operator.
type Site struct {
	Name   string // of the event, for people
	Event  *event.Event
	Rounds *rounds.Rounds
	// where browsers find the pages, without a slash at the end; "": at the port of the bots
	URL string
	TLS bool // that port answers browsers over https only
	// the addresses of that port, the first of which is shown; nil before it is known
	Bots   atomic.Pointer[[]string]
	NoSend string // why versions cannot be sent; "": they can

	uploads uploads

	AskPublication bool // the sign-up asks for permission to publish matches and code
	AskAI          bool // the sign-up asks how AI helped to make the bot

	Starter   func(game, language string) []byte // as of web.Options
	Languages func(game string) any              // likewise
	Binaries  Binaries

	signUps signUps
}

// Here returns where browsers find the pages, without a slash at the end.
func (s *Site) Here() string {
	if s.URL != "" {
		return strings.TrimSuffix(s.URL, "/")
	}
	return s.scheme() + s.address()
}

// scheme returns how browsers reach the port of the bots.
func (s *Site) scheme() string {
	if s.TLS {
		return "https://"
	}
	return "http://"
}

// address returns the address of the port that bots connect to: the first that other machines can
// reach, as the screen shows it, else the first.
func (s *Site) address() string {
	list := s.Bots.Load()
	if list == nil || len(*list) == 0 {
		return ""
	}
	if at := firstOutside(*list); at != "" {
		return at
	}
	return (*list)[0]
}

// Unreachable reports whether no other machine can reach the pages by any address that is known.
func (s *Site) Unreachable() bool {
	list := s.Bots.Load()
	return s.URL == "" && list != nil && firstOutside(*list) == ""
}

// Handle registers the pages. operates reports whether a request is the operator's.
func (s *Site) Handle(mux *http.ServeMux, operates func(*http.Request) bool) {
	mux.HandleFunc("GET /join", s.showJoin)
	mux.HandleFunc("GET /standings", s.showStandings)
	for _, name := range []string{"event.css", "event.js", "team.js", "admin.js"} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "no-cache")
			http.ServeFileFS(w, r, pages, "pages/"+name)
		})
	}
	mux.Handle("GET /screen", web.File("screen.html"))
	mux.HandleFunc("GET /screen.json", s.sendScreen)
	mux.HandleFunc("POST /join", s.join)
	mux.HandleFunc("GET /event/official", func(w http.ResponseWriter, _ *http.Request) {
		sendJSON(w, http.StatusOK, s.Event.Official())
	})
	mux.HandleFunc("GET /event/standings", func(w http.ResponseWriter, _ *http.Request) {
		sendJSON(w, http.StatusOK, s.shown())
	})
	mux.HandleFunc("GET /event/standings.csv", func(w http.ResponseWriter, _ *http.Request) {
		writeCSV(w, s.shown())
	})
	mux.HandleFunc("GET /event/final", s.getFinal)
	s.handleTeams(mux)
	teamAPI{s}.handle(mux)
	operator{s}.handle(mux, operates)
}

// asksLive reports whether a page asks for its part that changes.
func asksLive(r *http.Request) bool { return r.URL.Query().Get("part") == "live" }

// send answers with HTML.
func send(w http.ResponseWriter, m markup) { sendStatus(w, http.StatusOK, m) }

// sendStatus is send with another status.
func sendStatus(w http.ResponseWriter, status int, m markup) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, string(m)) // the client may be gone
}

// textOf returns who played a match, the best first.
func textOf(v *event.View, row *results.Row) string {
	var list []string
	for rank := 1; rank <= len(row.Bots); rank++ {
		for seat, nick := range row.Bots {
			if row.Ranks[seat] != rank {
				continue
			}
			name, isTeam := v.Names[nick]
			if !isTeam {
				name = nick + " (built-in)"
			}
			if kind := row.Forfeits[seat]; kind != "" {
				name += ", " + kind
			}
			list = append(list, fmt.Sprintf("%d. %s", rank, name))
		}
	}
	return strings.Join(list, " · ")
}

// maxForm bounds what a form sends: names are short.
const maxForm = 4 << 10

// form is what the forms of the pages send.
type form struct {
	Name  string `json:"name"`
	Code  string `json:"code"`
	Team  int    `json:"team"`
	Match int    `json:"match"` // from 1
	Text  string `json:"text"`  // of a message

	Publish bool   `json:"publish"` // matches and code
	AI      string `json:"ai"`      // the declared help

	Map          string `json:"map"`
	Turns        int    `json:"turns"`
	Milliseconds int    `json:"milliseconds"` // for an answer
	Format       string `json:"format"`       // of a final
	Teams        int    `json:"teams"`        // in it; 0: the usual number
	Best         int    `json:"best"`         // matches of each of its tables; 0: one
	Minutes      int    `json:"minutes"`      // until the deadline; 0: there is none
	Address      string `json:"address"`      // from which teams have signed up
	Back         int    `json:"back"`         // minutes since the first of them
	List         []int  `json:"list"`         // teams to remove or to bring back, in place of Team
}

func readForm(w http.ResponseWriter, r *http.Request) (f form, err error) {
	if err = json.NewDecoder(http.MaxBytesReader(w, r.Body, maxForm)).Decode(&f); err != nil {
		err = fmt.Errorf("the request is not a form as JSON: %w", err)
	}
	return f, err
}

// join signs a team up.
func (s *Site) join(w http.ResponseWriter, r *http.Request) {
	f, err := readForm(w, r)
	if err != nil {
		answer(w, http.StatusBadRequest, nil, err)
		return
	}
	if !s.Event.HasCode(f.Code) {
		answer(w, http.StatusForbidden, nil, event.ErrWrongCode)
		return
	}
	declared, err := s.declared(f)
	if err != nil {
		answer(w, http.StatusConflict, nil, err)
		return
	}
	address := limits.Source(r.RemoteAddr)
	wait, flood := s.signUps.take(address, time.Now())
	if wait > 0 {
		seconds := int(wait/time.Second) + 1
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		answer(
			w, http.StatusTooManyRequests, nil,
			fmt.Errorf("%d teams have signed up from your network at once: try again in %d s",
				signUpsAtOnce, seconds),
		)
		return
	}
	team, token, err := s.Event.SignUpFrom(address, f.Name, f.Code, declared)
	if flood {
		s.Rounds.Options().Log.Warn().Str("address", address).Msg(
			"Many teams sign up from one address: /admin removes them if they are no class")
	}
	if err != nil {
		s.signUps.giveBack(address)
		answer(w, http.StatusConflict, nil, err)
		return
	}
	answer(
		w, http.StatusOK,
		map[string]any{
			"name": team.Name, "nick": team.Nick, "token": token, "page": teamPath(team.Number),
		},
		nil,
	)
}

// answer answers with values, or with an error, as JSON.
func answer(w http.ResponseWriter, status int, values map[string]any, err error) {
	if err != nil {
		values = map[string]any{"error": err.Error()}
	}
	sendJSON(w, status, values)
}

// sendJSON answers with a value as JSON.
func sendJSON(w http.ResponseWriter, status int, values any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(values) // the client may be gone
}
