package host

import (
	"errors"
	"net"
	"net/http"

	"github.com/hexarena/hexarena/server/session"
)

var errOver = errors.New("the match is over")

// Players takes clients in over WebSocket, as the port does over TCP, until the
// match is over.
func (h *Host) Players() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.enter() {
			session.Refuse(w, http.StatusServiceUnavailable, errOver)
			return
		}
		defer h.running.Done()
		slot, refusal := h.conns.Admit(r.RemoteAddr)
		if refusal != "" {
			h.session.Meter.Refused(refusal)
			session.Refuse(w, http.StatusServiceUnavailable, errors.New(refusal))
			return
		}
		defer slot.Release()
		if conn, err := session.OverWebSocket(w, r, h.log); err == nil { // else the request was answered
			h.serve(conn, slot)
		}
	})
}

// Take serves a connection as if the port had accepted it, until it is over. It
// closes the connection if the last match is over.
func (h *Host) Take(conn net.Conn) {
	if !h.enter() {
		_ = conn.Close()
		return
	}
	defer h.running.Done()
	if slot := h.slotFor(conn); slot != nil {
		defer slot.Release()
		h.serve(session.OverTCP(conn), slot)
	}
}

// ShareWith hands connections to the port that speak HTTP to a web server, and if it
// is secure those that speak TLS. Others are kicked, as by netorcai. It is called before
// Serve.
func (h *Host) ShareWith(web func(net.Conn), secure bool) {
	h.session.Web, h.session.WebTLS = web, secure
}

// enter adds one to those who are running, while Serve still waits for them.
func (h *Host) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.over:
		return false
	default:
		h.running.Add(1)
		return true
	}
}
