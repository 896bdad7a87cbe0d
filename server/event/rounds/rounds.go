// Package rounds plays the rounds of an event: it decides when one begins, starts its matches on a
// host, or gives them to workers, and adds their results to the event. Beside rounds it plays test
// matches of versions that were sent, exams and practice.
//
// The caller of [Rounds.Run] starts rounds; each match of one has a goroutine that plays it and
// adds its row. Two to four goroutines play test matches on a host of their own, which has no page;
// one runs exams while no round is played; and each practice match has one that waits for its end.
// Run waits for all of them.
package rounds

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/event"
	"github.com/hexarena/hexarena/server/event/offload"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/event/versions"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/machine/processors"
)

// Start says when rounds begin.
type Start struct {
	// Every is the time from the start of a round to that of the next one, if no round is being
	// played; 0: rounds do not start by time.
	Every time.Duration
	Ready bool // as soon as all teams that do not rest are ready
	// Longest is the time that a round waits at most for the others once two teams are ready, with
	// Ready.
	Longest time.Duration
}

// Options say how the matches of rounds are played.
type Options struct {
	Start       Start
	Near        bool // teams of near ratings meet more often
	Game        *games.Game
	Board       games.Instance
	Turns       int
	TurnTimeout time.Duration             // for an answer; more than 0
	Boards      map[string]games.Instance // by name, among which the operator may choose
	Reconnect   time.Duration             // in which a bot that is gone may come back
	Store       *versions.Store           // of versions that teams send; nil: they cannot send any
	Exam        *Exam                     // that versions take; nil: none
	// plays matches of versions elsewhere; nil: all are played here
	Workers *offload.Dispatcher
	Seed    uint64
	Log     zerolog.Logger
}

// Rounds plays the rounds of an event on a host that holds clients.
type Rounds struct {
	event *event.Event
	opts  Options
	order chan struct{} // holds that the operator wants a round
	news  chan struct{} // holds that clients came or left

	// the last round could not be written; of the goroutine that plays
	failed   bool
	replays  bool                      // the next round is a match that is played again; likewise
	finalEnd time.Time                 // when the last round of a final was over; likewise
	screened atomic.Pointer[time.Time] // when a screen asked last; nil: none has

	host   atomic.Pointer[host.Host] // nil until Open has returned
	public host.Options              // that Open was given, before Run

	arena      arena
	attendance attendance
	Checks     Checks
	Outputs    Outputs
	Tables     Tables
	Practices  Practices

	mu    sync.Mutex
	next  time.Time // when the next round begins by time; zero: not by time
	setup Setup     // of the next round

	idle *idleTime
}

// New returns rounds that are not played yet. The host is set by Open.
func New(e *event.Event, o Options) *Rounds {
	r := &Rounds{
		event: e, opts: o, order: make(chan struct{}, 1), news: make(chan struct{}, 1),
		idle:    newIdleTime(),
		Outputs: Outputs{disk: e.Disk(), dir: e.OutputDir(), versions: e.VersionsDir()},
		setup:   Setup{Map: o.Board.Map, Turns: o.Turns, TurnTimeout: o.TurnTimeout, board: o.Board},
	}
	r.arena = hostArena{r}
	r.Practices.rounds = r
	r.Practices.life, r.Practices.end = context.WithCancel(context.Background())
	return r
}

// Open opens the host that the rounds are played on, which admits the event's teams, with the other
// options as they are given. The caller has to shut it down after Run.
func (r *Rounds) Open(o host.Options) (*host.Host, error) {
	o.Gate, o.Started, o.Arrived = r, nickname.Gate{}, r.Checks.Arrived
	o.Hold = func() { notify(r.news) }
	r.public = o
	h, err := host.Open(o)
	if err == nil {
		r.host.Store(h)
	}
	return h, err
}

// Login implements session.Gate.
func (r *Rounds) Login(m netorcai.Login) (nick, key string, err error) {
	team, err := r.event.Login(m)
	if err != nil {
		return "", "", err
	}
	r.Checks.note(team.Number, func(p *Progress) { p.LoggedIn = true })
	return team.Nick, event.Key(team.Number), nil
}

// Options returns the options that the rounds were made with.
func (r *Rounds) Options() *Options { return &r.opts }

// Hangs reports whether the bot of a team did not answer at the end of its last match.
func (r *Rounds) Hangs(team int) bool { return r.attendance.hangs(event.Key(team)) }

// BeginNow starts a round as soon as no other one is played, even if rounds are paused.
func (r *Rounds) BeginNow() { notify(r.order) }

func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is known already
	}
}

// Next returns when the next round begins by time; zero if none does.
func (r *Rounds) Next() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.next
}

func (r *Rounds) setNext(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = at
}

// Connected returns the numbers of the teams that can play a round now, and whether those are all
// that do not rest.
func (r *Rounds) Connected() (ready []int, all bool) {
	line, all := r.LineUp()
	ready = slices.Sorted(maps.Keys(line))
	r.Tables.noteReady(ready)
	return ready, all
}

// LineUp returns the players of the teams that are ready, and whether those are all that do not
// rest. A bot that practises is ready, since a round ends that.
func (r *Rounds) LineUp() (line LineUp, all bool) {
	waiting := r.arena.waiting()
	for key, version := range r.Practices.bots() {
		waiting[key] = version
	}
	r.event.Read(func(s *state.State) {
		line, all = waiting.lineUp(s, r.attendance.hangs, r.starts)
	})
	return line, all
}

// starts reports whether a version that was sent can be started here.
func (r *Rounds) starts(v *state.Version) bool {
	return r.opts.Store != nil && r.opts.Store.Starts(v.Upload)
}

// Run plays rounds, and tries the versions that are sent, until ctx ends. A round whose matches are
// running then is aborted.
func (r *Rounds) Run(ctx context.Context) {
	defer processors.Use()() // beside its matches an event unpacks versions and rates teams
	ctx, stop := context.WithCancel(ctx)
	var trials sync.WaitGroup
	if r.opts.Store != nil {
		panics.Go(&trials, func() { r.tryVersions(ctx) },
			panics.Logged(r.opts.Log, "Trying versions failed"))
	}
	if r.opts.Store != nil && r.opts.Exam != nil {
		panics.Go(&trials, func() { (&examiner{r, r.opts.Store}).run(ctx) },
			panics.Logged(r.opts.Log, "Exams failed"))
	}
	defer r.Practices.running.Wait()
	defer trials.Wait()
	defer stop()
	defer r.idle.stop()
	defer r.Practices.stop()
	for r.await(ctx) {
		r.play(ctx)
	}
}

// await waits until a round may begin. It returns false if ctx ends first.
func (r *Rounds) await(ctx context.Context) bool {
	began := time.Now()
	var due <-chan time.Time
	if every := r.opts.Start.Every; every > 0 {
		if next := r.Next(); !next.IsZero() && next.After(began) {
			every = next.Sub(began)
		}
		timer := time.NewTimer(every)
		defer timer.Stop()
		due = timer.C
		r.setNext(began.Add(every))
	}
	var again <-chan time.Time
	if r.failed {
		again = time.After(event.RetryTime)
	}
	r.failed = false
	elapsed := false
	for ctx.Err() == nil {
		view := r.event.View()
		ready, all := r.Connected()
		if longest := r.opts.Start.Longest; longest > 0 && due == nil && len(ready) >= 2 {
			timer := time.NewTimer(longest)
			defer timer.Stop()
			due = timer.C
		}
		goesOn := !view.Paused && r.finalPending() // matches that are played again wait for its end
		if r.replays = again == nil && !goesOn && r.replayable(ready); r.replays {
			return true
		}
		var freeze <-chan time.Time
		if again == nil {
			var err error
			if freeze, err = r.freezeDue(); err != nil { // which the event has told
				again = time.After(event.RetryTime)
			}
		}
		var rest <-chan time.Time
		if again == nil && goesOn {
			left := r.breakLeft()
			if left == 0 {
				return true
			}
			rest = time.After(left)
		}
		if len(ready) >= 2 && !view.Paused && again == nil &&
			(elapsed || r.opts.Start.Ready && all || view.Frozen && !r.event.Official().Certain) {
			return true
		}
		select {
		case <-ctx.Done():
		case <-r.order:
			return true
		case <-freeze:
		case <-rest:
		case <-due:
			elapsed = true
		case <-again:
			elapsed, again = true, nil
		case <-r.news:
		case <-view.Changed:
		}
	}
	return false
}

// play plays a round of the teams that are ready: its matches side by side, each to its end.
func (r *Rounds) play(ctx context.Context) {
	r.idle.stop()
	defer r.idle.resume()
	r.Practices.endAll(ctx)
	line, _ := r.LineUp()
	ready := slices.Sorted(maps.Keys(line))
	round, err := r.begin(ready)
	if round == nil {
		r.Practices.open(nil)
	} else {
		r.Practices.open(round.Matches)
	}
	switch {
	case err != nil:
		r.failed = true // which the event has told
		return
	case round == nil:
		r.opts.Log.Info().Int("ready", len(ready)).Msg(
			"No round begins: its teams are not ready, or it was taken back")
		return
	}
	r.opts.Log.Info().Int("round", round.Number).Int("matches", len(round.Matches)).
		Int("waiting", len(round.Waiting)).Msg("Round begins")
	setup := r.Setup()
	if round.Final {
		setup.floor = finalTurn
		defer r.endFinalRound(ctx, round)
	}
	away := r.offload(setup, round, line)
	var matches sync.WaitGroup
	for i := range round.Matches {
		panics.Go(&matches, func() {
			defer r.Practices.free(round.Matches[i])
			if err := r.playMatch(ctx, setup, round, i, line, away); err != nil && ctx.Err() == nil {
				r.opts.Log.Error().Err(err).Int("round", round.Number).Int("table", i+1).Msg(
					"A match does not count")
			}
		}, panics.Logged(r.opts.Log, "A match of a round failed"))
	}
	matches.Wait()
}

// replayable reports whether a match is to be played again whose teams are ready.
func (r *Rounds) replayable(ready []int) bool {
	return event.Ask(r.event, func(s *state.State) bool { return s.Replayable(ready) })
}

// begin begins a round: matches of a final, a match that is to be played again and whose teams are
// ready, or one of all that are ready. It returns nil if there is no such round.
func (r *Rounds) begin(ready []int) (*state.Round, error) {
	if r.replays { // and nothing else, if the match counts again or a team has left
		return r.beginReplay(ready)
	}
	if round, err := r.beginFinal(); round != nil || err != nil {
		return round, err
	}
	if round, err := r.beginReplay(ready); round != nil || err != nil {
		return round, err
	}
	if r.opts.Start.Every > 0 {
		r.setNext(time.Now().Add(r.opts.Start.Every))
	}
	return r.event.Begin(ready, r.opts.Near)
}

// beginReplay begins the first match that is to be played again and whose teams are ready. Without
// such a match it returns nil.
func (r *Rounds) beginReplay(ready []int) (*state.Round, error) {
	round, err := r.event.Start(func(s *state.State) (state.Act, error) { return s.Replay(ready) })
	if errors.Is(err, state.ErrNoReplay) {
		return nil, nil
	}
	return round, err
}
