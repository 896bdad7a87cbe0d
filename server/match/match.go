// Package match runs one match: it seats the clients that join, asks the players
// for their actions turn by turn, passes the answers to the rules and broadcasts
// the result. It knows seats, a pace and one game, but no wire: it reaches
// clients only through the Seat interface.
//
// One goroutine, the caller of [Match.Run], owns a match and everything in it.
// Other goroutines reach it through its mailbox, by the methods of [Match] and
// [Place]. These may block while the mailbox is full, and return at once when
// the match is over.
package match

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/machine/limits"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// Reasons for which a seat is kicked, and for which a match ends early.
var (
	ErrFinished = errors.New("the game is finished")
	ErrAborted  = errors.New("the match was aborted")
	ErrFailed   = errors.New("the match failed") // it panicked; the panic was logged
)

// Settings are what an operator can change before the match starts. The delays
// can also be changed during the match.
type Settings struct {
	Turns      int     // number of turns to simulate
	Players    int     // seats for players, without special players
	Specials   int     // seats for special players
	Visus      int     // seats for visualizations
	DelayFirst float64 // ms before the first turn, for paces that have such a wait
	DelayTurns float64 // ms between turns, for a pace that is a timer
}

// Options describe the match to run.
type Options struct {
	Settings  Settings
	Autostart bool                // start when every seat is taken
	Pace      func(Settings) Pace // called at the start and when settings change
	Order     Order
	Seed      uint64        // source of the ids, and of the order of a seeded match
	Grace     time.Duration // how long a disconnected player can reconnect; 0 disables reconnecting
	// a player that leaves while another one is awaited ends the turn, so that the rules learn of
	// it at once
	LeaveEnds bool
	// players get their ids in the order of Candidate.Number, then of joining, not a drawn order
	InOrder  bool
	Reserved int  // seats for players that are kept for candidates with Candidate.Reserved
	Past     Past // from which the match goes on
	Referee  Referee
	Series   Series // the match's place in a series
	Watchers []Watcher
	// gets what players show beside their actions, in place of the watchers; nil: these do
	Debug Debug
	Names Namer // chooses the players' names; nil keeps the names that they ask for
	Log   zerolog.Logger
	Lines *limits.Log // limits the log lines that peers cause; nil sets no limit

	// NeedPlayer makes Start fail while no player is connected.
	NeedPlayer bool
	// Netorcai starts an Autostart match at logins only, not when the settings change, and
	// writes the log lines of the program netorcai.
	Netorcai bool
	// Ends is called when the match ends by itself, before that is in the log; nil: nothing is. The
	// log tells of no other reason from then on. Closing is called before the clients are kicked; it
	// may be nil.
	Ends, Closing func()
}

// Match is one match, from the first client that joins to the last turn.
type Match struct {
	// Run owns Pace, Referee and Watchers, which change; the rest is fixed
	opts Options
	// parses large actions before their turn; nil: nothing does, or the match is over
	preparer atomic.Pointer[engine.Preparer]
	frames   chan *Frame // free frames
	mail     chan event
	wakeup   chan struct{} // holds a token when a parked match has mail to read
	// who may have a seat to come back to; nil: the match has not begun
	claims atomic.Pointer[map[claim]bool]
	// answers that may still be posted without waking the match
	skippable atomic.Int32
	done      chan struct{} // closed when Run returns

	// Owned by Run.
	phase       phase
	joined      bool // a client has joined since the match was last started if it is full
	settings    Settings
	roster      roster
	table       Table
	initial     []byte // the initial state, for clients that join late
	newest      *Frame // the newest TURN, also for clients that join late
	last        engine.Result
	turns       int // simulated so far
	turn        turn
	pace        Pace
	cut         bool // the next turn that is played is the last one
	repace      bool // make a new pace for the next turn; the old one keeps this turn's state
	shuffler    *Shuffler
	alarm       *time.Timer
	wakeAt      time.Time                         // when alarm fires; zero if it is stopped
	due         bool                              // the next turn is to be played now
	skipWakeups int                               // as in the newest Decision
	paused      bool                              // turns wait for Step or the end of the pause
	steps       int                               // turns to play during the pause
	pausedNow   atomic.Bool                       // paused, for Held
	awaited     atomic.Pointer[[]engine.PlayerID] // for Held; nil: none
	shown       Play                              // the turn that watchers are told of
	unshown     bool                              // spectators and watchers are still to be told of it
	headroom    *time.Timer                       // fires when they are
	ending      Ending
}

type phase uint8

const (
	gathering    phase = iota // clients take seats
	initializing              // the referee makes the initial state
	waiting                   // for the first turn
	asking                    // players think
	judging                   // the referee plays a turn
	over
)

// mailboxSize is the capacity of the mailbox. Senders block when it is full; the
// match itself never sends to it.
const mailboxSize = 256

// New returns a match without players.
func New(o Options) *Match {
	m := &Match{
		opts:     o,
		frames:   make(chan *Frame, maxFreeFrames),
		mail:     make(chan event, mailboxSize),
		wakeup:   make(chan struct{}, 1),
		done:     make(chan struct{}),
		settings: o.Settings,
		last:     engine.Result{Winner: engine.NoPlayer},
		alarm:    time.NewTimer(time.Hour),
		headroom: time.NewTimer(time.Hour),
	}
	m.alarm.Stop()
	if p := preparer(o.Referee); p != nil {
		m.preparer.Store(&p)
	}
	m.headroom.Stop()
	return m
}

// Run runs the match until it is over and returns how it ended. If ctx ends
// first, all clients are kicked and the Ending's Err is ctx's cause. A panic in the
// rules ends this match only.
func (m *Match) Run(ctx context.Context) Ending {
	defer m.release()
	defer close(m.done)
	if p := panics.Catch(func() { m.run(ctx) }); p != nil {
		m.stop(m.failed(p))
	}
	return m.ending
}

func (m *Match) run(ctx context.Context) {
	m.startIfFull()
	for m.phase != over {
		if ctx.Err() != nil { // first: a select would choose at random between it and mail
			m.stop(context.Cause(ctx))
			continue
		}
		if m.mayPlay() {
			m.playDue()
			continue
		}
		mail, wakeup := m.mail, (chan struct{})(nil)
		if m.mayPark() {
			mail, wakeup = nil, m.wakeup
		}
		select {
		case e := <-mail:
			m.handle(e)
		case <-wakeup:
		case o := <-m.opts.Referee.Results():
			m.judged(o)
		case <-m.headroom.C:
			m.showTurn()
		case <-m.alarm.C:
			m.wakeAt = time.Time{}
			m.alarmFired()
		case <-ctx.Done():
		}
	}
}

// failed logs a panic and returns it as an error.
func (m *Match) failed(p *panics.Error) error {
	m.opts.Log.Error().Int("step", m.turns).EmbedObject(p).Msg("Match failed")
	return fmt.Errorf("%w: %v", ErrFailed, p.Value)
}

// runSafely calls do and recovers and logs a panic in it, so that the remaining
// steps at the end of a match still run.
func (m *Match) runSafely(do func()) {
	if p := panics.Catch(do); p != nil {
		_ = m.failed(p)
	}
}

// release drops the references to everything the match was played with, which can be
// large: some callers keep finished matches, but need only their Ending.
func (m *Match) release() {
	for len(m.mail) > 0 {
		<-m.mail
	}
	for _, list := range m.roster {
		for _, p := range list {
			p.seat = nil // the client's reader may keep the place for longer
		}
	}
	m.preparer.Store(nil) // it is the game
	m.roster, m.turn, m.shown = roster{}, turn{}, Play{}
	m.opts.Referee, m.opts.Watchers, m.newest, m.initial = nil, nil, nil, nil
	m.frames, m.last = nil, engine.Result{} // frames still in use are freed with their users
}

// alarmFired handles the mail that arrived before the alarm and then wakes the pace:
// an answer that arrived in time counts even if it is read late.
func (m *Match) alarmFired() {
	m.drainMail()
	if !m.due && m.phase != over {
		m.apply(m.holdForUntimed(m.holdForReconnect(m.pace.Woken(time.Now()))))
	}
}

// drainMail handles the mail that is queued at the time of the call, until a turn
// becomes due. Mail that arrives meanwhile has to wait: otherwise a flood of it
// would delay the turn.
func (m *Match) drainMail() {
	due := m.due
	for n := len(m.mail); n > 0 && m.due == due && m.phase != over; n-- {
		m.handle(<-m.mail)
	}
}

// Done is closed when Run returns.
func (m *Match) Done() <-chan struct{} { return m.done }

// playDue plays the next turn. It handles queued mail first, since a match that plays
// without waiting for players must still obey its operator.
func (m *Match) playDue() {
	m.drainMail()
	if m.mayPlay() && m.phase != over {
		m.due = false
		m.steps = max(m.steps-1, 0)
		m.awaited.Store(nil)
		m.play()
	}
}

// apply carries out the pace's decision: it marks the turn as due or sets the alarm.
func (m *Match) apply(d Decision) {
	m.due, m.skipWakeups = d.End, d.SkipWakeups
	switch {
	case d.End || d.Wake.IsZero():
		if !m.wakeAt.IsZero() {
			m.alarm.Stop()
			m.wakeAt = time.Time{}
		}
	case !d.Wake.Equal(m.wakeAt):
		m.wakeAt = d.Wake
		m.alarm.Reset(time.Until(d.Wake))
	}
}

// stop ends the match early because of err.
func (m *Match) stop(err error) { m.finish(err, ErrAborted) }

// announceKicks calls Closing and logs, as netorcai does, that clients are kicked, if there are
// any.
func (m *Match) announceKicks() {
	if m.opts.Closing != nil {
		m.opts.Closing()
	}
	clients := m.opts.Referee.Ready() == nil
	m.roster.connected(func(*Place) { clients = true })
	if m.opts.Netorcai && clients {
		m.opts.Log.Warn().Msg("Sending KICK messages to clients")
	}
}

// finish kicks all clients with the given reason and ends the match.
func (m *Match) finish(err, reason error) {
	if m.phase == over {
		return
	}
	m.showTurn()
	m.phase = over
	m.alarm.Stop()
	m.runSafely(m.announceKicks)
	m.runSafely(func() { m.opts.Referee.Close(err) })
	m.ending = Ending{
		Err: err, Steps: m.turns, Winner: m.last.Winner, Reason: m.last.Reason, Seats: m.roster.infos(),
		Settings: m.settings,
	}
	m.roster.connected(func(p *Place) { m.runSafely(func() { p.seat.Kick(reason) }) })
	for _, w := range m.opts.Watchers {
		m.runSafely(func() { w.Ended(&m.ending) })
	}
}
