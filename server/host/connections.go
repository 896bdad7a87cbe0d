package host

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/session"
)

// farewellTime is the time that connections may take to end after the last match, or after an
// abort: netorcai's process is gone 500 ms later at the most.
const farewellTime = 450 * time.Millisecond

var errOver = errors.New("the match is over")

// Players takes clients in over WebSocket, as the port does over TCP, until the host is
// shut down.
func (h *Host) Players() http.Handler { return h.playersBy(door{lobby: &h.lobby, page: true}) }

// playersOf is Players for the address of a room's match: a request that names a match is for
// this one, and other clients are seated as those of the port are.
func (h *Host) playersOf(at *handle) http.Handler {
	lobby, room := h.Players(), h.playersBy(door{lobby: &h.lobby, room: at, page: true})
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Query().Get("match") == "" {
			lobby.ServeHTTP(w, req)
			return
		}
		room.ServeHTTP(w, req)
	})
}

// playersBy takes clients in over WebSocket that get their seats from the given door.
func (h *Host) playersBy(door session.Door) http.Handler {
	return h.admitting(func(w http.ResponseWriter, r *http.Request, slot *limits.Slot) {
		// else the request was answered
		if conn, err := session.OverWebSocket(w, r, h.contexts, h.log); err == nil {
			h.serve(conn, slot, h.session.Gate, door)
		}
	})
}

// admitting returns a handler of requests that count as connections to the port, until the host is
// shut down.
func (h *Host) admitting(
	serve func(http.ResponseWriter, *http.Request, *limits.Slot),
) http.Handler {
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
		serve(w, r, slot)
	})
}

// Take implements seating.Server. It closes the connection if the host is shut down.
func (h *Host) Take(conn net.Conn, bot *seating.Seat) {
	if !h.enter() {
		_ = conn.Close()
		return
	}
	defer h.running.Done()
	if slot := h.slotFor(conn); slot != nil {
		defer slot.Release()
		h.serve(session.OverTCP(conn), slot, h.gateOf(bot), door{lobby: &h.lobby, bot: bot})
	}
}

// Converse implements seating.Server. The conversation takes no slot of the port, and its LOGIN may
// take any time.
func (h *Host) Converse(conn session.Conn, bot *seating.Seat) (reason string) {
	if !h.enter() {
		_ = conn.Close()
		return ""
	}
	defer h.running.Done()
	o := h.session
	o.LoginTimeout, o.Gate, o.Door = 0, h.gateOf(bot), door{lobby: &h.lobby, bot: bot}
	one := session.New(conn, o)
	h.serveSession(one)
	return one.Farewell()
}

// enter counts a connection as running, unless Shutdown no longer waits for it.
func (h *Host) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.life.Done():
		return false
	default:
		h.running.Add(1)
		return true
	}
}

// gateOf returns the gate for a client that comes from the process of a started bot; nil stands for
// no bot.
func (h *Host) gateOf(bot *seating.Seat) session.Gate {
	if bot != nil && h.opts.Started != nil {
		return h.opts.Started
	}
	return h.session.Gate
}

// serve gives a connection a session, whose client is let in by gate and gets its seat from door,
// and serves it to its end.
func (h *Host) serve(conn session.Conn, slot *limits.Slot, gate session.Gate, door session.Door) {
	o := h.session
	o.Slot, o.Gate, o.Door = slot, gate, door
	one := session.New(conn, o)
	slot.OnEvict(func() { one.Kick(session.ErrTooMany) }, one.Close)
	h.serveSession(one)
}

// serveSession serves a session to its end. Shutdown ends it.
func (h *Host) serveSession(one *session.Session) {
	h.mu.Lock()
	h.sessions[one] = struct{}{}
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.sessions, one)
	}()
	select {
	case <-h.life.Done():
		one.Kick(match.ErrAborted)
		one.Finish()
	default:
	}
	one.Serve()
}

// dismiss kicks the clients that have no seat, those that stay with the given reason, and waits
// until every connection has ended: when its client has taken all it was sent, or after
// CloseTimeout. Clients that owe something have linger instead, if that is longer. All connections
// are closed soon after ctx has ended.
func (h *Host) dismiss(ctx context.Context, reason error, linger time.Duration) {
	farewell := cmp.Or(h.opts.CloseTimeout, farewellTime)
	h.each(func(one *session.Session) {
		if one.Stays() { // it does not wait in the lobby as long as it owes an answer
			one.Kick(reason)
		}
		one.Kick(match.ErrAborted)
		one.Finish()
	})
	soft := time.AfterFunc(farewell, func() {
		h.each(func(one *session.Session) {
			if linger <= farewell || !one.Owes() {
				one.Close()
			}
		})
	})
	defer soft.Stop()
	hard := time.AfterFunc(max(linger, farewell), func() { h.each((*session.Session).Close) })
	defer hard.Stop()
	defer context.AfterFunc(ctx, func() { hard.Reset(farewell) })()
	h.running.Wait()
}

// Kick disconnects the clients with a key that wait for a seat, or have one after a wait.
func (h *Host) Kick(key string) {
	h.each(func(one *session.Session) {
		if one.Key() == key {
			one.Kick(session.ErrOperator)
		}
	})
}

// each calls do for all sessions. A panic over one does not concern the others.
func (h *Host) each(do func(*session.Session)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for one := range h.sessions {
		if p := panics.Catch(func() { do(one) }); p != nil {
			panics.Logged(h.log, "Ending a session failed")(p)
		}
	}
}
