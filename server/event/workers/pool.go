// Package workers runs versions of an event in Web Workers of a page that the operator has open. A worker has nothing but the
// language: no network, no files and no page, so that the host needs no sandbox of its own.
//
// To the host a worker is a started program that speaks on its standard input and output: [Pool.System] starts it, and its
// messages go over the one WebSocket of the page. messages.go describes what is sent there.
package workers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/seat/process"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// Why no worker can be had, or none goes on.
var (
	ErrNoPage   = errors.New("no admin page is open that runs JavaScript versions")
	ErrLost     = errors.New("the admin page that ran JavaScript versions was closed")
	ErrReplaced = fmt.Errorf("%w: another one runs them now", ErrLost)
	errShutdown = errors.New("the event has ended")
)

// maxWorkers bounds the workers of a page, whatever it says: the processors of a large machine.
const maxWorkers = 64

// Options say what workers may do.
type Options struct {
	Operates func(token string) bool // reports whether a token is the operator's
	Least    int                     // workers that a page runs at once, even if it has fewer processors: the seats of a match
	Answer   int                     // bytes of the longest answer of a bot
	Changed  func()                  // called when a page comes or is lost; must not block
	Log      zerolog.Logger
}

// Pool has the workers of the newest page that the operator has opened. Several goroutines may use it at once.
type Pool struct {
	opts    Options
	serving sync.WaitGroup // requests

	mu     sync.Mutex // guards all below
	page   *page      // nil: none is open
	closed bool
}

// State is what runs at a moment.
type State struct {
	Open    bool // a page is open
	Workers int  // that it runs at once, at most
	Running int
}

// NewPool returns a pool without a page.
func NewPool(o Options) *Pool { return &Pool{opts: o} }

// State returns what runs now.
func (p *Pool) State() State {
	g := p.current()
	if g == nil {
		return State{}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return State{Open: true, Workers: g.workers, Running: len(g.bots)}
}

// current returns the page that is open, or nil.
func (p *Pool) current() *page {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.page
}

// ServeHTTP serves the WebSocket of a page until it is closed.
func (p *Pool) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.serving.Add(1)
	}
	p.mu.Unlock()
	if closed {
		http.Error(w, errShutdown.Error(), http.StatusServiceUnavailable)
		return
	}
	defer p.serving.Done()
	g, err := accept(w, r, &p.opts)
	if g == nil {
		return // the request was answered
	}
	if err == nil {
		err = p.admit(g)
	}
	if err == nil {
		p.opts.Log.Info().Int("workers", g.workers).Msg("An admin page runs JavaScript versions")
		err = g.serve()
	}
	p.remove(g)
	g.close(err)
	p.opts.Log.Info().Err(g.cause).Msg("An admin page runs no JavaScript versions any more")
}

// admit makes a page the one that runs versions. The one that did is told, and closed.
func (p *Pool) admit(g *page) error {
	p.mu.Lock()
	old := p.page
	if p.closed {
		p.mu.Unlock()
		return errShutdown
	}
	p.page = g
	p.mu.Unlock()
	if old != nil {
		old.close(ErrReplaced)
	}
	p.opts.Changed()
	return nil
}

// remove forgets a page, unless another one has replaced it.
func (p *Pool) remove(g *page) {
	p.mu.Lock()
	was := p.page == g
	if was {
		p.page = nil
	}
	p.mu.Unlock()
	if was {
		p.opts.Changed()
	}
}

// Close closes the page, and returns when all its requests are over. No other page is let in.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	g := p.page
	p.mu.Unlock()
	if g != nil {
		g.close(errShutdown)
	}
	p.serving.Wait()
}

// Lease is a right to run some workers at once, in the page that was open when it was given. A nil lease is one of no workers.
type Lease struct {
	page    *page
	n       int
	release []func()
}

// Take waits until n workers are free, and returns a lease of them, which the caller must release. Leases are given in the order in which they
// are asked for. The error is [ErrNoPage], also if the page was lost meanwhile, or the cause of ctx.
func (p *Pool) Take(ctx context.Context, n int) (*Lease, error) {
	g := p.current()
	if g == nil {
		return nil, ErrNoPage
	}
	if err := g.take(ctx, n); err != nil {
		return nil, err
	}
	return &Lease{page: g, n: n}, nil
}

// With returns a context that ends with ctx, when the page of the lease is lost, or when the lease is released.
func (l *Lease) With(ctx context.Context) context.Context {
	if l == nil {
		return ctx
	}
	ctx, end := context.WithCancelCause(ctx)
	stop := context.AfterFunc(l.page.life, func() { end(ErrLost) })
	l.release = append(l.release, func() { stop(); end(nil) })
	return ctx
}

// Confirm asks the page of the lease whether it is still there, and returns [ErrLost] if it was lost, or [ErrReplaced].
func (l *Lease) Confirm() error {
	if l == nil {
		return nil
	}
	return l.page.confirm()
}

// Release gives the workers back.
func (l *Lease) Release() {
	if l == nil {
		return
	}
	for _, release := range l.release {
		release()
	}
	l.page.give(l.n)
}

// Command returns the command of a version, which System understands: its digest and its file.
func Command(digest, file string) []string { return []string{"javascript", digest, file, "{nickname}"} }

// System returns where workers are started in place of processes.
func (p *Pool) System() seating.System { return system{seating.Machine(), p} }

// system is this machine with workers in place of processes.
type system struct {
	seating.System
	pool *Pool
}

// Launch implements seating.System. The words of the command are those of [Command].
func (s system) Launch(c launch.Command) (*process.Process, error) {
	g := s.pool.current()
	if g == nil {
		return nil, ErrNoPage
	}
	return g.start(c)
}
