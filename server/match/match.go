// Package match runs one match: it seats those who join, asks the players turn
// by turn, hands their answers to the rules and shows everybody the result. It
// knows seats, a pace and one game, and no wire: whoever takes part is reached
// through the Seat interface.
//
// One goroutine, the caller of [Match.Run], owns a match and all in it. Other
// goroutines reach it through its mailbox, by the methods of [Match] and
// [Place]; these may block while the mailbox is full, and return at once when
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
	"github.com/hexarena/hexarena/server/loglimit"
	"github.com/hexarena/hexarena/server/panics"
)

// Why a seat is told goodbye, and why a match ends before its end.
var (
	ErrFinished = errors.New("the game is finished")
	ErrAborted  = errors.New("the match was aborted")
	ErrFailed   = errors.New("the match failed") // it panicked, and that was logged
)

// Settings are what an operator can change until the match starts; the delays
// also later.
type Settings struct {
	Turns      int     // to simulate
	Players    int     // seats, without the special ones
	Specials   int     // seats for special players
	Visus      int     // seats for visualizations
	DelayFirst float64 // ms before the first turn, if the pace has such a wait
	DelayTurns float64 // ms between turns, if the pace is a timer
}

// Options say what match to run.
type Options struct {
	Settings  Settings
	Autostart bool                // start when every seat is taken
	Pace      func(Settings) Pace // asked at the start and when settings change
	Order     Order
	Seed      uint64        // draws the ids, and the order of a seeded match
	Grace     time.Duration // in which a player who is gone may come back; 0: none does
	LeaveEnds bool          // a player who leaves while another one is awaited ends the turn: the rules are told at once
	InOrder   bool          // players get their ids in the order in which they join: none is drawn
	Referee   Referee
	Watchers  []Watcher
	Names     Namer // what players are called; nil: as they ask
	Log       zerolog.Logger
	Lines     *loglimit.Limiter // bounds what peers have written there; nil: nothing does

	// NeedPlayer has Start fail while no player is there.
	NeedPlayer bool
	// Netorcai has Autostart judged at logins only, not when the settings change, and the
	// log have the lines of the program netorcai.
	Netorcai bool
}

// Match is one match, from the first who joins to the last turn.
type Match struct {
	// Fixed by New.
	autostart bool
	grace     time.Duration
	newPace   func(Settings) Pace
	order     Order
	seed      uint64
	inOrder   bool
	leaveEnds bool
	referee   Referee
	preparer  engine.Preparer // reads large actions before their turn; nil: nothing does
	watchers  []Watcher
	log       zerolog.Logger
	lines     *loglimit.Limiter
	names     Namer
	frames    chan *Frame // that are free
	mail      chan event
	roused    chan struct{} // holds the news that there is mail to be read
	unheard   atomic.Int32  // answers that may still come without waking the match
	done      chan struct{} // closed when Run returns

	needPlayer, netorcai bool

	// Owned by Run.
	phase    phase
	settings Settings
	roster   roster
	table    Table
	initial  []byte // the state as it was set, for those who come late
	newest   *Frame // what was offered last, for the same
	last     engine.Result
	turns    int // simulated so far
	turn     turn
	pace     Pace
	repace   bool // a new pace begins with the next turn; the old one has this turn's state
	lots     *lots
	alarm    *time.Timer
	wake     time.Time // when the alarm goes off; zero: never
	due      bool      // the next turn is to be played now
	quiet    int       // answers that the pace need not hear of at once
	shown    Play      // what the watchers were handed last
	ending   Ending
}

type phase uint8

const (
	gathering phase = iota // seats are taken
	setting                // the referee sets the board
	waiting                // for the first turn
	asking                 // players think
	judging                // the referee plays a turn
	over
)

// mailboxSize bounds the mailbox. A sender waits when it is full; the match
// itself never sends to it.
const mailboxSize = 256

// New makes a match that nobody has joined.
func New(o Options) *Match {
	m := &Match{
		autostart: o.Autostart,
		grace:     o.Grace,
		newPace:   o.Pace,
		order:     o.Order,
		seed:      o.Seed,
		inOrder:   o.InOrder,
		leaveEnds: o.LeaveEnds,
		referee:   o.Referee,
		preparer:  preparer(o.Referee),
		watchers:  o.Watchers,
		log:       o.Log,
		lines:     o.Lines,
		names:     o.Names,
		frames:    make(chan *Frame, sparePool),
		mail:      make(chan event, mailboxSize),
		roused:    make(chan struct{}, 1),
		done:      make(chan struct{}),
		settings:  o.Settings,
		last:      engine.Result{Winner: engine.Nobody},
		alarm:     time.NewTimer(time.Hour),

		needPlayer: o.NeedPlayer, netorcai: o.Netorcai,
	}
	m.alarm.Stop()
	return m
}

// Run runs the match until it is over and says how it ended. When ctx ends
// first, everybody is told goodbye and Err is its cause. A panic in the rules
// ends the match and nothing else.
func (m *Match) Run(ctx context.Context) Ending {
	defer m.forget()
	defer close(m.done)
	if p := panics.Catch(func() { m.run(ctx) }); p != nil {
		m.stop(m.failed(p))
	}
	return m.ending
}

func (m *Match) run(ctx context.Context) {
	m.autobegin()
	for m.phase != over {
		if m.due {
			m.playDue(ctx)
			continue
		}
		mail, roused := m.mail, (chan struct{})(nil)
		if m.rests() {
			mail, roused = nil, m.roused
		}
		select {
		case e := <-mail:
			m.handle(e)
		case <-roused:
		case o := <-m.referee.Results():
			m.judged(o)
		case <-m.alarm.C:
			m.wake = time.Time{}
			m.woken()
		case <-ctx.Done():
			m.stop(context.Cause(ctx))
		}
	}
}

// failed logs a panic, and is it as an error.
func (m *Match) failed(p *panics.Error) error {
	m.log.Error().Int("turn", m.turns).EmbedObject(p).Msg("Match failed")
	return fmt.Errorf("%w: %v", ErrFailed, p.Value)
}

// spare does what a match does at its end: if it panics, the rest is done still.
func (m *Match) spare(do func()) {
	if p := panics.Catch(do); p != nil {
		_ = m.failed(p)
	}
}

// forget lets go of all that the match was played with, which can be much: some
// keep matches that are over, and nobody asks these for more than how it was.
func (m *Match) forget() {
	for len(m.mail) > 0 {
		<-m.mail
	}
	for _, list := range [...][]*Place{m.roster.specials, m.roster.players, m.roster.visus} {
		for _, p := range list {
			p.seat = nil // its reader may have the place for longer
		}
	}
	m.roster, m.turn, m.shown = roster{}, turn{}, Play{}
	m.referee, m.watchers, m.newest, m.initial = nil, nil, nil, nil
	m.frames, m.last = nil, engine.Result{} // frames that come back go with who had them
}

// woken tells the pace that its time has come, after the mail that was there
// before: an answer in time counts however late it is read.
func (m *Match) woken() {
	m.catchUp()
	if !m.due && m.phase != over {
		m.obey(m.pace.Woken(time.Now()))
	}
}

// catchUp takes in the mail that is there, unless that changes whether a turn is
// due. What comes meanwhile has to wait: a storm of it would put the turn off.
func (m *Match) catchUp() {
	due := m.due
	for n := len(m.mail); n > 0 && m.due == due && m.phase != over; n-- {
		m.handle(<-m.mail)
	}
}

// Done is closed when Run returns.
func (m *Match) Done() <-chan struct{} { return m.done }

// playDue plays the next turn, after the mail that is there: a match that waits
// for nobody must still hear its operator.
func (m *Match) playDue(ctx context.Context) {
	m.catchUp()
	switch {
	case ctx.Err() != nil:
		m.stop(context.Cause(ctx))
	case m.due && m.phase != over:
		m.due = false
		m.play()
	}
}

// obey does what the pace wants.
func (m *Match) obey(v Verdict) {
	m.due, m.quiet = v.End, v.Unheard
	switch {
	case v.End || v.Wake.IsZero():
		if !m.wake.IsZero() {
			m.alarm.Stop()
			m.wake = time.Time{}
		}
	case !v.Wake.Equal(m.wake):
		m.wake = v.Wake
		m.alarm.Reset(time.Until(v.Wake))
	}
}

// stop ends the match early: err says why.
func (m *Match) stop(err error) {
	if m.netorcai && m.phase != over && (m.referee.Ready() == nil || !m.roster.empty()) {
		m.log.Info().Msg("Sending KICK messages to clients")
	}
	m.finish(err, ErrAborted)
}

// finish tells everybody goodbye.
func (m *Match) finish(err, reason error) {
	if m.phase == over {
		return
	}
	m.phase = over
	m.alarm.Stop()
	m.spare(func() { m.referee.Close(err) })
	m.ending = Ending{Err: err, Steps: m.turns, Winner: m.last.Winner, Reason: m.last.Reason, Seats: m.roster.infos(), Settings: m.settings}
	m.roster.everybody(func(p *Place) { m.spare(func() { p.seat.Kick(reason) }) })
	for _, w := range m.watchers {
		m.spare(func() { w.Ended(&m.ending) })
	}
}
