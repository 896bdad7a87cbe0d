// Package check finds out what a bot does wrong. It plays the other side: first an ordinary match,
// turn by turn, then, at the same time and each with a process of the bot of its own, the cases
// that protocols permit and bots seldom meet, and a match with built-in bots.
//
// The cases speak the wire themselves ([run]), because a correct server never sends messages in
// such pieces or at such times; what is played in them follows the rules of the game. The match is
// one of package host, which judges the bot as in hexarena play. A [Fault] says what was found,
// quotes the rule, and tells what to do.
package check

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/hexarena/hexarena/protocol/htttx"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/launch/build"
	"github.com/hexarena/hexarena/server/machine/panics"
	"github.com/hexarena/hexarena/server/machine/processors"
	"github.com/hexarena/hexarena/server/seat"
)

// Options say what is checked.
type Options struct {
	Seat         seat.Spec // a process, or the address of a bot that listens
	Game         *games.Game
	Instance     games.Instance
	Turns        int // of the match with built-in bots
	Seed         uint64
	StartTimeout time.Duration // from the start of the bot to its login
	TurnTimeout  time.Duration // for an answer
	Env          []string      // additions, as KEY=value, to what bots get of our environment
	UsualPort    int           // that bots try which do not ask for the port; 0: none is watched
	Jobs         int           // cases at a time; 0: usualJobs
	Progress     func(done, cases int)
	// is told that the bot is being built, if that takes long; may be nil
	Note func(what string)

	// For tests.
	only func(key string) bool // says which cases are played after the first; nil: all
	hush time.Duration         // 0: usualHush
}

// usualJobs is the number of cases that are played at a time: half of them only wait, and a bot
// that starts with three others on its core still does so within a second or two.
func usualJobs() int { return 4 * processors.Allowed() }

// checker is a check.
type checker struct {
	Options
	first     bool   // the first case is played, after which all is known of the bot that follows
	host      string // where bots find the server
	wire      string
	packets   bool         // the bot speaks the HTTTX Bot API
	socket    htttx.Socket // what it declares then
	stateless bool         // it is called over HTTP
	dialsIn   bool         // it connects by itself
	asPlayer  bool         // it plays in an ordinary seat
	stays     bool         // it asked to stay
	raw       bool         // bytes can be sent as they are
	recorded  []string

	mu     sync.Mutex // guards the report
	report Report
	done   int
	total  int
}

// scenario is one case.
type scenario struct {
	key   string // of the fault of a bot that fails; empty: that of ordinary play
	about string
	host  string              // of the server; empty: the usual one
	fits  func(*checker) bool // nil: it fits every bot
	play  func(*run) error

	ownStart bool // play starts the bot itself
}

// ordinary is the name of the first case.
const ordinary = "ordinary play"

// local is the address at which bots on this machine find the server.
const local = "127.0.0.1"

// Run checks a bot. The error says that the bot could not be started, or is that of ctx: what the
// bot does wrong is in the report.
func Run(ctx context.Context, o Options) (*Report, error) {
	begun := time.Now()
	c := &checker{Options: o, first: true, host: local}
	c.hush = cmp.Or(o.hush, usualHush)
	c.report = Report{Bot: o.Seat.Argument, Game: o.Game.Name, Faults: []Fault{}}
	defer func() { c.report.Elapsed = time.Since(begun) }()
	c.total = 1 + len(c.cases())
	if o.Seat.Kind == seat.Process {
		words, err := build.Command(ctx, o.Seat.Argv, o.Note)
		if err != nil {
			return nil, err
		}
		c.Seat.Argv = words
	}
	defer c.tellProgress()()
	healthy, err := c.playFirst(ctx)
	if err != nil {
		return nil, err
	}
	c.first = false
	cases := c.cases()
	c.mu.Lock()
	c.total = 1 + len(cases)
	c.mu.Unlock()
	if healthy {
		err = c.playAll(ctx, cases)
	} else {
		for _, s := range cases {
			c.conclude(s, Skipped)
		}
	}
	c.report.Wire = c.wire
	order := func(r CaseReport) int {
		return slices.IndexFunc(cases, func(s scenario) bool { return s.about == r.About })
	}
	slices.SortStableFunc(c.report.Cases, func(a, b CaseReport) int { return order(a) - order(b) })
	c.report.sort()
	return &c.report, err
}

// progressInterval is how often the progress is told: as often as a bar moves.
const progressInterval = 100 * time.Millisecond

// tellProgress tells how many cases were played, until the function that it returns is called.
func (c *checker) tellProgress() (stop func()) {
	if c.Progress == nil {
		return func() {}
	}
	tick, done := time.NewTicker(progressInterval), make(chan struct{})
	var telling sync.WaitGroup
	panics.Go(&telling, func() {
		for {
			select {
			case <-tick.C:
				c.mu.Lock()
				done, total := c.done, c.total
				c.mu.Unlock()
				c.Progress(done, total)
			case <-done:
				return
			}
		}
	}, panics.Logged(quietLog, ""))
	return func() {
		tick.Stop()
		close(done)
		telling.Wait()
	}
}

// playFirst plays the first case, and reports whether others can be played.
func (c *checker) playFirst(ctx context.Context) (healthy bool, err error) {
	result, err := c.try(ctx, scenario{about: ordinary, play: (*run).drill})
	return result == Passed, err
}

// cases returns all cases for the bot, after the first.
func (c *checker) cases() []scenario {
	if c.packets {
		return packetCases(c)
	}
	return append(netorcaiCases(c), c.matchCases()...)
}

// playAll plays cases, several at a time.
func (c *checker) playAll(ctx context.Context, cases []scenario) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	jobs := c.Jobs
	if jobs == 0 {
		jobs = usualJobs()
	}
	if c.Seat.Kind == seat.Address { // which may play one game at a time
		jobs = 1
	}
	slots := make(chan struct{}, jobs)
	var playing sync.WaitGroup
	for _, s := range cases {
		if s.fits != nil && !s.fits(c) || c.only != nil && !c.only(s.key) {
			c.conclude(s, Skipped)
			continue
		}
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		panics.Go(&playing, func() {
			defer func() { <-slots }()
			if _, err := c.try(ctx, s); err != nil {
				stop(err)
			}
		}, func(p *panics.Error) { stop(p) })
	}
	playing.Wait()
	return context.Cause(ctx)
}

// try plays a case, and adds what the bot did wrong to the report.
func (c *checker) try(ctx context.Context, s scenario) (Result, error) {
	host := c.host
	if s.host != "" {
		host = s.host
	}
	r, err := c.playCase(ctx, s, host)
	for range startsAgain {
		if err != errPortTaken {
			break
		}
		r, err = c.playCase(ctx, s, host)
	}
	var f *failure
	switch {
	case ctx.Err() != nil:
		return Failed, context.Cause(ctx)
	case err == nil:
		c.conclude(s, Passed)
		return Passed, nil
	case errors.Is(err, errSkipped):
		c.conclude(s, Skipped)
		return Skipped, nil
	case !errors.As(err, &f):
		return Failed, err
	}
	key := s.key
	if key == "" {
		key = f.key
	}
	c.add(key, s.about, f.what, r.output())
	c.conclude(s, Failed)
	return Failed, nil
}

// startsAgain is how often a bot is started again whose port another program has taken, which
// seldom happens once.
const startsAgain = 3

// playCase starts the bot, plays a case with it, and ends it.
func (c *checker) playCase(ctx context.Context, s scenario, host string) (*run, error) {
	r := c.newRun(ctx, s.about)
	defer r.close()
	if !s.ownStart {
		if err := r.start(host); err != nil {
			return r, err
		}
	}
	return r, s.play(r)
}

// errSkipped says that a case does not fit the bot, which showed while it was played.
var errSkipped = errors.New("the case does not fit the bot")

// add adds a fault to the report, unless it has it already.
func (c *checker) add(key, about, found string, output []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.ContainsFunc(c.report.Faults, func(f Fault) bool { return f.Key == key }) {
		return
	}
	k := kindOf(key)
	f := Fault{
		Key: key, Severity: k.severity, Case: about, Found: found, Rule: k.rule,
		Source: strings.Replace(k.source, "{game}", c.Game.Name, 1), Remedy: k.remedy,
	}
	if k.severity == Error {
		f.Output = output
	}
	c.report.Faults = append(c.report.Faults, f)
}

// conclude notes how the bot did in a case.
func (c *checker) conclude(s scenario, result Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Cases = append(c.report.Cases, CaseReport{Key: s.key, About: s.about, Result: result})
	c.done++
}

// quietLog is for what serves the wires: faults are told by the report.
var quietLog = zerolog.Nop()
