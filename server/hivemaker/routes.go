package hivemaker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/machine/limits"
)

// maxBody is the largest size of a request for a game, in bytes.
const maxBody = 64 << 10

// Handle adds the interface to a mux. isOperator reports whether a request is the operator's.
func (h *Server) Handle(mux *http.ServeMux, isOperator func(*http.Request) bool) {
	mux.HandleFunc("POST /game/new", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case isOperator(r):
			h.newGame(w, r, "", h.opts.Public, h.opts.MaxGames)
		case h.opts.AnyoneMayRequest:
			guest := cmp.Or(limits.Household(r.RemoteAddr), limits.Source(r.RemoteAddr))
			// the rest is reserved for the operator
			h.newGame(w, r, guest, true, h.opts.MaxGames-h.opts.MaxGames/4)
		default:
			w.Header().Set("WWW-Authenticate", `Bearer realm="hexarena"`)
			writeError(w, http.StatusUnauthorized,
				"this requires the operator's token in the header Authorization: Bearer TOKEN")
		}
	})
	mux.HandleFunc("GET /game/bots", h.listBots)
	mux.HandleFunc("GET /ws", h.serve(func(w http.ResponseWriter, r *http.Request) {
		if botapi.IsUpgrade(r) && !r.URL.Query().Has("token") { // as Hivemaker's server does
			writeError(w, http.StatusForbidden, "the address lacks ?token=TOKEN")
			return
		}
		accept := func(side int) (*botapi.Peer, error) {
			return h.acceptor.AcceptPerson(w, r, "person ("+sideNames[side]+")")
		}
		if !h.connectSeat(w, r, accept) {
			h.acceptor.Refuse(w, r, invalidToken)
		}
	}))
	mux.HandleFunc("GET /spectate/{id}", h.serve(h.spectate))
}

// Session connects a bot that cannot be dialled, in the seat of a person. It reports false if no
// game has the token of the request, which is then not answered.
func (h *Server) Session(w http.ResponseWriter, r *http.Request) (known bool) {
	known = true // also when serve refuses the request
	h.serve(func(w http.ResponseWriter, r *http.Request) {
		known = h.connectSeat(w, r, func(side int) (*botapi.Peer, error) {
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			defer context.AfterFunc(h.ctx, cancel)() // a silent bot does not keep the server from stopping
			return h.acceptor.AcceptBot(w, r.WithContext(ctx), "bot ("+sideNames[side]+")")
		})
	})(w, r)
	return known
}

// serve returns a handler that Close waits for.
func (h *Server) serve(handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		closed := h.closed
		if !closed {
			h.running.Add(1)
		}
		h.mu.Unlock()
		if closed {
			writeError(w, http.StatusServiceUnavailable, errStopping.Error())
			return
		}
		defer h.running.Done()
		handle(w, r)
	}
}

// newGame creates a game unless there are too many. guest is where a request comes from that is not
// the operator's, or empty. The body must be declared as JSON, so that
// pages of other sites cannot create games through their visitors' browsers.
func (h *Server) newGame(
	w http.ResponseWriter, r *http.Request, guest string, public bool, limit int,
) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		writeError(w, http.StatusUnsupportedMediaType, "the Content-Type has to be application/json")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		writeError(w, http.StatusRequestEntityTooLarge, err.Error())
		return
	}
	config, err := htttx.ParseNewGame(body)
	if err != nil {
		writeError(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	for _, p := range []htttx.Participant{config.Cross, config.Circle} {
		if p.BuiltIn != "" && !slices.Contains(h.opts.Builtins, p.BuiltIn) {
			writeError(w, http.StatusUnprocessableEntity,
				fmt.Sprintf("there is no built-in bot %q; they are %q", p.BuiltIn, h.opts.Builtins))
			return
		}
	}
	g := h.newGameOf(config, public)
	g.guest = guest
	tokens, err := h.start(g, limit)
	if err != nil {
		writeError(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(
		htttx.GameCreated{GameID: g.id, TokenCross: tokens[0], TokenCircle: tokens[1]})
}

// listBots lists the built-in bots.
func (h *Server) listBots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string][]string{"bots": append([]string{}, h.opts.Builtins...)})
}

// writeError sends an error in the form of Hivemaker's server.
func writeError(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"detail": detail})
}

const invalidToken = "invalid token"

// connectSeat connects a player with its token. It reports false if no game has that token.
func (h *Server) connectSeat(
	w http.ResponseWriter, r *http.Request, accept func(side int) (*botapi.Peer, error),
) (known bool) {
	if !botapi.IsUpgrade(r) { // a plain GET does not use the token
		writeError(w, http.StatusUpgradeRequired, "connect to this address with a WebSocket")
		return true
	}
	t, known := h.useToken(r.URL.Query().Get("token"))
	if !known {
		return false
	}
	s, err := t.game.connect(t.side, accept)
	if err != nil {
		h.opts.Log.Info().Err(err).Str("address", r.RemoteAddr).Msg(
			"Cannot seat a player that connected with a token")
		if h.opts.Reconnect <= 0 { // the token is used up
			t.game.miss(t.side, errors.New("connected, but could not be seated"))
		}
	}
	if s != nil {
		defer t.game.people.Done()
		t.game.serve(r.Context(), t.side, s) // the game ends the conversation
	}
	return true
}
