// Package direct seats bots that need no login: those of this process, which are called,
// and those of the HTTTX Bot API that listen, which are dialled. Bots of this process need no
// connection and no encoding; they receive and do the same as over a wire.
package direct

import (
	"context"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/botapi"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
)

// Options say how the bots of a match are seated.
type Options struct {
	Builtin func(name string, seed uint64) (netorcai.Bot, error) // returns a built-in bot
	// bots are dialled on the public Internet only
	Public bool
	// how bots are dialled; nil: by the system's network
	Connect botapi.Connect
	// how often a bot that was dialled is pinged; 0: as botapi has it
	Heartbeat time.Duration
	// that bots without a clock are told a move may take; 0: nothing
	Patience time.Duration
	// one goroutine calls all built-in bots, so that they take one core
	Shared bool
	Log    zerolog.Logger
}

// Bots seats the bots of one match. It keeps a goroutine for each built-in bot, or one for all of
// them, until Close.
type Bots struct {
	opts    Options
	dialer  *botapi.Dialer
	running sync.WaitGroup // loops

	mu     sync.Mutex // guards the fields below
	loops  []*loop
	closed bool // no more bots are called
}

// New returns what seats the bots of a match.
func New(o Options) *Bots {
	b := &Bots{opts: o}
	if o.Connect != nil {
		b.dialer = botapi.NewDialerOver(o.Connect, o.Log)
	} else {
		b.dialer = botapi.NewDialer(o.Public, o.Log)
	}
	return b
}

// Call seats the built-in bot of that name: join asks the match for a seat.
func (b *Bots) Call(name string, seed uint64, join func(match.Seat) error) (*Seat, error) {
	bot, err := b.opts.Builtin(name, seed)
	if err != nil {
		return nil, err
	}
	l := b.nextLoop()
	if l == nil {
		return nil, match.ErrAborted
	}
	s := l.seat(bot, b.opts.Patience)
	return s, join(s)
}

// nextLoop returns the loop of the next built-in bot, which runs; nil after Close.
func (b *Bots) nextLoop() *loop {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	if b.opts.Shared && len(b.loops) > 0 {
		return b.loops[0]
	}
	l := newLoop()
	b.loops = append(b.loops, l)
	panics.Go(&b.running, l.run, panics.Logged(b.opts.Log, "Calling built-in bots failed"))
	return l
}

// Dial connects to the bot that listens at an address: join asks the match for a seat. The caller
// has to serve the seat that is returned.
func (b *Bots) Dial(
	ctx context.Context, address string, join func(*botapi.Peer, match.Seat, match.Candidate) error,
) (*botapi.Seat, error) {
	peer, err := b.dialer.Dial(ctx, address)
	if err != nil {
		return nil, err
	}
	s := botapi.NewSeat(peer,
		botapi.Options{Heartbeat: b.opts.Heartbeat, Patience: b.opts.Patience, Log: b.opts.Log})
	if err := join(peer, s, s.Candidate()); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close returns when no built-in bot is called any more. It is called once, when the match is over
// and all bots that were dialled have been served.
func (b *Bots) Close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	for _, l := range b.loops {
		l.close()
	}
	b.running.Wait()
	b.dialer.Close()
}
