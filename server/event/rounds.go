package event

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/panics"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/seat/direct"
	"github.com/hexarena/hexarena/server/seat/seating"
)

// Start says when rounds begin.
type Start struct {
	Every time.Duration // after the beginning of the last one, if no round is being played; 0: they do not begin by time
	Ready bool          // as soon as all teams that do not rest are ready
}

// RoundsOptions say how the matches of rounds are played.
type RoundsOptions struct {
	Start       Start
	Near        bool // teams of near ratings meet more often
	Game        *games.Game
	Board       games.Instance
	Turns       int
	TurnTimeout time.Duration             // for an answer; more than 0
	Boards      map[string]games.Instance // by name, among which the operator may choose
	Reconnect   time.Duration             // in which a bot that is gone may come back
	Seed        uint64
	Log         zerolog.Logger
}

// Rounds plays the rounds of an event on a host that holds clients.
type Rounds struct {
	event *Event
	opts  RoundsOptions
	order chan struct{} // holds that the operator wants a round
	news  chan struct{} // holds that clients came or left

	failed bool                      // the last round could not be written; of the goroutine that plays
	host   atomic.Pointer[host.Host] // nil until Open has returned

	mu     sync.Mutex
	next   time.Time         // when the next round begins by time; zero: not by time
	setup  Setup             // of the next round
	tables []*Table          // the matches of the round that is played
	again  []int             // matches that are to be played again
	since  map[int]time.Time // since when teams wait
}

// NewRounds returns rounds that are not played yet. The host is set by Open.
func NewRounds(e *Event, o RoundsOptions) *Rounds {
	return &Rounds{
		event: e, opts: o, order: make(chan struct{}, 1), news: make(chan struct{}, 1), since: map[int]time.Time{},
		setup: Setup{Map: o.Board.Map, Turns: o.Turns, TurnTimeout: o.TurnTimeout, board: o.Board},
	}
}

// Open opens the host that the rounds are played on, which admits the event's teams, with the other options as they are
// given. The caller has to shut it down after Run.
func (r *Rounds) Open(o host.Options) (*host.Host, error) {
	o.Gate, o.Hold, o.Arrived = r.event, func() { notify(r.news) }, r.event.checks.Arrived
	h, err := host.Open(o)
	if err == nil {
		r.host.Store(h)
	}
	return h, err
}

// BeginNow has a round begin as soon as no other one is played, even if rounds are paused.
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

// Connected returns the numbers of the teams that do not rest and whose bots wait, and whether those are all.
func (r *Rounds) Connected() (ready []int, all bool) {
	keys := map[string]bool{}
	if h := r.host.Load(); h != nil {
		for _, c := range h.Waiting() {
			keys[c.Key] = true
		}
	}
	ready, all = r.event.Ready(keys)
	r.noteWaiting(ready)
	return ready, all
}

// Run plays rounds until ctx ends. A round whose matches are running then is aborted.
func (r *Rounds) Run(ctx context.Context) {
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
		again = time.After(retryTime)
	}
	r.failed = false
	elapsed := false
	for ctx.Err() == nil {
		view := r.event.View()
		ready, all := r.Connected()
		if again == nil && r.playableAgain(ready) >= 0 {
			return true
		}
		if len(ready) >= 2 && !view.Paused && again == nil && (elapsed || r.opts.Start.Ready && all) {
			return true
		}
		select {
		case <-ctx.Done():
		case <-r.order:
			return true
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
	ready, _ := r.Connected()
	round, err := r.begin(ready)
	switch {
	case err != nil:
		r.failed = true // which the event has told
		return
	case round == nil:
		r.opts.Log.Info().Int("ready", len(ready)).Msg("No round begins: it needs two teams that are ready")
		return
	}
	r.opts.Log.Info().Int("round", round.Number).Int("matches", len(round.Matches)).Int("waiting", len(round.Waiting)).Msg("Round begins")
	setup := r.Setup()
	var matches sync.WaitGroup
	for i := range round.Matches {
		panics.Go(&matches, func() {
			if err := r.playMatch(ctx, setup, round, i); err != nil && ctx.Err() == nil {
				r.opts.Log.Error().Err(err).Int("round", round.Number).Int("table", i+1).Msg("A match does not count")
			}
		}, panics.Logged(r.opts.Log, "A match of a round failed"))
	}
	matches.Wait()
}

// begin begins a round: a match that is to be played again and whose teams are ready, or one of all that are ready.
func (r *Rounds) begin(ready []int) (*Round, error) {
	if k := r.playableAgain(ready); k >= 0 {
		round, err := r.event.Again(k)
		if err == nil {
			r.forgetAgain(k)
		}
		return round, err
	}
	if r.opts.Start.Every > 0 {
		r.setNext(time.Now().Add(r.opts.Start.Every))
	}
	return r.event.Begin(ready, r.opts.Near)
}

// seatPatience is how long a match waits for a bot that was ready and has just hung up, to come back.
const seatPatience = 5 * time.Second

// playMatch plays a match of a round and adds its result to the log.
func (r *Rounds) playMatch(ctx context.Context, setup Setup, round *Round, i int) error {
	o := &r.opts
	seats := r.seats(round.Matches[i], round.Number+i)
	names := make([]string, len(seats))
	for s := range seats {
		names[s] = seats[s].Label
	}
	seat.SetLabels(seats)
	pace := cup.NewWaiting(setup.TurnTimeout, len(seats))
	board := boardOf(setup.board, round.Number, len(seats))
	row := &results.Row{
		Seed: seat.Seed(o.Seed+uint64(round.Number), i), Map: setup.Map, Bots: names,
		Scores: make([]int64, len(seats)), Refused: make([]int, len(seats)), Forfeits: make([]string, len(seats)),
	}
	spec := host.Spec{
		Name: o.Game.Name, Game: board, Seed: row.Seed, Order: match.Seeded, InOrder: true, Autostart: true, NeedPlayer: true, LeaveEnds: board.Budget != nil,
		Settings: match.Settings{Turns: cmp.Or(board.Turns, setup.Turns), Players: len(seats)},
		Pace:     func(match.Settings) match.Pace { return pace },
		Watchers: []match.Watcher{r.event.checks.watch(round.Matches[i])},
		Seats:    seats, Digest: true, Patience: seatPatience, Reconnect: o.Reconnect,
		Labels: map[string]string{"series": "event", "round": strconv.Itoa(round.Number), "table": strconv.Itoa(i + 1)},
		Bots:   seating.Options{Options: direct.Options{Builtin: o.Game.NewBuiltin, Patience: setup.TurnTimeout, Shared: true}, HTTTX: o.Game.BotAPI},
	}
	if budget := board.Budget; budget != nil {
		spec.Pace = func(match.Settings) match.Pace {
			return match.Clock(func(engine.PlayerID) match.Budget { return *budget }, 0)
		}
	}
	room, err := r.host.Load().Start(ctx, spec)
	if err != nil {
		return err
	}
	defer r.removeTable(r.addTable(round, i, room.Feed()))
	ended := room.Wait()
	if ended.Err != nil {
		return errors.Join(ended.Err, r.remove(ended.Recording))
	}
	cup.Fill(row, ended.Report(), pace)
	return r.event.Add(ctx, row, ended.Recording)
}

// seats describes who plays: the teams, and built-in bots in the other seats, in turn.
func (r *Rounds) seats(teams []int, turn int) []seat.Spec {
	list := make([]seat.Spec, r.event.plan.Seats)
	for i := range list {
		if i < len(teams) {
			list[i] = seat.Spec{Kind: seat.Wait, Key: keyOf(teams[i]), Label: r.event.nick(teams[i])}
			continue
		}
		bots := r.event.plan.Bots
		name := bots[(turn+i)%len(bots)].Name
		list[i] = seat.Spec{Kind: seat.Builtin, Builtin: name, Label: name}
	}
	return list
}

// boardOf returns the board of a round, whose seats have places at equal distances on it, in each round others.
func boardOf(board games.Instance, round, seats int) games.Instance {
	if board.At == nil {
		return board
	}
	places := make([]int, seats)
	for i := range places {
		places[i] = (round + i*board.Players/seats) % board.Players
	}
	return board.At(places)
}

// remove removes the recording of a match that does not count.
func (r *Rounds) remove(path string) error {
	if path == "" {
		return nil
	}
	return r.event.disk.Remove(path)
}
