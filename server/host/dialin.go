package host

import (
	"context"
	"errors"
	"net/http"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/connlimit"
	"github.com/hexarena/hexarena/server/session"
)

// DialInPath is the path at which bots of the HTTTX Bot API dial in. The parameter token identifies a
// bot as that of LOGIN does, and the parameter name is the nickname that a seat may wait for.
const DialInPath = "/htttx/session"

var errInvalidToken = errors.New("invalid token")

// dialIn takes in bots of the HTTTX Bot API that dial in, as the port does clients of the
// metaprotocol. requested may serve those of games on request, and may be nil.
func (h *Host) dialIn(requested func(http.ResponseWriter, *http.Request) bool) http.Handler {
	acceptor := botapi.NewLobbyAcceptor(h.log)
	lobby := h.admitting(func(w http.ResponseWriter, r *http.Request, slot *connlimit.Slot) { h.converse(acceptor, w, r, slot) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requested == nil || !requested(w, r) {
			lobby.ServeHTTP(w, r)
		}
	})
}

// converse serves a bot that dials in until its match is over. It has one connection for each match.
func (h *Host) converse(acceptor *botapi.Acceptor, w http.ResponseWriter, r *http.Request, slot *connlimit.Slot) {
	accepting, drop := context.WithCancel(r.Context())
	defer drop()
	defer context.AfterFunc(h.life, drop)()
	slot.OnEvict(drop, drop)
	peer, err := acceptor.AcceptBot(w, r.WithContext(accepting), "bot")
	if err != nil {
		h.logRefusal(r, err)
		return
	}
	one := botapi.NewSeat(peer, botapi.Options{Log: h.log})
	if !slot.Keep() {
		err = session.ErrTooMany
	} else {
		err = h.seatBot(one, r.URL.Query().Get("token"))
	}
	if err != nil {
		h.logRefusal(r, err)
		one.Refuse(err.Error())
		return
	}
	one.Serve(r.Context()) // the match ends the conversation
}

// seatBot gives a bot that has dialled in a seat where the lobby has one, if the host's gate lets it in.
func (h *Host) seatBot(one *botapi.Seat, token string) (err error) {
	c := one.Candidate()
	if h.session.Gate != nil {
		c.Nickname, c.Key, err = h.session.Gate.Login(netorcai.Login{Nickname: c.Nickname, Role: netorcai.RolePlayer, Token: token})
	}
	switch {
	case err != nil:
		return err
	case token != "" && c.Key == "": // such as that of a game on request that is over
		return errInvalidToken
	}
	client := door{lobby: &h.lobby}.client(clean(c))
	client.Packets = one
	_, err = h.lobby.join(one, client)
	return err
}

// logRefusal logs why a bot that dialled in gets no seat.
func (h *Host) logRefusal(r *http.Request, why error) {
	const what = "Bot that dialled in refused"
	if h.opts.Lines.Allow(r.RemoteAddr, what) {
		h.log.Info().Str("address", r.RemoteAddr).Err(why).Msg(what)
	}
}
