package web

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/hexarena/hexarena/server/match"
)

// ErrNotOver is returned when a match that is not over is to be played again.
var ErrNotOver = errors.New("the match is not over yet")

// postStart starts a match.
func (s *Server) postStart(w http.ResponseWriter, r *http.Request) {
	s.operate(w, r, func(x *entry) error {
		if x.Start == nil {
			return errSelfStarting
		}
		return x.Start()
	})
}

// postFill lets bots take the free seats.
func (s *Server) postFill(w http.ResponseWriter, r *http.Request) {
	s.operate(w, r, func(x *entry) error {
		if x.Fill == nil {
			return errNoBots
		}
		return x.Fill()
	})
}

// postAgain plays a finished match again with the same seats.
func (s *Server) postAgain(w http.ResponseWriter, r *http.Request) {
	s.operate(w, r, func(x *entry) error {
		switch {
		case x.Again == nil:
			return errOnce
		case x != s.matches.currentEntry():
			return errPast
		}
		return x.Again()
	})
}

var (
	errSelfStarting = errors.New("this match starts by itself")
	errNoBots       = errors.New("there are no bots for the seats of this match")
	errOnce         = errors.New("this match cannot be played again")
	errPast         = errors.New("another match has replaced this one")
)

// operate runs do with the requested match if the request is the operator's.
func (s *Server) operate(w http.ResponseWriter, r *http.Request, do func(*entry) error) {
	if !s.operates(w, r) {
		return
	}
	x := s.requested(w, r)
	if x == nil {
		return
	}
	err := do(x)
	for _, conflict := range []error{errSelfStarting, errNoBots, errOnce, errPast, ErrNotOver, match.ErrStarted, match.ErrNoReferee, match.ErrNoPlayers} {
		if errors.Is(err, conflict) {
			fail(w, http.StatusConflict, "%v", err)
			return
		}
	}
	if err != nil {
		fail(w, http.StatusInternalServerError, "%v", err)
		return
	}
	writeJSON(w, x.Feed.Summary())
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
		fail(w, http.StatusUnauthorized, "this requires the operator's token in the header Authorization: Bearer TOKEN")
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
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().Unmap().IsLoopback() || !r.ProtoAtLeast(1, 1) {
		return false
	}
	for _, name := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip"} {
		if r.Header.Get(name) != "" {
			return false
		}
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

// isHere reports whether a host, with or without a port, is a name of this machine that no
// other site can have.
func isHere(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}
