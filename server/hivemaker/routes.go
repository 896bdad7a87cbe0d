package hivemaker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"sync"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/botapi"
)

// maxBody is the largest size of a request for a game, in bytes.
const maxBody = 64 << 10

// Handle adds the interface to a mux. isOperator reports whether a request is the operator's.
func (h *Server) Handle(mux *http.ServeMux, isOperator func(*http.Request) bool) {
	mux.HandleFunc("POST /game/new", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case isOperator(r):
			h.newGame(w, r, h.operatorDialer, h.opts.MaxGames)
		case h.opts.AnyoneMayRequest:
			h.newGame(w, r, h.publicDialer, h.opts.MaxGames-h.opts.MaxGames/4) // the rest is reserved for the operator
		default:
			w.Header().Set("WWW-Authenticate", `Bearer realm="hexarena"`)
			writeError(w, http.StatusUnauthorized, "this requires the operator's token in the header Authorization: Bearer TOKEN")
		}
	})
	mux.HandleFunc("GET /game/bots", h.listBots)
	mux.HandleFunc("GET /ws", h.connectPerson)
	mux.HandleFunc("GET /htttx/session", h.connectBot)
	mux.HandleFunc("GET /spectate/{id}", h.spectate)
}

// newGame creates a game unless there are too many. The body must be declared as JSON, so that
// pages of other sites cannot create games through their visitors' browsers.
func (h *Server) newGame(w http.ResponseWriter, r *http.Request, d *botapi.Dialer, limit int) {
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
			writeError(w, http.StatusUnprocessableEntity, fmt.Sprintf("there is no built-in bot %q; they are %q", p.BuiltIn, h.opts.Builtins))
			return
		}
	}
	g := h.newGameOf(config, d)
	tokens, err := h.addGame(g, limit)
	if err != nil {
		writeError(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	select {
	case h.starts <- g:
	case <-h.stopped:
		h.finish(g)
		writeError(w, http.StatusServiceUnavailable, errStopping.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(htttx.GameCreated{GameID: g.id, TokenCross: tokens[0], TokenCircle: tokens[1]})
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

// connectPerson connects a person with a client.
func (h *Server) connectPerson(w http.ResponseWriter, r *http.Request) {
	h.connectSeat(w, r, func(side int) (*botapi.Peer, error) {
		return h.acceptor.AcceptPerson(w, r, "person ("+sideNames[side]+")")
	})
}

// connectBot connects a bot that cannot be dialled, in the seat of a person.
func (h *Server) connectBot(w http.ResponseWriter, r *http.Request) {
	h.connectSeat(w, r, func(int) (*botapi.Peer, error) {
		ctx, cancel := context.WithCancel(r.Context())
		var watching sync.WaitGroup
		watching.Go(func() { // a silent bot does not keep the server from stopping
			select {
			case <-h.stopped:
				cancel()
			case <-ctx.Done():
			}
		})
		defer watching.Wait()
		defer cancel()
		return h.acceptor.AcceptBot(w, r.WithContext(ctx))
	})
}

const invalidToken = "invalid token"

func (h *Server) connectSeat(w http.ResponseWriter, r *http.Request, accept func(side int) (*botapi.Peer, error)) {
	if !h.beginRequest() {
		writeError(w, http.StatusServiceUnavailable, errStopping.Error())
		return
	}
	defer h.endRequest()
	if !botapi.IsUpgrade(r) { // a plain GET does not use the token
		writeError(w, http.StatusUpgradeRequired, "connect to this address with a WebSocket")
		return
	}
	t, ok := h.useToken(r.URL.Query().Get("token"))
	if !ok {
		h.acceptor.Refuse(w, r, invalidToken)
		return
	}
	a := h.connect(func() (*botapi.Peer, error) { return accept(t.side) })
	if a.err != nil {
		h.opts.Log.Info().Err(a.err).Str("address", r.RemoteAddr).Msg("Cannot seat a player that connected with a token")
		a.err = errors.New("came, but could not be seated")
	}
	t.game.admit(t.side, a)
}
