package web

import (
	_ "embed"
	"errors"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
)

//go:embed openapi.yaml
var openAPI []byte

func (s *Server) getOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/yaml")
	_, _ = w.Write(openAPI)
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	phase, turn := s.opts.Feed.Status()
	answer(w, http.StatusOK, map[string]any{
		"status": "ok", "version": s.opts.Version,
		"phase": phase, "turn": turn, "viewers": s.crowd.count(),
	})
}

func (s *Server) getMatch(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, s.opts.Feed.AppendSummary(nil))
}

func writeJSON(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}

func (s *Server) getMap(w http.ResponseWriter, _ *http.Request) {
	if s.opts.Map == nil {
		fail(w, http.StatusNotFound, "the map of this match is not known here")
		return
	}
	writeJSON(w, s.opts.Map)
}

func (s *Server) getState(w http.ResponseWriter, r *http.Request) {
	_, newest := s.opts.Feed.Status()
	turn, err := number(r, "turn", newest)
	if err != nil {
		fail(w, http.StatusBadRequest, "%v", err)
		return
	}
	select { // one at a time: those who look back are not to slow down the match
	case s.looking <- struct{}{}:
		defer func() { <-s.looking }()
	case <-r.Context().Done():
		return
	}
	state, err := s.opts.Feed.State(turn)
	switch {
	case errors.Is(err, feed.ErrNoTurn):
		fail(w, http.StatusNotFound, "%v; the newest is %d", err, newest)
	case err != nil:
		fail(w, http.StatusInternalServerError, "%v", err)
	default:
		writeJSON(w, state)
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
	takeTime(w)
	w.Header().Set("Content-Type", ndjson)
	for _, event := range s.opts.Feed.Events(from, to) {
		if _, err := w.Write(event); err != nil {
			return
		}
		if _, err := w.Write([]byte{'\n'}); err != nil {
			return
		}
	}
}

// postStart is the operator's start. Whoever sits at this machine may give it.
func (s *Server) postStart(w http.ResponseWriter, r *http.Request) {
	switch {
	case !fromHere(r):
		fail(w, http.StatusForbidden, "only a browser on the server's own machine may start the match")
	case s.opts.Start == nil:
		fail(w, http.StatusConflict, "this match starts by itself")
	default:
		switch err := s.opts.Start(); {
		case err == nil:
			writeJSON(w, s.opts.Feed.AppendSummary(nil))
		case errors.Is(err, match.ErrStarted), errors.Is(err, match.ErrNoReferee):
			fail(w, http.StatusConflict, "%v", err)
		default:
			fail(w, http.StatusInternalServerError, "%v", err)
		}
	}
}

// fromHere says whether a request comes from this machine and means it: a proxy
// on this machine speaks for others, and a name that leads here may be another
// site's.
func fromHere(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
