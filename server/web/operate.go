package web

import (
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/match"
)

// conflict is an error of an action that the state of its match forbids.
type conflict string

func (c conflict) Error() string { return string(c) }

// ErrNotOver is returned when a match that is not over is to be played again.
const ErrNotOver = conflict("the match is not over yet")

// action is what an operator can do with a match.
type action struct {
	name    string
	phase   feed.Phase // of matches for which the page offers it
	current bool       // possible with the current match only
	// returns what does it, or nil if the match does not have the action
	of      func(*Match) func() error
	without conflict // the error for such a match
}

// actions are in the order in which the API lists them.
var actions = []action{
	{
		"start", feed.Gathering, false, func(m *Match) func() error { return m.Start },
		"this match starts by itself",
	},
	{
		"fill", feed.Gathering, false, func(m *Match) func() error { return m.Fill },
		"there are no bots for the seats of this match",
	},
	{
		"restart", feed.Playing, true, func(m *Match) func() error { return m.Restart },
		"this match cannot be begun again",
	},
	{
		"again", feed.Over, true, func(m *Match) func() error { return m.Again },
		"this match cannot be played again",
	},
}

// operate does the requested action with the requested match if the request is the operator's.
func (s *Server) operate(w http.ResponseWriter, r *http.Request) {
	if !s.operates(w, r) {
		return
	}
	x := s.requested(w, r)
	if x == nil {
		return
	}
	a := actions[slices.IndexFunc(actions,
		func(a action) bool { return a.name == path.Base(r.URL.Path) })]
	var err error
	switch do := a.of(&x.Match); {
	case do == nil:
		err = a.without
	case a.current && x != s.matches.currentEntry():
		err = conflict("another match has replaced this one")
	default:
		err = do()
	}
	_, refused := errors.AsType[conflict](err)
	switch {
	case err == nil,
		// it started by itself, or by another request, a moment before
		errors.Is(err, match.ErrStarted) && x.Feed.Brief().Phase == feed.Playing:
		writeJSON(w, x.Feed.Summary())
	case refused, errors.Is(err, match.ErrStarted), errors.Is(err,
		match.ErrNoReferee), errors.Is(err, match.ErrNoPlayers):
		fail(w, http.StatusConflict, "%v", err)
	default:
		fail(w, http.StatusInternalServerError, "%v", err)
	}
}

// byOperator reports whether a request is the operator's: it has a token or, if no tokens
// are configured, comes from this machine.
func (s *Server) byOperator(r *http.Request) bool {
	if s.opts.Operates == nil {
		return fromHere(r)
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && s.opts.Operates(token)
}

// operates reports whether a request is the operator's. If not, it answers the request.
func (s *Server) operates(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case s.byOperator(r):
		return true
	case s.opts.Operates == nil:
		fail(w, http.StatusForbidden, "only a browser on the server's own machine may do this")
	default:
		w.Header().Set("WWW-Authenticate", `Bearer realm="hexarena"`)
		fail(w, http.StatusUnauthorized,
			"this requires the operator's token in the header Authorization: Bearer TOKEN")
	}
	return false
}

// mayTry reports whether the page is to offer the operator's actions to this client.
func (s *Server) mayTry(r *http.Request) bool { return s.opts.Operates != nil || fromHere(r) }

// fromHere reports whether a user on this machine sent a request deliberately. Pages of
// other sites can make browsers send requests, a proxy on this machine forwards requests of
// others, and another site's host name may resolve to this machine. Not every proxy
// identifies itself, but then the page has another origin, or the proxy speaks HTTP/1.0,
// which browsers do not.
func fromHere(r *http.Request) bool {
	if !overLoopback(r) || !r.ProtoAtLeast(1, 1) || forwarded(r.Header) {
		return false
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || !isHere(u.Host) {
			return false
		}
	}
	return isHere(r.Host)
}
