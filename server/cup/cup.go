// Package cup plays a contest: the matches of a [plan.Plan] with real bots, many at once, whose
// results it keeps in a [Folder] in the order of their numbers.
//
// All that decides a result follows from the plan and the match's number, and in formats that pair
// by results from the rows before it. So the log of a cup whose bots are reproducible has the same
// bytes however many matches are played at once, and however often it was interrupted.
//
// [Play] keeps one goroutine for each match that is played and one that writes; all have ended when
// it returns.
package cup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/access/nickname"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/play"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/launch/build"
	"github.com/hexarena/hexarena/server/launch/isolate"
	"github.com/hexarena/hexarena/server/seat"
	"github.com/hexarena/hexarena/server/session"
)

// Contest is a plan, and what it takes to play its matches.
type Contest struct {
	Plan     *plan.Plan
	Shard    plan.Shard // the matches that are played here
	Game     *games.Game
	Boards   []games.Instance // the plan's maps
	Entrants []source.Entrant // the plan's bots
	Logic    *source.Entrant  // the plan's game logic, or nil

	Turns        int            // of a match, unless the game says how many it has
	TurnTimeout  time.Duration  // for an answer; 0: no limit
	GameTimeout  time.Duration  // for a turn of the game logic; 0: no limit
	StartTimeout time.Duration  // from the start of a bot to its login; 0: the usual one
	Delay        time.Duration  // from turn to turn, as bots are told
	OneMatch     bool           // bots are started for each match, also those that ask to stay
	Outputs      bool           // a [Player] returns what they print
	Env          []string       // additions, as KEY=value, to what started bots get of our environment
	Program      string         // name and version, for recordings
	Origin       archive.Origin // which program plays the contest, and how

	// runs started bots in sandboxes; nil: they have the rights of this process
	Isolate *isolate.Runtime
}

// Started returns the bots that run in containers if bots are isolated.
func (c *Contest) Started() (list []isolate.Bot) {
	for i := range c.Entrants {
		if e := &c.Entrants[i]; e.Spec.Kind == seat.Process && e.Spec.Place(true) == launch.InContainer {
			list = append(list, isolate.Bot{
				Argv: e.Spec.Argv, Stdio: e.Spec.Stdio, Listens: c.Game.BotAPI && e.Spec.UsesPort(),
				Copied: e.Copied(),
			})
		}
	}
	return list
}

// Build makes the programs of bots that are source files, and reports those that take long. The
// error shows what is wrong with any of them.
func (c *Contest) Build(ctx context.Context, report func(what string)) error {
	var wrong []error
	for _, e := range c.programs() {
		if e.Spec.Kind != seat.Process || ctx.Err() != nil {
			continue
		}
		say := func(what string) { report(e.Name + ": " + what) }
		if _, err := build.Command(ctx, e.Spec.Argv, say); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", e.Name, err))
		}
	}
	return errors.Join(wrong...)
}

// Starts reports whether bots run in processes of their own.
func (c *Contest) Starts() bool {
	return slices.ContainsFunc(c.Entrants, func(e source.Entrant) bool {
		return e.Spec.Kind == seat.Process
	})
}

// setup returns how matches are played.
func (c *Contest) setup() *play.Setup {
	return &play.Setup{
		Game: c.Game, Turns: c.Turns, TurnTimeout: c.TurnTimeout, Delay: c.Delay,
	}
}

// logic returns how the game logic is started, or nil.
func (c *Contest) logic() *seat.Spec {
	if c.Logic == nil {
		return nil
	}
	return &c.Logic.Spec
}

// programs returns the entrants, and the game logic if there is one.
func (c *Contest) programs() []source.Entrant {
	if c.Logic == nil {
		return c.Entrants
	}
	return append(slices.Clone(c.Entrants), *c.Logic)
}

// Options say how a contest is played. They do not change its results.
type Options struct {
	Jobs int // matches at once
	// Cores are the processors for started bots, of those that [launch.Cores] returns. If they
	// suffice, each bot of the matches that are played at once has as many of its own; else, and if
	// there are none, bots use all.
	Cores []int
	Keep  Keep // of which matches recordings are kept; empty: none
	// Workers play the matches in place of this process, which then needs no Jobs and keeps no
	// recordings. Nil: it plays them.
	Workers Workers
	// CheckpointRows is the number of rows after which a checkpoint is written; 0: as many as are read
	// in a moment.
	CheckpointRows int
	// Begin is called when the rows that the folder has are read, before matches are played; over
	// says that none is missing. It may be nil.
	Begin func(over bool)
	// Restored is told of the state of the standings at the checkpoint from which the cup goes on,
	// which standings.Restore reads. It is not called without a checkpoint. It may be nil.
	Restored func(state []byte)
	// Played is told of each row after the checkpoint, in the order of their numbers, those that
	// the folder had included, by the goroutine that called Play. It may be nil.
	Played func(row *results.Row, fresh bool)
	// Failed is told of each forfeit of a bot that was started, after its row. It may be nil.
	Failed func(Failure)
	// Round is told of each round of a format that pairs by results when it begins, and of the one
	// that goes on. It may be nil.
	Round func(Round)
}

// Failure is a bot that did not hold out a match.
type Failure struct {
	K    int    // the match's number, from 0
	Bot  string //
	Kind string // of forfeit
	Exit string // what was wrong, such as how its process ended; may be empty
	Last string // the last line that it printed; may be empty
}

// Round is a round of a format that pairs by results.
type Round struct {
	Number int        // from 1
	Tables [][]string // the bots that play each other
	Groups [][]string // before the first round of a group stage: the bots of each group
	Winner string     // of a knock-out that is over, which has no tables any more
}

// Play plays the matches that the folder does not have, until the contest is over or ctx ends,
// whose cause it then returns. A bot that does not hold out never ends the contest; a file of a bot
// that changes does, and so does a match that fails for another reason than its bots.
func Play(ctx context.Context, c *Contest, f *Folder, o Options) error {
	r := newRunner(c, f, o)
	if err := r.resume(); err != nil {
		return err
	}
	if o.Begin != nil {
		o.Begin(r.ledger.over())
	}
	r.tellRound()
	if r.ledger.over() {
		return nil
	}
	var err error
	if r.keeper, err = newKeeper(o.Keep, c.Plan, f.Dir); err != nil {
		return err
	}
	if o.Workers == nil {
		r.player, err = openPlayer(c, r.guard, r.keeper.recordings(), r.opts.Jobs, o.Cores)
		if err != nil {
			return err
		}
	}
	if r.journal, err = f.openJournal(r.ends); err != nil {
		r.player.close(ctx)
		return err
	}
	playing, stop := context.WithCancelCause(ctx)
	err = r.run(playing)
	stop(err)
	r.running.Wait()
	r.player.close(ctx)
	if failure := cmp.Or(r.journal.close(), r.keeper.close()); failure != nil {
		return failure
	}
	return err
}

// openHost opens the host that all matches are played on, jobs of them at once, and recorded if
// recordings is not nil. Without started bots it has no port. Twice as many bots may stay between
// matches as play at once, so that those of a small cup all stay, and those of a large one do not
// fill the memory.
func (c *Contest) openHost(recordings *host.Recordings, jobs int) (*host.Host, error) {
	size := 0
	for i := range c.Boards {
		size = max(size, c.Boards[i].AnswerSize)
	}
	return host.Open(host.Options{
		Bind: "127.0.0.1", NoPort: !c.Starts(), Gate: nickname.Gate{}, Program: c.Program,
		Recordings:  recordings,
		StayingBots: 2 * jobs * c.Plan.Seats,
		Allow:       session.Allowances{Player: session.Allowance{Size: size}},
	})
}

// builtin returns a built-in bot of the game, or the one that gives up.
func (c *Contest) builtin(name string, seed uint64) (netorcai.Bot, error) {
	if name == givesUp {
		return quitter{}, nil
	}
	return c.Game.NewBuiltin(name, seed)
}
