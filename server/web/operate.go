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

// ErrNotOver is why a match is not played again.
var ErrNotOver = errors.New("the match is not over yet")

// postStart is the operator's start.
func (s *Server) postStart(w http.ResponseWriter, r *http.Request) {
	s.operate(w, r, func(x *exhibit) error {
		if x.Start == nil {
			return errSelfStarting
		}
		return x.Start()
	})
}

// postFill has bots take the free seats.
func (s *Server) postFill(w http.ResponseWriter, r *http.Request) {
	s.operate(w, r, func(x *exhibit) error {
		if x.Fill == nil {
			return errNoBots
		}
		return x.Fill()
	})
}

// postAgain has the seats of a match that is over play once more.
func (s *Server) postAgain(w http.ResponseWriter, r *http.Request) {
	s.operate(w, r, func(x *exhibit) error {
		switch {
		case x.Again == nil:
			return errOnce
		case x != s.hall.now():
			return errPast
		}
		return x.Again()
	})
}

var (
	errSelfStarting = errors.New("this match starts by itself")
	errNoBots       = errors.New("there are no bots for the seats of this match")
	errOnce         = errors.New("this match is played once")
	errPast         = errors.New("another match has taken its place")
)

// operate does something with a match for its operator.
func (s *Server) operate(w http.ResponseWriter, r *http.Request, do func(*exhibit) error) {
	if !s.operates(w, r) {
		return
	}
	x := s.asked(w, r)
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
	writeJSON(w, x.Feed.AppendSummary(nil))
}

// byOperator says whether a request is the operator's, who has a token, or sits at
// this machine where there are none.
func (s *Server) byOperator(r *http.Request) bool {
	if s.opts.Operates == nil {
		return fromHere(r)
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && s.opts.Operates(token)
}

// operates says whether a request is the operator's, and else answers it.
func (s *Server) operates(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case s.byOperator(r):
		return true
	case s.opts.Operates == nil:
		fail(w, http.StatusForbidden, "only a browser on the server's own machine may do this")
	default:
		w.Header().Set("WWW-Authenticate", `Bearer realm="hexarena"`)
		fail(w, http.StatusUnauthorized, "this takes the operator's token, in the header Authorization: Bearer TOKEN")
	}
	return false
}

// mayTry says whether it makes sense to offer a browser what is the operator's.
func (s *Server) mayTry(r *http.Request) bool { return s.opts.Operates != nil || fromHere(r) }

// fromHere says whether a request comes from this machine and means it: a page of
// another site makes browsers ask for things too, a proxy on this machine speaks for
// others, and a name that leads here may be another site's. Not every proxy says that it is one, but then the page has an origin
// elsewhere, or the proxy speaks HTTP/1.0, which no browser does.
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

// isHere says whether a host, with or without a port, is this machine by whatever
// name nobody else can have.
func isHere(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}
