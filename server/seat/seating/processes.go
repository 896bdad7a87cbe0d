package seating

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/machine/netconn"
	"github.com/hexarena/hexarena/server/machine/origin"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/seat/process"
	"github.com/hexarena/hexarena/server/session"
)

// Server serves the connections of started bots.
type Server interface {
	// Take serves a connection to the bot's own port, until it is over.
	Take(conn net.Conn, bot *Seat)
	// Converse serves a bot on its standard input and output until the conversation is over, and
	// returns why the bot was kicked, "" if it was not.
	Converse(conn session.Conn, bot *Seat) (reason string)
}

// Processes are the started bots of a host's rooms, and those that go on to run between matches.
type Processes struct {
	server  Server
	system  System
	host    string // where bots on this machine find the server
	port    int    // zero means that the server does not listen
	asked   int    // the port that bots may have been written for; 0: none
	most    int    // bots that stay between matches at the same time
	traced  func() bool
	log     zerolog.Logger
	serving sync.WaitGroup // bots' own ports, and conversations over standard input and output

	mu      sync.Mutex // guards all below
	callers []*running // that may log in at the server's port; some may have ended
	// bots between two matches, the one that has been there longest first
	kept    []*running
	staying map[match.Seat]*running // those whose clients stay, by their connections
	logics  []*Logic                // game logics whose matches are not over
}

// running is a bot's process.
type running struct {
	bot  *process.Bot
	proc *process.Process
	seat atomic.Pointer[Seat] // that it has in the match that is played, or had in the last one

	// of a bot on standard input and output
	heard    *listener
	hungUp   chan struct{} // closed when its conversation is over
	farewell string        // why it was kicked, once hungUp is closed; "": it was not

	// Guarded by the mutex of Processes.
	cpu   time.Duration // processor time that it had used by the end of its last match
	stays *stayer       // nil: its client does not stay, or is in its first match
	waits chan struct{} // gets one when its client has left the match, and waits for the next one
}

// NewProcesses returns the started bots, none so far, of a server that listens at an address: that
// of the host bind, which may be empty, and, if it was free, the port asked. at is nil if the
// server does not listen. most is how many bots may stay between matches at the same time. They are
// started in a system, nil stands for this machine.
func NewProcesses(
	server Server, system System, bind string, asked int, at net.Addr, most int, log zerolog.Logger,
) *Processes {
	if system == nil {
		system = machine{}
	}
	p := &Processes{
		server: server, system: system, host: bind, asked: asked, most: most,
		staying: map[match.Seat]*running{}, log: log,
	}
	listening := netconn.AddrPort(at)
	p.port = int(listening.Port())
	if listening.Addr().IsUnspecified() {
		p.host = "127.0.0.1"
		if bind != "" && listening.Addr().Is6() {
			p.host = net.IPv6loopback.String()
		}
	}
	p.traced = sync.OnceValue(func() bool { return system.Traces(uint16(p.port)) })
	return p
}

// Listening reports whether bots can log in.
func (p *Processes) Listening() bool { return p.port != 0 }

// Host returns the host at which bots on this machine find the server.
func (p *Processes) Host() string { return p.host }

// Identify returns the seat of the bot that a connection to the server's port comes from, nil if
// that is unknown. The match of the seat may be over: until its process ends, a bot is no other
// client. Identify may take milliseconds.
func (p *Processes) Identify(remote string) *Seat {
	var roots []int
	p.mu.Lock() // a process that is started later does not have the connection
	var callers []*running
	for _, r := range p.callers {
		if !r.proc.Ended() {
			roots = append(roots, r.proc.PID())
			callers = append(callers, r)
		}
	}
	p.mu.Unlock()
	if found := p.find(remote, roots); found != origin.Unknown {
		return callers[found].seat.Load()
	}
	return nil
}

// find returns which of the roots, the ids of processes, has made a connection from remote to the
// server's port, [origin.Unknown] if none has.
func (p *Processes) find(remote string, roots []int) int {
	peer, err := netip.ParseAddrPort(remote)
	if err != nil || len(roots) == 0 {
		return origin.Unknown
	}
	found, err := p.system.Find(peer, uint16(p.port), roots)
	if err != nil {
		p.log.Warn().Str("address", remote).Err(err).Msg("Finding the process behind a connection failed")
		return origin.Unknown
	}
	return found
}

// mayCall notes that a bot may log in at the server's port. The caller holds mu.
func (p *Processes) mayCall(r *running) {
	p.callers = append(
		slices.DeleteFunc(p.callers,
			func(other *running) bool { return other == r || other.proc.Ended() }),
		r,
	)
}

// launch starts a bot's process. No login is judged before the process is known.
func (p *Processes) launch(b *Seat) (err error) {
	r := &running{bot: b.started, waits: make(chan struct{}, 1)}
	r.seat.Store(b)
	b.started.Line = func(line string) {
		one := r.seat.Load()
		one.seats.printed.Print(one.Label, line)
	}
	b.started.Ended = func(e launch.Exit) {
		if e.Stopped {
			return
		}
		one := r.seat.Load()
		one.seats.printed.End(one.Label, e.String(), e.Crashed())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.proc, err = b.started.Start(); err != nil {
		return err
	}
	b.running.Store(r)
	if b.started.Sandbox != nil {
		panics.Go(&p.serving, func() { p.acceptFrom(r) },
			panics.Logged(p.log, "Accepting a bot's connections failed"))
		return nil
	}
	if b.port == nil && !b.Stdio {
		p.mayCall(r)
	}
	return nil
}

// keeps reports whether a bot of a seat runs already, since it has played another match.
func (p *Processes) keeps(b *Seat) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.kept, func(r *running) bool { return r.fits(b) })
}

// fits reports whether a bot runs that is the one of a seat.
func (r *running) fits(b *Seat) bool {
	return r.seat.Load().Label == b.Label && !r.proc.Ended() && !(b.OneMatch && r.stays != nil)
}

// resume starts another match for the bot of a seat that was kept last, and returns it; nil if none
// was.
func (p *Processes) resume(b *Seat) *running {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, r := range slices.Backward(p.kept) {
		if !r.fits(b) {
			continue
		}
		p.kept = slices.Delete(p.kept, i, i+1)
		r.seat.Store(b)
		r.waits = make(chan struct{}, 1)
		b.started = r.bot
		b.running.Store(r)
		if r.stays != nil && !b.Stdio {
			p.mayCall(r)
		}
		return r
	}
	return nil
}

// release ends the part of a bot in its match. A bot that goes on to run is kept. release returns
// the bot that has stayed longest if that is now one too many.
func (p *Processes) release(b *Seat) (surplus *running) {
	r := b.running.Load()
	used := r.proc.CPU()
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.started.Sandbox == nil { // else the process is the container runtime's
		b.cpu, r.cpu = max(0, used-r.cpu), used
	}
	p.callers = slices.DeleteFunc(p.callers, func(r *running) bool { return r.proc.Ended() })
	p.kept = slices.DeleteFunc(p.kept, func(r *running) bool { return r.proc.Ended() })
	if !r.proc.Ended() {
		p.kept = append(p.kept, r)
	}
	return p.surplus()
}

// StopKept stops all bots that go on to run between matches. More may be kept after it.
func (p *Processes) StopKept() {
	var all sync.WaitGroup
	for _, r := range p.takeKept() {
		all.Go(r.proc.Stop)
	}
	all.Wait()
}

// takeKept returns all bots that are kept, which are not kept any more.
func (p *Processes) takeKept() []*running {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := p.kept
	p.kept = nil
	return kept
}

// Close waits until all bots that stay have ended by themselves, for a while, stops those that
// listen, and returns when no bot is connected any more. When ctx ends, it stops all of them. It is
// called after Finish.
func (p *Processes) Close(ctx context.Context) {
	var all sync.WaitGroup
	for _, r := range p.takeKept() {
		panics.Go(&all, func() { p.dismiss(ctx, r) }, panics.Logged(p.log, "Ending a bot failed"))
	}
	all.Wait()
	p.serving.Wait()
}

// portFor returns the port that a started bot is told to call: the server's, or one of its own if
// the process behind a connection cannot be found.
func (p *Processes) portFor(b *Seat) (int, error) {
	if p.traced() && !b.seats.opts.Launch.OwnPorts {
		return p.port, nil
	}
	if b.port != nil { // it is started again
		return int(netconn.AddrPort(b.port.Addr()).Port()), nil
	}
	l, err := p.system.Listen(p.host)
	if err != nil {
		return 0, err
	}
	b.port = l
	panics.Go(&p.serving, func() { p.accept(b, l) },
		panics.Logged(p.log, "Accepting a bot's connections failed"))
	return int(netconn.AddrPort(l.Addr()).Port()), nil
}

// accept takes in the connections to a bot's own port until it is closed. An error of another kind,
// such as too many open files, ends it as well: the bot has one connection to make.
func (p *Processes) accept(b *Seat, l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		panics.Go(&p.serving, func() { p.server.Take(conn, b) }, func(failed *panics.Error) {
			panics.Logged(p.log, "Taking a connection in failed")(failed)
			_ = conn.Close()
		})
	}
}
