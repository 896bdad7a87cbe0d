package web

import (
	_ "embed"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"

	"github.com/hexarena/hexarena/server/feed"
)

//go:embed openapi.yaml
var openAPI []byte

func (s *Server) getOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/yaml")
	_, _ = w.Write(openAPI)
}

// starterName is what the starter is best saved as.
const starterName = "my_bot.py"

func (s *Server) getStarter(w http.ResponseWriter, _ *http.Request) {
	if s.opts.Starter == nil {
		fail(w, http.StatusNotFound, "there is no starter here")
		return
	}
	w.Header().Set("Content-Type", "text/x-python; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+starterName+`"`)
	_, _ = w.Write(s.opts.Starter)
}

func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	health := map[string]any{"status": "ok", "version": s.opts.Version, "viewers": s.crowd.count(), "new_games": s.opts.NewGames}
	if judges := s.judges(r); judges != nil {
		health["judges"] = judges
	}
	var bots []string
	if x := s.hall.now(); x != nil {
		b := x.Feed.Brief()
		health["phase"], health["turn"] = b.Phase, b.Turn
		bots = b.Addresses
	}
	health["url"] = s.publicURL(bots)
	answer(w, http.StatusOK, health)
}

func (s *Server) getMatch(w http.ResponseWriter, r *http.Request) {
	if x := s.asked(w, r); x != nil {
		writeJSON(w, x.Feed.AppendSummary(nil))
	}
}

func writeJSON(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}

func (s *Server) getMap(w http.ResponseWriter, r *http.Request) {
	switch x := s.asked(w, r); {
	case x == nil:
	case x.Map == nil:
		fail(w, http.StatusNotFound, "the map of this match is not known here")
	default:
		writeJSON(w, x.Map)
	}
}

func (s *Server) getState(w http.ResponseWriter, r *http.Request) {
	x := s.asked(w, r)
	if x == nil {
		return
	}
	leave := s.download(w, r) // of a large board, a state is one
	if leave == nil {
		return
	}
	defer leave()
	_, newest := x.Feed.Status()
	turn, err := number(r, "turn", newest)
	if err != nil {
		fail(w, http.StatusBadRequest, "%v", err)
		return
	}
	select { // one at a time: those who look back are not to slow down the match
	case x.looking <- struct{}{}:
		defer func() { <-x.looking }()
	case <-r.Context().Done():
		return
	}
	state, err := x.Feed.State(turn)
	switch {
	case errors.Is(err, feed.ErrNoTurn):
		fail(w, http.StatusNotFound, "%v; the newest is %d", err, newest)
	case err != nil:
		fail(w, http.StatusInternalServerError, "%v", err)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = newPaced(w).Write(state)
	}
}

// number is a query parameter that is a whole number, or its default.
func number(r *http.Request, name string, otherwise int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, errors.New(name + "=" + strconv.Quote(text) + " is not a whole number from 0 on")
	}
	return int(n), nil
}

const ndjson = "application/x-ndjson"

func (s *Server) getEvents(w http.ResponseWriter, r *http.Request) {
	from, err := number(r, "from", 0)
	to, err2 := number(r, "to", math.MaxInt32)
	if err := errors.Join(err, err2); err != nil {
		fail(w, http.StatusBadRequest, "%v", err)
		return
	}
	x := s.asked(w, r)
	if x == nil {
		return
	}
	w.Header().Set("Content-Type", ndjson)
	if r.Method == http.MethodHead {
		return
	}
	leave := s.download(w, r)
	if leave == nil {
		return
	}
	defer leave()
	if err := sendRange(newPaced(w), x.Feed.Range(from, to)); err != nil {
		panic(http.ErrAbortHandler) // so that the reader sees that it is cut
	}
}

// sendRange writes events, each on a line. It holds no more of the history than it is
// writing.
func sendRange(w io.Writer, events *feed.Range) error {
	buf := make([]byte, 0, piece)
	for {
		text, err := events.Next(buf)
		if err != nil || len(text) == 0 {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
		if _, err := w.Write([]byte{'\n'}); err != nil {
			return err
		}
	}
}
