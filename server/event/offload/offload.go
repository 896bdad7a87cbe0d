// Package offload has workers in other processes play matches of an event.
//
// A match of which all bots are versions that were sent, or built-in, can be played anywhere. A
// [Dispatcher] leases the matches of a round by the coordinator of cups ([remote.Coordinator]),
// whose table alone says which worker plays which match, and hands each result to the goroutine
// that waits for it. That goroutine alone decides what counts: if no result comes, it withdraws the
// match and plays it itself.
package offload

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/event/state"
	"github.com/hexarena/hexarena/server/event/versions"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/seat"
)

// Absence is the time without a request from any worker after which workers count as absent, and a
// round does not wait for them. It is ten beats: a worker that has lost its connection is back
// within a few seconds.
const Absence = 10 * time.Second

// storeTimeout is the time that storing the versions of a round may take: as long as workers are
// waited for.
const storeTimeout = Absence

// Options say how matches are played by workers.
type Options struct {
	// Coordinator records all matches. It begins without a plan.
	Coordinator *remote.Coordinator
	Key         ed25519.PrivateKey // signs what workers run
	// Manifest returns what workers have to know of a setup. Its plan has the game, the settings,
	// the map and the seats.
	Manifest func(s Setup) *remote.Manifest
	Builtin  []string // the names of built-in bots
	Store    *versions.Store
	Log      zerolog.Logger
}

// Setup says how the matches of a round are played.
type Setup struct {
	Map         string
	Board       games.Instance
	Turns       int
	TurnTimeout time.Duration // for an answer
	// StartTimeout is from the start of a bot to its login.
	StartTimeout time.Duration
	// Longest is the time that a match may take. If no result of any match comes for so long,
	// something is wrong with the workers.
	Longest time.Duration
}

// Bot is a bot of a match.
type Bot struct {
	Name    string        // as rows call it, which is another one for each team
	Version *state.Upload // nil: the built-in bot with this name
}

// Match is a match that workers can play.
type Match struct {
	Seed   uint64
	Bots   []Bot // by seat
	Places []int // the starting place of each seat; nil: the board's
}

// Dispatcher gives matches to workers. It keeps a goroutine that hands on results, until Close.
type Dispatcher struct {
	opts    Options
	started time.Time
	// tells the matches from those of an earlier process, whose results the queue may still have
	seed    uint64
	stop    chan struct{}
	running sync.WaitGroup

	leasing sync.Mutex // held while matches are leased, or what was leased is forgotten

	mu       sync.Mutex // guards the fields below
	forgets  int        // how often teams were forgotten
	next     int        // the number of the next match: no two of this process have the same
	waiting  map[int]chan *cup.Outcome
	progress time.Time // when the last result came

	// the versions of the last round, by their digests; guarded by leasing
	packed map[string]packed
}

// packed are the files of a version.
type packed struct {
	archive []byte
	digest  plan.Digest
}

// New returns a dispatcher that serves workers until Close, which leaves the coordinator open.
func New(o Options) *Dispatcher {
	d := &Dispatcher{
		opts: o, started: time.Now(), seed: rand.Uint64(), stop: make(chan struct{}),
		waiting: map[int]chan *cup.Outcome{},
	}
	o.Coordinator.Lease(nil) // so that workers are heard before the first round
	panics.Go(&d.running, d.route,
		panics.Logged(o.Log, "Results of workers are not taken any more, and matches played here"))
	return d
}

// Close ends the dispatcher. No round may be played any more.
func (d *Dispatcher) Close() {
	close(d.stop)
	d.running.Wait()
}

// Forget removes what workers and the queue have of all versions. The matches that workers play are
// played here. A nil dispatcher has nothing to forget.
func (d *Dispatcher) Forget(ctx context.Context) error {
	if d == nil {
		return nil
	}
	d.leasing.Lock()
	defer d.leasing.Unlock()
	d.packed = nil
	d.mu.Lock()
	d.forgets++
	d.mu.Unlock()
	return d.opts.Coordinator.Forget(ctx)
}

// route hands results to the goroutines that wait for them. A result that comes too late is
// dropped.
func (d *Dispatcher) route() {
	for {
		select {
		case <-d.stop:
			return
		case list := <-d.opts.Coordinator.Outcomes():
			d.mu.Lock()
			d.progress = time.Now()
			for _, o := range list {
				if c := d.waiting[o.Row.K]; c != nil {
					c <- o // which has room, as a match has one result
					delete(d.waiting, o.Row.K)
				}
			}
			d.mu.Unlock()
		}
	}
}

// Alive returns how many workers are there.
func (d *Dispatcher) Alive() int { return d.opts.Coordinator.Status().Alive }

// absent reports whether there is no worker.
func (d *Dispatcher) absent(now time.Time) bool {
	last := d.opts.Coordinator.Heard()
	if last.Before(d.started) {
		last = d.started
	}
	return now.Sub(last) > Absence
}

// Round is the matches of a round. All methods of nil are those of a round of which workers play
// none.
type Round struct {
	dispatcher *Dispatcher
	setup      Setup
	matches    []*Match

	begin    sync.Once // leases the matches, and sets the fields below
	err      error     // why they are not leased
	first    int       // the number of the first match
	schedule *plan.Schedule
	results  []chan *cup.Outcome // nil: the match is played here
	leased   time.Time
	forgets  int // those of the dispatcher at that time
}

// Round returns a round of some matches; those that are nil are not for workers. It is nil if all
// are.
func (d *Dispatcher) Round(s Setup, matches []*Match) *Round {
	if d == nil || !slices.ContainsFunc(matches, func(m *Match) bool { return m != nil }) {
		return nil
	}
	return &Round{
		dispatcher: d, setup: s, matches: matches, err: fmt.Errorf("they could not be leased"),
	}
}

// Play returns the result of a match that a worker has played; nil: the match is to be played here,
// since it is not one for workers, there are none or they give no result, or ctx has ended. The
// first call leases all matches of the round.
func (r *Round) Play(ctx context.Context, i int) *cup.Outcome {
	if r == nil || r.matches[i] == nil {
		return nil
	}
	d := r.dispatcher
	r.begin.Do(func() {
		if d.absent(time.Now()) {
			return // which the log has told when the last one went
		}
		if r.err = r.lease(ctx); r.err != nil && ctx.Err() == nil {
			d.opts.Log.Warn().Err(r.err).Msg(
				"Workers cannot play the matches of this round, which are played here")
		}
	})
	if r.err != nil || r.results[i] == nil {
		return nil
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case o := <-r.results[i]:
			return o
		case <-ctx.Done():
			return r.withdraw(i)
		case now := <-tick.C:
			why := r.fails(now)
			if why == "" {
				continue
			}
			o := r.withdraw(i)
			if o == nil {
				d.opts.Log.Warn().Int("match", i+1).Str("why", why).Msg(
					"A match is played here and not by a worker")
			}
			return o
		}
	}
}

// fails returns why no result of a worker is to be expected, "" if one is.
func (r *Round) fails(now time.Time) string {
	d := r.dispatcher
	if d.absent(now) {
		return fmt.Sprintf("no worker has asked for matches for %v", Absence)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.forgets != r.forgets {
		return "a team was forgotten"
	}
	last := d.progress
	if last.Before(r.leased) {
		last = r.leased
	}
	if now.Sub(last) > r.setup.Longest {
		return fmt.Sprintf("workers have sent no result for %v, which is longer than a match takes",
			r.setup.Longest)
	}
	return ""
}

// withdraw takes a match back, and returns the result if there is one.
func (r *Round) withdraw(i int) *cup.Outcome {
	d := r.dispatcher
	d.opts.Coordinator.Withdraw(r.first + i)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.waiting, r.first+i)
	select {
	case o := <-r.results[i]:
		return o
	default:
		return nil
	}
}

// Seed returns the seed of the bot in a seat of a match that is played here, so that it plays as it
// would have done elsewhere. It is 0 if the match was not leased.
func (r *Round) Seed(i, seat int) uint64 {
	if r == nil || r.schedule == nil || r.results[i] == nil {
		return 0
	}
	return r.schedule.BotSeed(r.first+i, seat)
}

// lease gives the matches to workers.
func (r *Round) lease(ctx context.Context) error {
	d := r.dispatcher
	d.leasing.Lock()
	defer d.leasing.Unlock()
	matches := d.packAll(r.matches)
	p, a, err := d.assignment(r.setup, matches)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	if err := d.opts.Coordinator.Assign(ctx, a); err != nil {
		return err
	}
	r.schedule, r.leased = plan.NewSchedule(p), time.Now()
	r.results = make([]chan *cup.Outcome, len(matches))
	d.mu.Lock()
	r.first, r.forgets = d.next, d.forgets
	d.next += len(matches)
	var tasks []cup.Task
	for i, m := range matches {
		if m == nil {
			continue
		}
		r.results[i] = make(chan *cup.Outcome, 1)
		d.waiting[r.first+i] = r.results[i]
		t := cup.Task{
			Match:     plan.Match{K: r.first + i, Seed: m.Seed, Places: m.Places},
			Unstarted: make([]bool, len(m.Bots)),
		}
		for _, b := range m.Bots {
			t.Bots = append(t.Bots,
				slices.IndexFunc(p.Bots, func(other plan.Bot) bool { return other.Name == b.Name }))
		}
		tasks = append(tasks, t)
	}
	d.mu.Unlock()
	d.opts.Coordinator.Lease(tasks)
	return nil
}

// assignment returns the plan of some matches, and what workers need to play them. Rounds of the
// same versions and setup have the same.
func (d *Dispatcher) assignment(s Setup, matches []*Match) (*plan.Plan, remote.Assignment, error) {
	m := d.opts.Manifest(s)
	p := m.Plan
	p.Format, p.Seed, m.Sent = plan.Ladder, d.seed, true // a lease of a ladder names its bots
	a := remote.Assignment{Plan: p, Objects: map[string][]byte{}}
	for _, b := range sent(matches) {
		one := d.packed[b.Version.Digest]
		bot := plan.Bot{
			Name: b.Name, Seat: b.Version.File, Digest: one.digest, JS: d.opts.Store.JS(*b.Version),
		}
		if b.Version.Stdio {
			bot.Seat = seat.StdioPrefix + bot.Seat
		}
		a.Objects[remote.BotObject(&bot)] = one.archive
		p.Bots, m.Copied = append(p.Bots, bot), append(m.Copied, true)
	}
	// a plan has as many bots as a match has seats
	for i := 0; i < len(d.opts.Builtin) || len(p.Bots) < p.Seats; i++ {
		name := d.opts.Builtin[i%len(d.opts.Builtin)]
		p.Bots = append(p.Bots, plan.Bot{Name: name, Seat: name, Reproducible: true})
		m.Copied = append(m.Copied, false)
	}
	var object []byte
	a.Manifest, object = m.Sign(d.opts.Key)
	a.Objects[a.Manifest] = object
	return p, a, p.Check()
}

// sent returns the versions of some matches, by the names of their teams.
func sent(matches []*Match) (list []Bot) {
	for _, m := range matches {
		if m == nil {
			continue
		}
		for _, b := range m.Bots {
			if b.Version != nil {
				list = append(list, b)
			}
		}
	}
	slices.SortFunc(list, func(a, b Bot) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// packAll packs the versions of some matches, and returns the matches of which all versions could
// be packed, with nil for the others.
func (d *Dispatcher) packAll(matches []*Match) []*Match {
	before := d.packed
	d.packed = map[string]packed{}
	whole := slices.Clone(matches)
	for i, m := range matches {
		if m == nil {
			continue
		}
		for _, b := range m.Bots {
			if b.Version == nil {
				continue
			}
			one, known := before[b.Version.Digest]
			if !known {
				var err error
				if one.archive, one.digest, err = d.opts.Store.Pack(*b.Version); err != nil {
					d.opts.Log.Warn().Err(err).Str("bot", b.Name).Msg(
						"A match of this version is played here and not by a worker")
					whole[i] = nil
					continue
				}
			}
			d.packed[b.Version.Digest] = one
		}
	}
	return whole
}
