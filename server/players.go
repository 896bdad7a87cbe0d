package server

import (
	"errors"
	"net"
	"net/http"

	"github.com/hexarena/hexarena/server/session"
)

var errOver = errors.New("the match is over")

// Players takes clients in over WebSocket, as the port does over TCP, until the
// match is over.
func (s *Server) Players() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.enter() {
			session.Refuse(w, http.StatusServiceUnavailable, errOver)
			return
		}
		defer s.running.Done()
		slot, refusal := s.conns.Admit(r.RemoteAddr)
		if refusal != "" {
			s.session.Meter.Refused(refusal)
			session.Refuse(w, http.StatusServiceUnavailable, errors.New(refusal))
			return
		}
		defer slot.Release()
		if conn, err := session.OverWebSocket(w, r, s.log); err == nil { // else the request was answered
			s.host(conn, slot)
		}
	})
}

// Take serves a connection as if the port had accepted it, until it is over. It
// closes the connection if the last match is over.
func (s *Server) Take(conn net.Conn) {
	if !s.enter() {
		_ = conn.Close()
		return
	}
	defer s.running.Done()
	if slot := s.slotFor(conn); slot != nil {
		defer slot.Release()
		s.host(session.OverTCP(conn), slot)
	}
}

// ShareWith hands connections to the port that speak HTTP to a web server, and if it
// is secure those that speak TLS. Others are kicked, as by netorcai. It is called before
// Serve.
func (s *Server) ShareWith(web func(net.Conn), secure bool) {
	s.session.Web, s.session.WebTLS = web, secure
}

// enter adds one to those who are running, while Serve still waits for them.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.over:
		return false
	default:
		s.running.Add(1)
		return true
	}
}
