// Package cupcli plays cups for the command cup: it makes a plan of what its user wants, finds the
// folder, and tells how the cup goes.
package cupcli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/sprt"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/seat"
)

// Options are what the command is to do.
type Options struct {
	Values    config.Values
	Wrong     error    // mistakes in the settings
	Arguments []string // the bots
	Again     string   // the command line that goes on

	Format     string  // empty: a comparison of two bots, or a round robin of more
	Count      int     // matches; 0: not given
	Until      string  // how certain the leader is to be, such as 95%; empty: not given
	Seats      int     // of a match; 0: as many as the maps have, and there are bots
	Jobs       int     // matches at once; 0: as many as the cores allow
	With       string  // bots beside the two that are compared
	Elo0, Elo1 float64 // normalised Elo of a comparison
	Out, Name  string  // the folder, or the beginning of its name; empty: not given
	Shard      string  // such as 2/3; empty: the whole cup
	Keep       string  // of which matches recordings are kept; empty: not given
	JSON, CSV  bool    // of the final table

	Games          games.List
	Version        string
	Stdout, Stderr io.Writer
}

// usualCount is how many matches a cup has without --count: with four seats 100 blocks, from which on
// intervals are as good as their names.
const usualCount = 400

// errors of a comparison are as likely in both directions.
const testError = 0.05

// prepared is a cup that can be played.
type prepared struct {
	Options
	contest *cup.Contest
	custom  []cup.MapFile
	left    []string // entries of a folder of bots that are none
	scratch string   // folder of what git had
	dir     string
}

// Run plays the cup that the options describe, or goes on with it, and prints the table. Mistakes in
// the options are a games.UsageError that holds all.
func Run(ctx context.Context, o Options) error {
	scratch, err := os.MkdirTemp("", "hexarena-cup-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	p := &prepared{Options: o, scratch: scratch}
	if err := p.prepare(ctx); err != nil {
		return games.UsageError{Err: err}
	}
	return p.run(ctx)
}

func (p *prepared) prepare(ctx context.Context) error {
	g := p.Games.Find(p.Values.Text("game"))
	c := p.Values.Config()
	wrong := []error{p.Wrong}
	if p.Values.Text("order") == string(config.Arrival) {
		wrong = append(wrong, p.Values.Mistake("order", "the results of a cup must not depend on who answers first; leave it out"))
	}
	env, err := launch.ParseEnv(p.Values.Text("env"))
	if err != nil {
		wrong = append(wrong, p.Values.Mistake("env", "%w", err))
	}
	p.contest = &cup.Contest{
		Plan: &plan.Plan{Game: g.Name, Seed: c.Seed.Value, Settings: p.settings()}, Game: g,
		Turns: c.MaxTurns, TurnTimeout: c.TurnTimeout, StartTimeout: p.Values.Duration("start-timeout"), Env: env,
		Delay: c.Interval(), Program: "hexarena " + p.Version,
	}
	wrong = append(wrong, p.addShard(), p.addBoards(), p.addBots(ctx))
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	if err := p.addFormat(); err != nil {
		return err
	}
	if err := p.contest.Plan.Check(); err != nil {
		return err
	}
	if err := p.setKeep(); err != nil {
		return err
	}
	return p.choose()
}

// setKeep decides of which matches recordings are kept. Those between built-in bots can be played again.
func (p *prepared) setKeep() error {
	hero := cup.Hero(p.contest.Plan) >= 0
	switch k := cup.Keep(p.Keep); {
	case k == "" && !p.contest.Starts():
		p.Keep = string(cup.KeepNone)
	case k == "" && hero:
		p.Keep = string(cup.KeepLosses)
	case k == "":
		p.Keep = string(cup.KeepErrors)
	case k == cup.KeepLosses && !hero:
		return fmt.Errorf("--keep losses: in the format %s no bot is compared with the others; take errors or all", p.contest.Plan.Format)
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
	if p.Until != "" {
		list = append(list, plan.Setting{Name: cup.UntilSetting, Value: p.Until})
	}
	return list
}

// addBoards adds the maps, or what the game has in their place.
func (p *prepared) addBoards() error {
	g, v := p.contest.Game, p.Values
	names := strings.Split(v.Text("maps"), ",")
	var wrong []error
	for _, name := range names {
		name = strings.TrimSpace(name)
		i, err := g.New(v.With("map", name))
		if err != nil {
			wrong = append(wrong, err)
		}
		if i.New == nil {
			continue
		}
		boards := i.Openings
		if boards == nil {
			boards = []games.Instance{i}
		}
		for n, board := range boards {
			title := cmp.Or(name, board.Map)
			if len(i.Openings) > 0 {
				title = fmt.Sprint("opening ", n+1)
			}
			if _, err := os.Stat(name); name != "" && err == nil {
				title = strings.TrimSuffix(filepath.Base(name), ".json")
				p.custom = append(p.custom, cup.MapFile{Name: title, Text: board.Board})
			}
			p.contest.Boards = append(p.contest.Boards, board)
			p.contest.Plan.Maps = append(p.contest.Plan.Maps, plan.Map{Name: title, Digest: sha256.Sum256(board.Setup), Places: board.Players})
		}
	}
	return errors.Join(wrong...)
}

// addBots adds the bots.
func (p *prepared) addBots(ctx context.Context) (err error) {
	g := p.contest.Game
	known := seat.Known{Game: g.Name, HTTTX: g.BotAPI, Builtin: g.NewBuiltin}
	arguments := p.Arguments
	if len(arguments) == 1 {
		info, err := os.Stat(arguments[0])
		if err != nil || !info.IsDir() {
			return fmt.Errorf("%s alone: name two bots or more, or a folder of bots", arguments[0])
		}
		if arguments, p.left, err = cup.Bots(ctx, arguments[0], known); err != nil {
			return err
		}
	}
	if len(arguments) < 2 {
		return errors.New("a cup needs two bots or more, as in: hexarena cup my_bot.py painter hunter")
	}
	if p.With != "" {
		if len(arguments) != 2 {
			return fmt.Errorf("--with: there are %d bots, and a comparison is of two", len(arguments))
		}
		for name := range strings.SplitSeq(p.With, ",") {
			arguments = append(arguments, strings.TrimSpace(name))
		}
	}
	p.contest.Entrants, err = cup.Enter(ctx, arguments, known, p.scratch)
	for i := range p.contest.Entrants {
		p.contest.Plan.Bots = append(p.contest.Plan.Bots, p.contest.Entrants[i].Bot)
	}
	return err
}

// addFormat completes the plan by the format, the seats and the number of matches.
func (p *prepared) addFormat() error {
	q := p.contest.Plan
	q.Format, q.Count = plan.Format(p.Format), p.Count
	if p.Format == "" {
		q.Format = plan.RoundRobin
		if len(q.Bots) == 2 || p.With != "" {
			q.Format = plan.Comparison
		}
	}
	if q.Seats = p.Seats; q.Seats == 0 {
		q.Seats = q.Maps[0].Places
		for _, m := range q.Maps {
			q.Seats = min(q.Seats, m.Places)
		}
		if q.Format != plan.Comparison {
			q.Seats = min(q.Seats, len(q.Bots))
		}
	}
	sharded := p.contest.Shard != plan.Whole
	switch {
	case sharded && (q.Format.Adaptive() || q.Format == plan.Comparison || p.Until != ""):
		return fmt.Errorf("--shard: which matches follow depends on all results, in the format %s and with --until; give --count and another format", q.Format)
	case sharded && !p.Values.Given("seed"):
		return errors.New("--shard: give --seed as well, so that all shards have the same")
	case q.Format == plan.Comparison && p.Until != "":
		return errors.New("--until: a comparison ends when its answer is certain; leave it out, or give --format round-robin")
	case q.Format == plan.Comparison:
		q.Test = &sprt.Hypotheses{NElo0: p.Elo0, NElo1: p.Elo1, Alpha: testError, Beta: testError}
	case p.With != "":
		return fmt.Errorf("--with: bots beside those that are compared have no part in the format %s", q.Format)
	case p.Until != "":
		if _, err := cup.ParseUntil(p.Until); err != nil {
			return fmt.Errorf("--until: %w", err)
		}
	case q.Count == 0:
		q.Count = usualCount
	}
	return nil
}

// choose chooses the folder. If no seed is given, a folder with the same plan except for that is
// taken, so that the same command goes on; else the seed is drawn.
func (p *prepared) choose() error {
	q := p.contest.Plan
	name := cmp.Or(p.Name, string(q.Format))
	drawn := !p.Values.Given("seed")
	if drawn {
		q.Seed = uint64(rand.Uint32()) // short enough to type
	}
	pattern := p.Out
	if pattern == "" {
		pattern = filepath.Join("cups", name+"-*")
	}
	folders, err := filepath.Glob(pattern)
	if p.Out != "" {
		folders, err = []string{p.Out}, nil
	}
	if err != nil {
		return fmt.Errorf("--name: %w", err)
	}
	for _, dir := range folders {
		if earlier, err := archive.Open(dir); drawn && err == nil {
			like := *q
			like.Seed = earlier.Plan.Seed
			if like.Digest() == earlier.Plan.Digest() && earlier.Shard == p.contest.Shard || p.Out != "" {
				q.Seed, p.dir = like.Seed, dir
				return nil
			}
		}
	}
	p.dir = cmp.Or(p.Out, filepath.Join("cups", cup.FolderName(name, q, p.contest.Shard)))
	return nil
}

// jobs returns how many matches are played at once: without started bots one on each core, else as
// many as have a core for each bot.
func (p *prepared) jobs() int {
	cores := runtime.NumCPU()
	if p.contest.Starts() {
		cores = max(1, cores/p.contest.Plan.Seats)
	}
	return cmp.Or(p.Jobs, cores)
}
