// Package hivemaker implements the HTTP and WebSocket interface of Hivemaker's server, for scripts
// and clients that were written for it. A request creates a game, which is a match of its own
// between bots that the server dials and people or bots that connect with a token. The
// package knows no page and no recording.
//
// [Server.Serve] owns all goroutines: one for each game, two for each seat, and those of the
// connections. It waits for all of them.
package hivemaker

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/panics"
)

// Options configure how games are hosted.
type Options struct {
	Public           bool          // bots are dialled on the public Internet only
	AnyoneMayRequest bool          // clients other than the operator may request games; their bots are dialled on the public Internet only
	MaxGames         int           // most games at once, a quarter of them reserved for the operator; 0: DefaultGames
	BotMoveTime      time.Duration // of a bot's move without a clock; 0: 60 s
	PersonMoveTime   time.Duration // of a person's move without a clock; 0: 300 s
	Reconnect        time.Duration // grace period for reconnecting with a token; 0: a token works once
	WaitTime         time.Duration // for players that connect with a token; 0: 10 min
	// Builtins holds the names of the built-in bots, and Builtin returns one of them; may be nil.
	Builtins []string
	Builtin  func(name string, seed uint64) (netorcai.Bot, error)
	// Start starts a match, as [host.Host.Start] does.
	Start func(context.Context, host.Spec) (*host.Room, error)
	Log   zerolog.Logger
}

// DefaultGames is the largest number of games at once, unless the options say otherwise.
const DefaultGames = 100

// maxFinished is the number of finished games that can still be watched.
const maxFinished = 100

// Server holds all games.
type Server struct {
	opts           Options
	operatorDialer *botapi.Dialer // for the operator
	publicDialer   *botapi.Dialer // for other clients: on the public Internet only
	acceptor       *botapi.Acceptor
	starts         chan *game
	stopped        chan struct{} // closed when no more games start
	draining       chan struct{} // closed by Drain
	idle           chan struct{} // closed when the last game is over, after Drain

	mu           sync.Mutex // guards the fields below
	games        map[string]*game
	tokens       map[digest]tokenSeat
	active       int            // games that are not over
	finished     []*game        // games that are over, the oldest first
	closed       bool           // no connection is served any more
	drainStarted bool           // no more games are created
	connections  sync.WaitGroup // connections that are being served
}

// digest is the digest of a token. The time that a lookup takes reveals nothing about tokens.
type digest [sha256.Size]byte

// tokenSeat is the seat that a token admits to.
type tokenSeat struct {
	game *game
	side int // 0 is x
}

// New returns a server without games.
func New(o Options) *Server {
	o.MaxGames = or(o.MaxGames, DefaultGames)
	o.BotMoveTime = or(o.BotMoveTime, time.Minute)
	o.PersonMoveTime = or(o.PersonMoveTime, 5*time.Minute)
	o.WaitTime = or(o.WaitTime, 10*time.Minute)
	return &Server{
		opts:           o,
		operatorDialer: botapi.NewDialer(o.Public, o.Log),
		publicDialer:   botapi.NewDialer(true, o.Log),
		acceptor:       botapi.NewAcceptor(o.Log),
		starts:         make(chan *game),
		stopped:        make(chan struct{}),
		draining:       make(chan struct{}),
		idle:           make(chan struct{}),
		games:          map[string]*game{},
		tokens:         map[digest]tokenSeat{},
	}
}

func or[T comparable](value, absent T) T {
	var zero T
	if value == zero {
		return absent
	}
	return value
}

// Serve plays games until ctx ends. Then it aborts those that are being played.
func (h *Server) Serve(ctx context.Context) {
	var games sync.WaitGroup
	for {
		select {
		case g := <-h.starts:
			panics.Go(&games, func() {
				defer g.broadcast.close() // after its tokens have become invalid
				defer h.finish(g)
				g.run(ctx)
			}, panics.Logged(g.log, "Game failed"))
			continue
		case <-ctx.Done():
		}
		break
	}
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	close(h.stopped)
	games.Wait()
	h.connections.Wait()
	h.operatorDialer.Close()
	h.publicDialer.Close()
}

// Drain refuses new games, and gives up games that wait for a player. The channel is closed
// when the last game is over.
func (h *Server) Drain() (idle <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.drainStarted {
		h.drainStarted = true
		close(h.draining)
		h.signalIdle()
	}
	return h.idle
}

// signalIdle closes idle if the last game is over. The caller holds mu.
func (h *Server) signalIdle() {
	if h.drainStarted && h.active == 0 {
		close(h.idle)
	}
}

var (
	errFull     = errors.New("too many games at once; try again later")
	errStopping = errors.New("the server stops")
)

// addGame adds a game unless limit games are active, and returns a token for each side that
// connects by itself.
func (h *Server) addGame(g *game, limit int) (tokens [2]string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed, h.drainStarted:
		return tokens, errStopping
	case h.active >= limit:
		return tokens, errFull
	}
	h.active++
	h.games[g.id] = g
	for side, p := range g.players() {
		if !p.Bot {
			tokens[side] = newSecret()
			h.tokens[sha256.Sum256([]byte(tokens[side]))] = tokenSeat{g, side}
		}
	}
	return tokens, nil
}

// useToken returns the seat of a token. The token works once, unless players may reconnect.
func (h *Server) useToken(token string) (tokenSeat, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := sha256.Sum256([]byte(token))
	t, ok := h.tokens[key]
	if h.opts.Reconnect <= 0 {
		delete(h.tokens, key)
	}
	return t, ok
}

func (h *Server) find(id string) *game {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.games[id]
}

// beginRequest and endRequest enclose the service of a connection.
func (h *Server) beginRequest() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.connections.Add(1)
	}
	return !h.closed
}

func (h *Server) endRequest() { h.connections.Done() }

// finish records that a game is over. Its tokens become invalid; it can be watched until
// maxFinished later games are over.
func (h *Server) finish(g *game) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.active--
	h.signalIdle()
	for key, t := range h.tokens {
		if t.game == g {
			delete(h.tokens, key)
		}
	}
	h.finished = append(h.finished, g)
	if len(h.finished) > maxFinished {
		delete(h.games, h.finished[0].id)
		h.finished = h.finished[1:]
	}
}

// newSecret returns a random text that cannot be guessed.
func newSecret() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it cannot fail
	return hex.EncodeToString(b[:])
}
