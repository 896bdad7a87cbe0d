// Package serve serves a built-in bot to other programs over the HTTTX Bot API:
// basic_websocket and stateless v1-alpha, with all capabilities.
//
// Each session has one goroutine that reads, one that answers and, during a request, one
// that thinks. The HTTP request that opened the session returns after all of them.
package serve

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	bots "github.com/hexarena/hexarena/bots/hextictactoe"
	rules "github.com/hexarena/hexarena/engine/hextictactoe"
	"github.com/hexarena/hexarena/protocol/htttx"
)

// Options configure the server.
type Options struct {
	Bot     bots.Bot
	Name    string    // the name in the capabilities
	Version string    // of the program
	Seed    uint64    // for the bot's random choices
	Past    bots.Past // a game whose timed answers it repeats; nil: none

	// The rules, which packets do not contain; 0 means the usual value.
	ViewDistance, WinDistance int
}

// Limits of what clients can make the server do.
const (
	maxBody     = 1 << 20 // bytes of a packet or a body
	maxPieces   = 1 << 11 // of a board, each of which takes some 6 KiB: a game of 1000 moves has fewer
	maxSessions = 64      // at a time, stateless requests included
	writeTime   = 10 * time.Second
	closeTime   = time.Second      // for the closing handshake
	idleTime    = 10 * time.Minute // how long a session may be silent
	thinkTime   = 5 * time.Minute  // for a request without a limit
)

// server serves one bot.
type server struct {
	Options
	capabilities []byte
	machine      bots.Machine
	upgrader     websocket.Upgrader
	busy         chan struct{} // semaphore: holds one element for each session
	running      sync.WaitGroup
}

func newServer(o Options) *server {
	usual := rules.Defaults()
	o.ViewDistance = cmp.Or(o.ViewDistance, usual.ViewDistance)
	o.WinDistance = cmp.Or(o.WinDistance, usual.WinDistance)
	s := &server{Options: o, busy: make(chan struct{}, maxSessions)}
	s.upgrader.CheckOrigin = func(*http.Request) bool { return true } // as shared says
	s.capabilities = htttx.Capabilities{
		Meta: htttx.Meta{
			Name: o.Name, Description: "a built-in bot of hexarena", Version: o.Version,
			Authors: []string{"hexarena"}, Tags: []string{"hexarena"},
		},
		Socket: &htttx.Socket{
			APIRoot: htttx.DefaultSocketRoot, MoveTimeLimit: true, Evaluation: true,
			EvaluationTimeLimit: true,
			Config:              true, DynamicConfig: true, FreeSetup: true, ResettableState: true,
			MoveSkips: true,
			DualSided: true, FreeMoveOrder: true, Interruptible: true, RequestID: true,
		},
		Stateless: &htttx.Stateless{
			APIRoot: htttx.DefaultStatelessRoot, MoveTimeLimit: true, RequestID: true,
		},
	}.Append(nil)
	return s
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /capabilities.json", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, s.capabilities)
	})
	mux.HandleFunc("GET /"+htttx.DefaultSocketRoot+"/game", s.admit(s.play))
	mux.HandleFunc("POST /"+htttx.DefaultStatelessRoot+"/turn", s.admit(s.turn))
	return shared(mux)
}

// shared returns a handler that lets pages of all sites ask the bot and read its answers, which
// hold nothing private.
func shared(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.Method == http.MethodOptions { // a browser asks before it sends JSON
			w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// Run serves a bot on l until ctx ends, which aborts the sessions.
func Run(ctx context.Context, l net.Listener, o Options) error {
	s := newServer(o)
	server := http.Server{
		Handler:           s.routes(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    16 << 10,
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	hard, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := server.Shutdown(hard)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	<-done
	s.running.Wait()
	return err
}

// admit limits the number of sessions.
func (s *server) admit(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.busy <- struct{}{}:
			s.running.Add(1)
			defer func() {
				<-s.busy
				s.running.Done()
			}()
			serve(w, r)
		default:
			refuse(w, http.StatusServiceUnavailable, "too many games at a time; try again later")
		}
	}
}

// turn answers a stateless request.
func (s *server) turn(w http.ResponseWriter, r *http.Request) {
	read := http.NewResponseController(w)
	_ = read.SetReadDeadline(time.Now().Add(writeTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_ = read.SetReadDeadline(time.Time{}) // would end the search as well
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		refuse(w, http.StatusRequestEntityTooLarge, "the body is larger than 1 MiB")
		return
	}
	if err != nil {
		refuse(w, http.StatusRequestTimeout, "the body did not come within 10 seconds")
		return
	}
	request, pieces, err := htttx.ParseTurnRequest(body)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	q, err := s.question(pieces, request.ToMove)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	q.Seed = s.Seed
	s.setTime(&q, request.Limit/statelessShare, true)
	ctx, cancel := q.WithLimit(r.Context())
	defer cancel()
	response := moveResponse(s.Bot.Move(ctx, q))
	response.RequestID = request.RequestID
	answer(w, http.StatusOK, htttx.AppendTurnResponse(nil, response))
}

// statelessShare is the divisor of the limit of a stateless request, which does not say whether the
// limit is for this move or for all that follow: a clock lasts, and is used up in the end.
const statelessShare = 8

// setTime limits the time of a question. A limit that may not be for one move alone may be all the
// time left on a clock, so only a part of it is used. A repeated answer may take up to thinkTime.
func (s *server) setTime(q *bots.Question, limit time.Duration, perMove bool) {
	if !s.Past.Repeat(q) && limit > 0 {
		q.SetTimer(bots.Clock{Left: limit, PerMove: perMove}, &s.machine)
	}
	if q.Limit == 0 {
		q.Limit = thinkTime
	}
}

func answer(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has disconnected needs no answer
}
