package web

import (
	"bufio"
	_ "embed"
	"errors"
	"io"
	"iter"
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

// starterName is the suggested file name for the archive with the starter.
const starterName = "my_bot.zip"

func (s *Server) getStarter(w http.ResponseWriter, r *http.Request) {
	var starter []byte
	if s.opts.Starter != nil {
		query := r.URL.Query()
		starter = s.opts.Starter(query.Get("game"), query.Get("language"))
	}
	if starter == nil {
		fail(w, http.StatusNotFound, "there is no starter for this game in this language")
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", `attachment; filename="`+starterName+`"`)
	_, _ = w.Write(starter)
}

func (s *Server) getStarters(w http.ResponseWriter, r *http.Request) {
	var list any = []any{}
	if s.opts.Languages != nil {
		list = s.opts.Languages(r.URL.Query().Get("game"))
	}
	answer(w, http.StatusOK, list)
}

func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	health := map[string]any{
		"status": "ok", "version": s.opts.Version, "viewers": s.viewers.count(),
		"tokens": s.opts.Operates != nil, "cup": s.opts.Cup != nil, "draws": s.opts.Draw != nil,
		"new_games": s.opts.NewGames, "operator": s.mayTry(r),
		"deletes":  s.opts.Remove != nil && s.mayTry(r),
		"plays_on": s.opts.PlayOn != nil && fromHere(r),
	}
	if judges := s.recorded.judges(r); judges != nil {
		health["judges"] = judges
	}
	var bots []string
	if x := s.matches.currentEntry(); x != nil {
		b := x.Feed.Brief()
		health["phase"], health["turn"] = b.Phase, b.Turn
		bots = b.Addresses
	}
	if l := s.opts.Lobby; l != nil {
		bots, health["event"] = l.Addresses(), l.Event
	}
	health["url"] = s.publicURL(bots)
	answer(w, http.StatusOK, health)
}

func (s *Server) getMatch(w http.ResponseWriter, r *http.Request) {
	if x := s.requested(w, r); x != nil {
		writeJSON(w, x.Feed.Summary())
	}
}

func writeJSON(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}

func (s *Server) getMap(w http.ResponseWriter, r *http.Request) {
	switch x := s.requested(w, r); {
	case x == nil:
	case x.Map == nil:
		fail(w, http.StatusNotFound, "the map of this match is not known")
	default:
		writeJSON(w, x.Map)
	}
}

func (s *Server) getState(w http.ResponseWriter, r *http.Request) {
	x := s.requested(w, r)
	if x == nil {
		return
	}
	_, newest := x.Feed.Status()
	turn, err := number(r, "turn", newest)
	if err != nil {
		fail(w, http.StatusBadRequest, "%v", err)
		return
	}
	// one state at a time, so that such requests do not slow down the match
	if !x.stateSem.acquire(r.Context()) {
		return
	}
	defer x.stateSem.release()
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

// number returns a query parameter that is a whole number, or otherwise if it is missing.
func number(r *http.Request, name string, otherwise int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, errors.New(name + "=" + strconv.Quote(text) + " is not a whole number of at least 0")
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
	x := s.requested(w, r)
	if x == nil {
		return
	}
	w.Header().Set("Content-Type", ndjson)
	if r.Method == http.MethodHead {
		return
	}
	if err := sendRange(newPaced(w), x.Feed.Range(from, to)); err != nil {
		panic(http.ErrAbortHandler) // so that the client notices that the response is incomplete
	}
}

// sendRange writes events, each on a line. It holds only the part of the history that it
// is writing.
func sendRange(w io.Writer, events iter.Seq2[[]byte, error]) error {
	out := bufio.NewWriterSize(w, writeSize)
	for event, err := range events {
		if err != nil {
			return err
		}
		_, _ = out.Write(event)
		if err := out.WriteByte('\n'); err != nil { // an error of either
			return err
		}
	}
	return out.Flush()
}
