// Package cupcli plays cups for the command cup: it makes a plan of what its user wants, finds the
// folder, and tells how the cup goes.
package cupcli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/filelock"
)

// Options are what the command is to do.
type Options struct {
	Values    config.Values
	Wrong     error    // mistakes in the settings
	Arguments []string // the bots
	Again     string   // the command line that goes on
	Flags     []string // those that were given and decide what is played

	Format       string        // empty: a comparison of two bots, or a round robin of more
	Count        int           // matches; 0: not given
	Until        string        // how certain the leader is to be, such as 95%; empty: not given
	For          time.Duration // after which no more matches begin; 0: no limit
	Within       float64       // points of Elo within which bots are equal; 0: not given
	Seats        int           // of a match; 0: as many as the maps have, and there are bots
	Jobs         int           // matches at once; 0: as many as the cores allow
	With         string        // bots beside the two that are compared
	Elo0, Elo1   float64       // normalised Elo of a comparison
	Out, Name    string        // the folder, or the beginning of its name; empty: not given
	Shard        string        // such as 2/3; empty: the whole cup
	Keep         string        // of which matches recordings are kept; empty: not given
	JSON, CSV    bool          // of the final table
	Page         Page
	Workers      string // the address at which workers are served; empty: none, or over NATS
	NATS         string // the URLs of a cluster over which they are served; empty: none
	Reproducible bool   // the started bots are; a new cup tests it
	Exam         bool   // the sheet is an exam, which the bots take one after another

	// Earlier is the cup from whose plan the options are; nil: they are not from one.
	Earlier *archive.Cup
	// Sheet is the file of a plan or an exam; nil: none.
	Sheet *config.Sheet
	// reports whether a flag was given, which a plan's file does not replace
	Given func(flag string) bool

	cli.Program
	// StartBroker starts a server for workers at an address, with its data below a folder.
	StartBroker func(o BrokerOptions) (Broker, error)
}

// usualCount is the number of matches a cup has without --count: with four seats 100 blocks, from
// which on intervals are as good as their names.
const usualCount = 400

// errors of a comparison are as likely in both directions.
const testError = 0.05

// prepared is a cup that can be played.
type prepared struct {
	Options
	contest *cup.Contest
	custom  []cup.MapFile
	left    []string // entries of a folder of bots that cannot be started
	scratch string   // folder of what git had
	dir     string
}

// Run plays the cup that the options describe, or goes on with it, and prints the table. Mistakes
// in the options are a games.UsageError that holds all.
func Run(ctx context.Context, o Options) error {
	filelock.RemoveAbandoned()
	scratch, err := filelock.MkdirTemp()
	if err != nil {
		return err
	}
	defer scratch.Close()
	p := &prepared{Options: o, scratch: scratch.Dir}
	if o.Exam {
		return p.examine(ctx)
	}
	if err := p.prepare(ctx); err != nil {
		return games.UsageError{Err: err}
	}
	return p.run(ctx)
}

func (p *prepared) prepare(ctx context.Context) error {
	wrong := p.readPlan() // first: it says which bots, and where maps are
	if g := p.Games.Find(p.Values.Text("game")); g.NewCup != nil {
		// they count as given, so that earlier cups are repeated without them
		p.Values = g.NewCup(p.Values)
	}
	wrong = errors.Join(wrong, p.addContest(), p.addShard(), p.addBoards(), p.addBots(ctx))
	if wrong != nil {
		return wrong
	}
	if err := p.addLogic(ctx); err != nil {
		return err
	}
	isolated, err := cli.Isolation(ctx, p.Values, p.contest.Started())
	if err != nil {
		return err
	}
	p.contest.Isolate = isolated
	if err := p.addFormat(); err != nil {
		return err
	}
	if err := p.contest.Plan.Check(); err != nil {
		return err
	}
	if err := p.setKeep(); err != nil {
		return err
	}
	if p.leases() {
		if err := p.contest.Portable(); err != nil {
			return err
		}
	}
	bots := p.Arguments
	if p.Sheet != nil {
		bots = nil // the plan has them
	}
	if err := p.choose(); err != nil {
		return err
	}
	p.contest.Origin = p.origin(bots)
	return nil
}

// addContest makes the contest from the settings.
func (p *prepared) addContest() error {
	g := p.Games.Find(p.Values.Text("game"))
	c := p.Values.Config()
	wrong := []error{p.Wrong}
	if p.Values.Text("order") == string(config.Arrival) {
		wrong = append(
			wrong,
			p.Values.Mistake("order",
				"the results of a cup must not depend on who answers first; leave it out"),
		)
	}
	started, err := cli.Launch(p.Values)
	wrong = append(wrong, err)
	p.contest = &cup.Contest{
		Plan: &plan.Plan{Game: g.Name, Seed: c.Seed.Value, Settings: p.settings()}, Game: g,
		Shard: plan.Whole,
		Turns: c.MaxTurns, TurnTimeout: c.TurnTimeout, GameTimeout: c.GameTimeout,
		StartTimeout: started.Timeout, Env: started.Env,
		Delay: c.Interval(), Program: "hexarena " + p.Version,
	}
	return errors.Join(wrong...)
}

// setKeep decides of which matches recordings are kept. Those between built-in bots can be played
// again.
func (p *prepared) setKeep() error {
	hero := cup.Hero(p.contest.Plan) >= 0
	switch k := cup.Keep(p.Keep); {
	case p.leases() && k != "" && k != cup.KeepNone:
		return errors.New(
			"--keep: recordings stay with the workers, which delete them; leave it out, or --workers")
	case p.leases():
		p.Keep = string(cup.KeepNone)
	case k == "" && !p.contest.Starts():
		p.Keep = string(cup.KeepNone)
	case k == "" && hero:
		p.Keep = string(cup.KeepLosses)
	case k == "":
		p.Keep = string(cup.KeepErrors)
	case k == cup.KeepLosses && !hero:
		return fmt.Errorf(
			"--keep losses: in the format %s no bot is compared with the others; take errors or all",
			p.contest.Plan.Format)
	case k != cup.KeepNone && k != cup.KeepErrors && k != cup.KeepLosses && k != cup.KeepAll:
		return fmt.Errorf("--keep: %q: want losses, errors, all or none", p.Keep)
	}
	return nil
}

// addShard reads which matches are played here.
func (p *prepared) addShard() error {
	s := plan.Whole
	if p.Shard != "" {
		if n, err := fmt.Sscanf(p.Shard+" ", "%d/%d ", &s.Number, &s.Of); n < 2 || err != nil {
			return fmt.Errorf("--shard: %q: want i/n, such as 2/3", p.Shard)
		}
	}
	p.contest.Shard = s
	if err := s.Check(); err != nil {
		return fmt.Errorf("--shard: %w", err)
	}
	return nil
}

// settings returns the settings that decide the matches beside the maps.
func (p *prepared) settings() []plan.Setting {
	c := p.Values.Config()
	list := []plan.Setting{
		{Name: "turns", Value: strconv.Itoa(c.MaxTurns)},
		{Name: "turn-timeout", Value: c.TurnTimeout.String()},
		{Name: "start-timeout", Value: p.Values.Duration("start-timeout").String()},
	}
	if env := p.Values.Text("env"); env != "" {
		list = append(list, plan.Setting{Name: "env", Value: env})
	}
	if p.Values.Bool("isolate") {
		list = append(list,
			plan.Setting{Name: "isolate-image", Value: p.Values.Text("isolate-image")},
			plan.Setting{Name: "isolate-memory", Value: strconv.Itoa(p.Values.Int("isolate-memory"))},
			plan.Setting{Name: "isolate-cpus", Value: strconv.Itoa(p.Values.Int("isolate-cpus"))},
		)
	}
	if p.Until != "" {
		list = append(list, plan.Setting{Name: plan.UntilSetting, Value: p.Until})
	}
	if p.Within != 0 {
		within := strconv.FormatFloat(p.Within, 'f', -1, 64)
		list = append(list, plan.Setting{Name: plan.WithinSetting, Value: within})
	}
	return list
}
