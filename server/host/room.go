package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/feed"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/machine/processors"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/result"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/seating"
	"github.com/hexarena/hexarena/server/session"
)

// Spec describes one match.
type Spec struct {
	Name        string         // of the game, for the page
	Game        games.Instance // what is played; its rules connect if it has no New
	Logic       *seat.Spec     // the program of rules that connect; nil: they connect by themselves
	GameTimeout time.Duration  // for a turn of a game whose rules connect; 0: no limit

	Settings    match.Settings // seats, turns and delays, which an operator may change
	Autostart   bool           // start when all seats are taken; else Match().Start() starts it
	NeedPlayer  bool           // do not start without a player
	Pace        func(match.Settings) match.Pace
	Order       match.Order
	Seed        uint64        // draws ids, and the order of a seeded match
	Reconnect   time.Duration // in which a player that is gone may come back; 0: not at all
	PersonGrace time.Duration // in which a person at the page may come back; 0: not at all
	InOrder     bool          // players get their ids in the order in which they log in
	LeaveEnds   bool          // a player that leaves while another one is awaited ends the turn
	Past        match.Past    // from which the match goes on

	// Seats say who takes the seats, in this order, which is that of their ids if InOrder is set.
	// Other seats are open.
	Seats []seat.Spec
	// Untimed reports whether turns wait for a client in one of Seats without a deadline, as for a bot
	// in a debugger; nil: for none. It is called when the client takes the seat.
	Untimed func(*seat.Spec, *match.Candidate) bool
	// Admit returns why a client gets no seat, whether it is new or comes back; nil: it may get one.
	// Its error for a client that waits is session.ErrVersion to disconnect it; with another one it
	// waits on.
	Admit func(*match.Candidate) error
	// gets what players show beside their actions, which the page and the recording do without
	// then; nil: nothing does
	Debug match.Debug
	Bots  seating.Options // how the bots among them are seated
	// for seats to be taken; then the players that are there play; 0: no limit
	Patience time.Duration

	// Labels say what the match belongs to: its series, match, round and table. They are in
	// the log, the recording and the feed, and must not change later.
	Labels map[string]string

	Private  bool              // the lobby seats no client here: players join by Room.Match
	Watchers []match.Watcher   // in addition to those of the host, before them
	Digest   bool              // the result has a digest of all states, which costs time for each
	Extra    map[string]string // options of the match, for people who read the recording
	Page     PageSpec          // what the page has beside the match
}

// Room is one match on a host, from the first client that joins to the last turn.
type Room struct {
	host     *Host
	spec     Spec
	match    *match.Match
	seats    *seating.Seats
	people   people
	filling  sync.Mutex // held while built-in bots take the free seats
	rules    string
	logic    *session.Logic // nil: the rules are in this process
	refereed chan struct{}  // closed when a game logic that is started has logged in; nil: none is
	account  *result.Account
	recorder *recording.Recorder // nil: the match is not recorded
	feed     *feed.Feed          // nil: there is no page
	log      zerolog.Logger
	abort    context.CancelCauseFunc
	done     chan struct{}
	result   Result // once done is closed
	handle   *handle
}

// Result is how a match went.
type Result struct {
	result.Result
	Recording    string // the file; may be empty
	RecordingErr error  // what went wrong with it

	room *Room
	over time.Time
}

// Report returns what came of the match and of each seat that was described.
func (r *Result) Report() *result.Report {
	room := r.room
	report := &result.Report{
		Rules: room.rules, Seed: room.spec.Seed, Turns: r.Steps, TurnsMax: r.Settings.Turns,
		Reason: r.Reason, Digest: r.Digest, Err: r.Err,
	}
	if r.Err != nil {
		report.Error = r.Err.Error()
	}
	room.seats.Report(report, r.Winner, r.over)
	return report
}

// Start makes a room, and returns when clients can join it. The match is aborted when
// ctx ends. The error is ErrDraining, or a panic in the game or in what Spec holds.
func (h *Host) Start(ctx context.Context, spec Spec) (r *Room, err error) {
	if p := panics.Catch(func() { r = h.newRoom(spec) }); p != nil {
		panics.Logged(h.log, "Making a match failed")(p)
		return nil, fmt.Errorf("%w: %v", match.ErrFailed, p.Value)
	}
	ctx, r.abort = context.WithCancelCause(ctx)
	h.open()
	if !h.lobby.add(r, &h.rooms) {
		r.abort(nil)
		return nil, ErrDraining
	}
	h.show(r)
	go r.run(ctx)
	if spec.Patience > 0 {
		late := panics.AfterFunc(spec.Patience, r.startLate,
			panics.Logged(r.log, "Starting a match failed"))
		context.AfterFunc(ctx, func() { late.Stop() })
	}
	h.lobby.call()
	return r, nil
}

// startLate starts a match whose seats were not all taken in time, with the players that are
// there. Without any, it is aborted.
func (r *Room) startLate() {
	if err := r.match.Start(); err != nil && !errors.Is(err, match.ErrStarted) {
		r.abort(err)
	}
}

// newRoom makes a match and all that watches it.
func (h *Host) newRoom(spec Spec) *Room {
	r := &Room{
		host: h, spec: spec, log: labelled(h.log, spec.Labels), done: make(chan struct{}),
		handle: new(handle),
	}
	r.handle.room.Store(r)
	o := match.Options{
		Settings: spec.Settings, Autostart: spec.Autostart, NeedPlayer: spec.NeedPlayer,
		Netorcai: h.opts.Netorcai,
		Pace:     spec.Pace, Order: spec.Order, Seed: spec.Seed, Grace: spec.Reconnect,
		InOrder: spec.InOrder, LeaveEnds: spec.LeaveEnds, Past: spec.Past,
		Series: match.SeriesOf(spec.Labels), Debug: spec.Debug, Log: r.log, Lines: h.opts.Lines,
	}
	if h.opts.Netorcai && h.listener != nil {
		o.Closing = h.closePort
	}
	if h.opts.Ends != nil {
		o.Ends = func() { h.opts.Ends(nil) }
	}
	r.seats = seating.New(spec.Bots, seating.Room{
		Seats: spec.Seats, Capacity: spec.Settings.Players, Opening: spec.Game.Opening,
		Seed: spec.Seed, Freed: h.lobby.call, Log: r.log,
	}, h.bots)
	o.Reserved = r.seats.Reserved()
	if h.opts.Names != nil && !spec.Private {
		o.Names = h.opts.Names
	}
	var rules match.Rules
	if spec.Game.New != nil {
		game := spec.Game.New()
		r.rules = game.Rules()
		o.Referee, rules = match.Local(game), game
	} else {
		r.logic = session.NewLogic(spec.GameTimeout, r.log)
		r.logic.Ends = h.opts.Ends
		if !h.opts.Netorcai {
			r.logic.Match = o.Series.Number
		}
		o.Referee, rules = r.logic, r.logic
	}
	o.Watchers = r.watchers(rules)
	r.match = match.New(o)
	r.seats.Attach(r.match, r.account)
	if r.logic != nil {
		r.attachLogic()
	}
	return r
}

// run plays the match.
func (r *Room) run(ctx context.Context) {
	h := r.host
	defer h.rooms.Done()
	defer r.abort(nil)
	defer processors.Use()()
	dismissLogic := r.startLogic(ctx)
	dismiss := r.seats.Start(ctx, r.refereed, r.abort)
	ending := r.match.Run(ctx)
	over := time.Now()
	if r.logic != nil {
		r.rules = cmp.Or(r.logic.Rules(), recording.External)
	}
	dismiss()
	ending.Err = dismissLogic(ending.Err)
	r.result = Result{Result: r.account.Result(), room: r, over: over}
	r.result.Ending = ending // also if the account failed
	if r.recorder != nil {
		r.result.Recording, r.result.RecordingErr = r.recorder.Path(), r.recorder.Err()
	}
	h.mu.Lock()
	h.failed = ending.Err != nil
	h.mu.Unlock()
	h.lobby.remove(r)
	r.handle.release(&ending)
	close(r.done)
}

// Wait returns how the match went when it is over.
func (r *Room) Wait() Result {
	<-r.done
	return r.result
}

// Done is closed when the match is over.
func (r *Room) Done() <-chan struct{} { return r.done }

// Match returns the match that is played in the room.
func (r *Room) Match() *match.Match { return r.match }

// Stack makes a started bot print where it is, as [seating.Seats.Stack] does.
func (r *Room) Stack(number int, last bool) []string { return r.seats.Stack(number, last) }

// Feed returns what the page is told of the match, nil if there is no page.
func (r *Room) Feed() *feed.Feed { return r.feed }
