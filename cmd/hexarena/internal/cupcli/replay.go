package cupcli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/config"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/filelock"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording/rerun"
)

// ReplayOptions say which match of a cup is played again.
type ReplayOptions struct {
	cli.Program
	Cup     *archive.Cup
	K       int      // the number of the match
	Replace []string // BOT=SEAT: what plays in place of a bot
	Record  string   // the folder of the recording; empty: none
	JSON    bool
	Again   string       // the command line
	Scope   config.Scope // of a cup
}

// replay is a match of a cup that is about to be played again.
type replay struct {
	*prepared
	asked ReplayOptions
	task  *cup.Task
	row   *results.Row // of the match in the log
	times match.Past   // of the answers, if they are known and count
}

// Replay plays a match of a cup again, and prints both results. Mistakes in the options are a
// games.UsageError.
func Replay(ctx context.Context, o ReplayOptions) error {
	filelock.RemoveAbandoned()
	scratch, err := filelock.MkdirTemp()
	if err != nil {
		return err
	}
	defer scratch.Close()
	r := &replay{asked: o}
	if err := r.prepare(ctx, scratch.Dir); err != nil {
		return games.UsageError{Err: err}
	}
	ctx, done := cli.Context(ctx)
	defer done(nil)
	if err := r.build(ctx); err != nil {
		return err
	}
	if r.contest.Starts() {
		r.note("%s", cli.Rights(r.contest.Isolate))
	}
	played, err := cup.PlayOne(ctx, r.contest, r.task, r.times, r.asked.Record, r.cores())
	if err != nil {
		return err
	}
	return r.tell(played)
}

// prepare makes the contest with the bots of the match.
func (r *replay) prepare(ctx context.Context, scratch string) (err error) {
	if r.task, r.row, err = cup.Again(r.asked.Cup, r.asked.K); err != nil {
		return err
	}
	o := r.asked.Cup.Origin()
	if len(o.Command) == 0 {
		return fmt.Errorf("%s does not say with which settings it was played: it has no file %s, "+
			"as cups of older versions", r.asked.Cup.Dir, archive.OriginFile)
	}
	q := r.asked.Cup.Plan
	custom, err := cup.ReadMaps(r.asked.Cup.Dir, o.Maps)
	if err != nil {
		return err
	}
	settings := &remote.Manifest{Arguments: o.Settings, Maps: custom, MapNames: o.Maps}
	values, err := valuesOf(r.asked.Scope, settings, scratch, nil)
	if err != nil {
		return err
	}
	r.prepared, err = onBoards(
		Options{Values: values, Program: r.asked.Program, Seats: q.Seats, Jobs: 1}, q)
	if err != nil {
		return err
	}
	if o.Version != r.asked.Version {
		r.note("the cup was played by hexarena %s, and this is %s: results could differ",
			o.Version, r.asked.Version)
	}
	return r.addSeats(ctx, scratch)
}

// addSeats adds the bots of the match, and those that replace some.
func (r *replay) addSeats(ctx context.Context, scratch string) error {
	arguments, by, err := r.replaced()
	if err != nil {
		return err
	}
	c, q := r.contest, r.asked.Cup.Plan
	bots := make([]source.Entrant, len(q.Bots)) // empty ones for those that are not needed
	var wrong []error
	for _, bot := range r.task.Bots {
		name := q.Bots[bot].Name
		if _, ok := by[name]; ok || bots[bot].Name != "" {
			continue
		}
		if bots[bot], err = source.EnterCopy(ctx, r.asked.Cup.Dir, q, bot, r.known()); err != nil {
			bots[bot].Name = name
			wrong = append(wrong, fmt.Errorf("%w; --replace '%s=SEAT' lets another bot play", err, name))
		}
	}
	others, err := source.Enter(ctx, arguments, r.known(), filepath.Join(scratch, "git"))
	if err := errors.Join(append(wrong, err)...); err != nil {
		return err
	}
	c.Plan, c.Entrants = q, append(bots, others...)
	timed := func(e source.Entrant) bool { return !e.Reproducible }
	if q.AllReproducible() && !slices.ContainsFunc(others, timed) {
		c.TurnTimeout = 0 // as in the cup
	}
	for i, name := range r.row.Bots {
		if n, ok := by[name]; ok {
			r.task.Bots[i], r.task.Unstarted[i] = len(bots)+n, false
		}
	}
	if err := r.copyOthers(ctx, scratch, len(bots)); err != nil || len(others) > 0 {
		return err
	}
	return r.repeat()
}

// repeat reads the times of the match, and gives built-in bots and started ones the recording, by
// which they repeat answers that depended on time. It does nothing if the match was not recorded,
// or its game does not count the time of its players.
func (r *replay) repeat() error {
	c := r.contest
	path, err := filepath.Abs(r.asked.Cup.Recording(r.asked.K))
	if err != nil || c.Boards[r.task.Map].Budget == nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if r.times, err = rerun.ReadTimes(path, games.List{c.Game}.Replay); err != nil {
		return err
	}
	list, err := cli.Repeating(games.List{c.Game}, path)
	if err != nil {
		return err
	}
	c.Game = list[0]
	if c.Isolate == nil {
		c.Env = append(c.Env, rerun.RepeatEnv+"="+path)
	}
	return nil
}

// copyOthers copies the bots from the given one on, and adds the game logic.
func (r *replay) copyOthers(ctx context.Context, scratch string, from int) (err error) {
	c := r.contest
	if c.Plan.Logic != nil {
		logic, err := source.EnterLogicCopy(ctx, r.asked.Cup.Dir, c.Plan)
		if err != nil {
			return err
		}
		c.Logic = &logic
	}
	if c.Isolate, err = cli.Isolation(ctx, r.Values, c.Started()); err != nil {
		return err
	}
	dir := filepath.Join(scratch, "sent")
	if err := os.Mkdir(dir, 0o755); err != nil { // which isolated bots have to read
		return err
	}
	for i := from; i < len(c.Entrants); i++ {
		if err := c.CopyBot(i, dir); err != nil {
			return err
		}
	}
	return nil
}

// replaced returns the seats of other bots, and by the names of those that they replace their
// indices.
func (r *replay) replaced() (seats []string, by map[string]int, err error) {
	by = map[string]int{}
	for _, value := range r.asked.Replace {
		name, seat := "", ""
		for _, bot := range r.row.Bots {
			if rest, ok := strings.CutPrefix(value, bot+"="); ok && len(bot) >= len(name) {
				name, seat = bot, rest
			}
		}
		_, twice := by[name]
		asked, _, isPair := strings.Cut(value, "=")
		switch {
		case name == "" && isPair && asked != "":
			return nil, nil, fmt.Errorf("--replace %s: match %d has no bot %q; it has %s", value, r.asked.K,
				asked, listed(r.row.Bots))
		case seat == "":
			return nil, nil, fmt.Errorf("--replace: %q is not BOT=SEAT, such as '%s=my_bot.py'; "+
				"match %d has the bots %s", value, r.row.Bots[0], r.asked.K, listed(r.row.Bots))
		case twice:
			return nil, nil, fmt.Errorf("--replace: %s is replaced twice; give one bot in its place", name)
		}
		by[name] = len(seats)
		seats = append(seats, seat)
	}
	return seats, by, nil
}

// listed returns a list of names, each once.
func listed(names []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ", ")
}
