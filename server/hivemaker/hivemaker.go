// Package hivemaker implements the HTTP and WebSocket interface of Hivemaker's server, for scripts
// and clients that were written for it. A request creates a game, which is a match of its own
// between bots that the server dials and people or bots that connect with a token. The
// package knows no page and no recording.
//
// A game has one goroutine, and one for each bot that it dials. Players and spectators that connect
// are served by the goroutines of their requests. [Server.Close] waits for all of them.
package hivemaker

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// Options configure how games are hosted.
type Options struct {
	Public bool // bots are dialled on the public Internet only
	// clients other than the operator may request games; their bots are dialled on the public
	// Internet only
	AnyoneMayRequest bool
	// most games at once, a quarter of them reserved for the operator; 0: DefaultGames
	MaxGames       int
	BotMoveTime    time.Duration // of a bot's move without a clock; 0: 60 s
	PersonMoveTime time.Duration // of a person's move without a clock; 0: no limit
	Reconnect      time.Duration // grace period for reconnecting with a token; 0: a token works once
	// for players that connect with a token, for guests two minutes at most; 0: 10 min
	WaitTime time.Duration
	// Builtins holds the names of the built-in bots, and Builtin returns one of them; may be nil.
	Builtins []string
	Builtin  func(name string, seed uint64) (netorcai.Bot, error)
	// Start starts a match, as [host.Host.Start] does.
	Start   func(context.Context, host.Spec) (*host.Room, error)
	Connect botapi.Connect // how bots are dialled; nil: by the system's network
	// the source of ids, tokens and seeds, for one goroutine at a time; nil: crypto/rand's
	Random io.Reader
	Log    zerolog.Logger
}

// DefaultGames is the largest number of games at once, unless the options say otherwise.
const DefaultGames = 100

// Limits of games that guests, who are not the operator, request and that still wait for a player:
// one guest must not keep the others out with games that are not played. The page's player connects
// at once, and a friend who is sent a link within two minutes.
const (
	maxWaiting    = 10 // for each household
	guestWaitTime = 2 * time.Minute
)

// maxFinished is the number of finished games that can still be watched.
const maxFinished = 100

// Server holds all games.
type Server struct {
	opts     Options
	acceptor *botapi.Acceptor
	ctx      context.Context // of the games; ended by Close
	stop     context.CancelFunc
	draining chan struct{}  // closed by Drain
	running  sync.WaitGroup // games, and connections that are being served

	drawing sync.Mutex // held while Random is read

	mu       sync.Mutex // guards the fields below
	games    map[string]*game
	tokens   map[digest]tokenSeat
	finished []*game // games that are over, the oldest first
	closed   bool    // no connection is served any more
	drained  bool    // no more games are created
}

// digest is the digest of a token. The time that a lookup takes reveals nothing about tokens.
type digest [sha256.Size]byte

// tokenSeat is the seat that a token admits to.
type tokenSeat struct {
	game *game
	side int // 0 is x
}

// New returns a server without games. The caller has to close it.
func New(o Options) *Server {
	o.MaxGames = cmp.Or(o.MaxGames, DefaultGames)
	o.BotMoveTime = cmp.Or(o.BotMoveTime, time.Minute)
	o.WaitTime = cmp.Or(o.WaitTime, 10*time.Minute)
	if o.Random == nil {
		o.Random = rand.Reader
	}
	h := &Server{
		opts:     o,
		acceptor: botapi.NewAcceptor(o.Log),
		draining: make(chan struct{}),
		games:    map[string]*game{},
		tokens:   map[digest]tokenSeat{},
	}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// Close aborts all games, and returns when no connection is left.
func (h *Server) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.stop()
	h.running.Wait()
}

// Drain refuses new games, and gives up games that wait for a player. It returns channels that are
// closed when the games that are left are over.
func (h *Server) Drain() (over []<-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.drained {
		h.drained = true
		close(h.draining)
	}
	for _, g := range h.games {
		over = append(over, g.over)
	}
	return over
}

var (
	errWaiting = fmt.Errorf("%d games that you have requested wait for a player; join them first",
		maxWaiting)
	errFull     = errors.New("too many games at once; try again later")
	errStopping = errors.New("the server stops")
)

// start runs a game unless limit games are active, and returns a token for each side that
// connects by itself.
func (h *Server) start(g *game, limit int) (tokens [2]string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed, h.drained:
		return tokens, errStopping
	case len(h.games)-len(h.finished) >= limit:
		return tokens, errFull
	case g.guest != "" && h.waiting(g.guest) >= maxWaiting:
		return tokens, errWaiting
	}
	h.games[g.id] = g
	g.waits.Store(true)
	for side, p := range g.sides {
		if !p.Bot {
			tokens[side] = h.newSecret()
			h.tokens[sha256.Sum256([]byte(tokens[side]))] = tokenSeat{g, side}
		}
	}
	panics.Go(&h.running, func() {
		defer close(g.over)
		defer g.broadcast.close() // after its tokens have become invalid
		defer h.finish(g)
		g.run(h.ctx)
	}, panics.Logged(g.log, "Game failed"))
	return tokens, nil
}

// waiting returns how many games of a guest wait for a player. The caller holds mu.
func (h *Server) waiting(guest string) (n int) {
	for _, g := range h.games {
		if g.guest == guest && g.waits.Load() {
			n++
		}
	}
	return n
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

// finish records that a game is over. Its tokens become invalid; it can be watched until
// maxFinished later games are over.
func (h *Server) finish(g *game) {
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.DeleteFunc(h.tokens, func(_ digest, t tokenSeat) bool { return t.game == g })
	h.finished = append(h.finished, g)
	if len(h.finished) > maxFinished {
		delete(h.games, h.finished[0].id)
		h.finished = h.finished[1:]
	}
}

// newSecret returns a random text that cannot be guessed.
func (h *Server) newSecret() string {
	var b [16]byte
	h.draw(b[:])
	return hex.EncodeToString(b[:])
}

// newSeed returns the seed of a game.
func (h *Server) newSeed() uint64 {
	var b [8]byte
	h.draw(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// draw fills b with random bytes.
func (h *Server) draw(b []byte) {
	h.drawing.Lock()
	defer h.drawing.Unlock()
	if _, err := io.ReadFull(h.opts.Random, b); err != nil {
		panic(err) // crypto/rand's does not fail, and what is predictable is no secret
	}
}
