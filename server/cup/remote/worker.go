package remote

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// WorkerOptions say how a worker works.
type WorkerOptions struct {
	ID      string // differs with each process
	Name    string // of the machine and the process, for people
	Version string // of the program
	Jobs    int    // matches at once
	Key     ed25519.PublicKey
	Stay    bool // wait for the next cup when one is over
	// Wait is the time that a coordinator may give no answer until the worker ends; 0: for ever.
	Wait time.Duration
	// Open returns what plays the matches of a cup. get returns an object.
	Open func(ctx context.Context, m *Manifest, get func(name string) ([]byte, error)) (Player, error)
	// Forget drops all that Open has kept, since a team was forgotten; may be nil.
	Forget  func() error
	Trouble func() error // returns why there is no connection, nil if that is not known; may be nil
	Say     func(text string)
	Status  *WorkerStatus // is kept up to date; may be nil
}

// WorkerStatus is what a worker does. It may be read while the worker works.
type WorkerStatus struct {
	Played  atomic.Int64 // matches since the start
	Playing atomic.Int64 // matches at this time
	Unsent  atomic.Int64 // results that the queue has not stored
	Up      atomic.Bool  // the coordinator has answered the last request
}

// Player plays the matches of one cup. [cup.Player] implements it.
type Player interface {
	Play(ctx context.Context, t *cup.Task, record bool) (*cup.Outcome, error)
	Close(ctx context.Context)
}

// The times of a worker.
const (
	// requestTimeout is for an answer, or for the queue to store results: longer than a pause of
	// the coordinator, and shorter than what a user waits to be told that it is away.
	requestTimeout = 5 * time.Second
	// idlePause is between two requests of a worker that got no lease: in formats that pair by
	// results a round waits no longer for it, and 50 idle workers cost 500 requests a second.
	idlePause = 100 * time.Millisecond
	// groupTime is the time that results wait for others, which are sent with them, while matches are
	// played: what is played again after a crash. Each message costs the coordinator as much as ten
	// results and a sync, and 50 workers send 100 a second.
	groupTime = 500 * time.Millisecond
	// lookTime is how often the worker looks whether results should be sent: as no match is played,
	// a message is full, or they have waited. In a format that pairs by results a round waits no
	// longer for it.
	lookTime = groupTime / 5
	// retryPause is between attempts to reach a queue that is away.
	retryPause = 500 * time.Millisecond
	// leaveTimeout is the time that a worker that is stopped tries to say so.
	leaveTimeout = 2 * time.Second
	// maxMessage bounds the bytes of results in a message, below what the queue carries.
	maxMessage = 512 << 10
	// maxUnsent is from how many results on that could not be sent no lease is asked for.
	maxUnsent = 4 * maxLease
)

// Work plays the matches of a coordinator's leases until ctx ends, the cup is over or the
// coordinator refuses the worker, and returns why; nil if the cup is over.
func Work(ctx context.Context, q Client, o WorkerOptions) error {
	if o.Status == nil {
		o.Status = &WorkerStatus{}
	}
	w := &workLoop{
		opts: o, queue: q, held: map[string]*heldLease{}, finished: make(chan finished, o.Jobs),
		heard:    time.Now(),
		answered: make(chan answered, 1), published: make(chan published, 1),
	}
	playing, stop := context.WithCancelCause(ctx)
	err := w.run(playing)
	stop(err)
	w.running.Wait()
	if w.player != nil {
		w.player.Close(context.WithoutCancel(ctx))
	}
	w.leave(context.WithoutCancel(ctx))
	return err
}

// workLoop is the state of a worker, which belongs to the goroutine of [Work].
type workLoop struct {
	opts  WorkerOptions
	queue Client

	manifest string // the object that player plays
	digest   plan.Digest
	schedule *plan.Schedule // nil: leases say who plays
	player   Player         // nil: no cup is known

	forgets   int // how often teams were forgotten, as the coordinator said last
	number    int // of the last request
	lastLease int // matches
	held      map[string]*heldLease
	todo      []job
	playing   int
	unsent    []pending
	sent      time.Time // when results were sent last
	pause     time.Time // until when nothing is sent
	missing   bool      // an object could not be fetched
	away      bool      // the user was told that the coordinator does not answer
	explained bool      // and why, which may not be known at first
	heard     time.Time // when it answered last, or the worker began

	running   sync.WaitGroup
	asking    bool
	sending   bool
	finished  chan finished
	answered  chan answered
	published chan published
}

// published are results of a cup, of which some are stored.
type published struct {
	plan         plan.Digest
	stored, rest []pending
}

// heldLease is a lease whose results are not all stored.
type heldLease struct{ left int }

// job is a match to be played.
type job struct {
	cup.Task
	record bool
	lease  string
}

// finished is a match that was played.
type finished struct {
	pending
	err error
}

// pending is a result that is to be sent.
type pending struct {
	*cup.Outcome
	lease string
}

// answered is the answer to a request.
type answered struct {
	reply
	err error
}

// errOver says that the cup is over.
var errOver = errors.New("the cup is over")

// run asks for leases, plays and sends until an error, which is errOver as nil.
func (w *workLoop) run(ctx context.Context) error {
	beat, look := time.NewTimer(0), time.NewTicker(lookTime)
	defer beat.Stop()
	defer look.Stop()
	status := w.opts.Status
	for {
		w.play(ctx)
		status.Playing.Store(int64(w.playing))
		status.Unsent.Store(int64(len(w.unsent)))
		var err error
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-beat.C:
			w.ask(ctx)
		case now := <-look.C:
			if w.playing == 0 || len(w.unsent) >= maxLease || now.Sub(w.sent) >= groupTime {
				w.send(ctx)
			}
		case f := <-w.finished:
			w.playing--
			if err = f.err; err == nil {
				status.Played.Add(1)
				w.unsent = append(w.unsent, f.pending)
			}
			if w.wants() {
				beat.Reset(0)
			}
		case p := <-w.published:
			w.hearPublished(&p)
		case a := <-w.answered:
			w.asking = false
			status.Up.Store(a.err == nil)
			err = w.hear(ctx, &a)
			beat.Reset(w.next(&a))
		}
		switch {
		case errors.Is(err, errOver) && !w.opts.Stay:
			return nil
		case err != nil && !errors.Is(err, errOver):
			return err
		}
	}
}

// wants reports whether a lease should be requested: the matches that are left last about as long
// as an answer takes.
func (w *workLoop) wants() bool {
	return w.player != nil && len(w.todo) <= max(w.opts.Jobs, w.lastLease/4) &&
		len(w.unsent) < maxUnsent && len(w.held) < maxHeld/2
}

// next returns when to ask again.
func (w *workLoop) next(a *answered) time.Duration {
	switch {
	case a.err != nil:
		return retryPause
	case w.wants() && a.Lease != nil:
		return 0
	case w.wants():
		return idlePause
	}
	return beat
}

// play starts matches while there are jobs and slots.
func (w *workLoop) play(ctx context.Context) {
	for ; w.playing < w.opts.Jobs && len(w.todo) > 0; w.todo = w.todo[1:] {
		j, player := w.todo[0], w.player
		w.playing++
		panics.Go(&w.running, func() {
			o, err := player.Play(ctx, &j.Task, j.record)
			w.finished <- finished{pending{o, j.lease}, err}
		}, func(p *panics.Error) { w.finished <- finished{err: p} })
	}
}

// ask sends a request, unless one is being answered.
func (w *workLoop) ask(ctx context.Context) {
	if w.asking {
		return
	}
	w.asking = true
	text := encode(w.request(false))
	panics.Go(&w.running, func() {
		ctx, cancel := context.WithTimeout(ctx, requestTimeout)
		defer cancel()
		var a answered
		var answer []byte
		if answer, a.err = w.queue.Request(ctx, text); a.err == nil {
			a.err = json.Unmarshal(answer, &a.reply)
		}
		w.answered <- a
	}, func(p *panics.Error) { w.answered <- answered{err: p} })
}

// request returns the next request.
func (w *workLoop) request(leaves bool) *request {
	w.number++
	r := &request{
		Worker: w.opts.ID, Name: w.opts.Name, Version: w.opts.Version, Number: w.number,
		Manifest: w.manifest,
		Jobs:     w.opts.Jobs, Wants: w.wants(), Leaves: leaves, Missing: w.missing, Held: []string{},
	}
	for id := range w.held {
		r.Held = append(r.Held, id)
	}
	return r
}

// leave says that the worker plays no more.
func (w *workLoop) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, leaveTimeout)
	defer cancel()
	_, _ = w.queue.Request(ctx, encode(w.request(true))) // else the coordinator notices by its silence
}

// hear handles the answer to a request.
func (w *workLoop) hear(ctx context.Context, a *answered) error {
	switch {
	case a.err != nil:
		if trouble := w.trouble(); ctx.Err() == nil && (!w.away || !w.explained && trouble != "") {
			w.away, w.explained = true, trouble != ""
			w.opts.Say("the coordinator does not answer; " + w.patience() + trouble)
		}
		if since := time.Since(w.heard); w.opts.Wait > 0 && since >= w.opts.Wait && ctx.Err() == nil {
			return fmt.Errorf("the coordinator has not answered for %v: the cup is over, or was "+
				"interrupted; start the worker again when it goes on, or with a longer --wait%s",
				since.Round(time.Second), w.trouble())
		}
		return nil
	case a.Refused != "":
		return errors.New("the coordinator gives this worker no matches: " + a.Refused)
	}
	w.heard = time.Now()
	if w.away {
		w.away, w.explained = false, false
		w.opts.Say("the coordinator answers")
	}
	for _, id := range a.Dropped {
		w.drop(id)
	}
	forgot := a.Forgets > w.forgets
	if w.forgets = a.Forgets; forgot {
		if err := w.forget(ctx); err != nil {
			return err
		}
	}
	if a.Manifest != w.manifest && a.Manifest != "" {
		if err := w.open(ctx, a.Manifest); err != nil {
			return err
		}
	}
	if a.Over {
		return errOver
	}
	w.accept(a.Lease)
	return nil
}

// patience returns how long the worker tries to reach the coordinator.
func (w *workLoop) patience() string {
	if w.opts.Wait == 0 {
		return "trying again until it does"
	}
	return fmt.Sprintf("trying again for %v", w.opts.Wait)
}

// trouble returns why there is no connection, as the end of a message; "" if that is not known.
func (w *workLoop) trouble() string {
	if w.opts.Trouble == nil {
		return ""
	}
	if err := w.opts.Trouble(); err != nil {
		return ": " + err.Error()
	}
	return ""
}

// drop forgets a lease, whose matches others play by now.
func (w *workLoop) drop(id string) {
	delete(w.held, id)
	w.todo = slices.DeleteFunc(w.todo, func(j job) bool { return j.lease == id })
}

// accept adds the matches of a lease to those that are to be played. A lease that the worker has
// already is a copy of a message.
func (w *workLoop) accept(l *leased) {
	if l == nil || w.held[l.ID] != nil {
		return
	}
	w.held[l.ID] = &heldLease{left: len(l.Matches)}
	w.lastLease = len(l.Matches)
	for i := range l.Matches {
		m := &l.Matches[i]
		j := job{record: m.Record, lease: l.ID}
		switch {
		case m.Match != nil:
			j.Match = *m.Match
		case w.schedule != nil:
			j.Match = w.schedule.Match(m.K)
		}
		if j.Unstarted = m.Unstarted; j.Unstarted == nil {
			j.Unstarted = make([]bool, len(j.Bots))
		}
		w.todo = append(w.todo, j)
	}
}
