package host

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/session"
)

// DialInPath is the path at which bots of the HTTTX Bot API dial in. The parameter token identifies
// a bot as that of LOGIN does, and the parameter name is the nickname that a seat may wait for.
const DialInPath = "/htttx/session"

var errInvalidToken = errors.New("invalid token")

// dialIn takes in bots of the HTTTX Bot API that dial in, as the port does clients of the
// metaprotocol. requested may serve those of games on request, and may be nil.
func (h *Host) dialIn(requested func(http.ResponseWriter, *http.Request) bool) http.Handler {
	acceptor := botapi.NewLobbyAcceptor(h.log)
	lobby := h.admitting(func(w http.ResponseWriter, r *http.Request, slot *limits.Slot) {
		h.converse(acceptor, w, r, slot)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requested == nil || !requested(w, r) {
			lobby.ServeHTTP(w, r)
		}
	})
}

// converse serves a bot that dials in until its match is over. It has one connection for each
// match.
func (h *Host) converse(
	acceptor *botapi.Acceptor, w http.ResponseWriter, r *http.Request, slot *limits.Slot,
) {
	accepting, drop := h.untilSeated(r, slot)
	defer drop()
	peer, err := acceptor.AcceptBot(w, r.WithContext(accepting), "bot")
	if err != nil {
		h.logRefusal(r, err)
		return
	}
	one := botapi.NewSeat(peer, botapi.Options{Log: h.log})
	if h.seatPeer(one, r, slot, r.URL.Query().Get("token"), door{lobby: &h.lobby}) {
		one.Serve(r.Context()) // the match ends the conversation
	}
}

// untilSeated returns a context that ends when a peer that is to send its first frame is dropped
// for others or the host is shut down.
func (h *Host) untilSeated(
	r *http.Request, slot *limits.Slot,
) (context.Context, context.CancelFunc) {
	accepting, drop := context.WithCancel(r.Context())
	unhook := context.AfterFunc(h.life, drop)
	slot.OnEvict(drop, drop)
	return accepting, func() {
		unhook()
		drop()
	}
}

// seatPeer gives a peer the seat that a door has for it, if the host's gate lets it in. If it gets
// none, it is told why, and must not be served.
func (h *Host) seatPeer(
	one *botapi.Seat, r *http.Request, slot *limits.Slot, token string, by door,
) bool {
	err := session.ErrTooMany
	if slot.Keep() {
		err = h.join(one, token, by)
	}
	if err != nil {
		h.logRefusal(r, err)
		one.Refuse(err.Error())
	}
	return err == nil
}

// join passes a peer through the host's gate, and gives it the seat that a door has for it.
func (h *Host) join(one *botapi.Seat, token string, by door) (err error) {
	c := one.Candidate()
	c.Since = time.Now()
	if h.session.Gate != nil {
		c.Nickname, c.Key, err = h.session.Gate.Login(
			netorcai.Login{Nickname: c.Nickname, Role: netorcai.RolePlayer, Token: token})
	}
	switch {
	case err != nil:
		return err
	case token != "" && c.Key == "": // such as that of a game on request that is over
		return errInvalidToken
	}
	client := by.client(clean(c))
	client.Packets = one
	_, err = by.take(one, client)
	return err
}

// logRefusal logs why a peer that connected gets no seat.
func (h *Host) logRefusal(r *http.Request, why error) {
	const what = "Player refused"
	if h.opts.Lines.Allow(r.RemoteAddr, what) {
		h.log.Info().Str("address", r.RemoteAddr).Err(why).Msg(what)
	}
}
