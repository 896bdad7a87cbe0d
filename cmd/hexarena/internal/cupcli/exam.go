package cupcli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/exam"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/launch/isolate"
	"github.com/hexarena/hexarena/server/seat"
)

// examination is an exam and those who take it.
type examination struct {
	*prepared // without bots
	marks     []exam.Mark
	opponents []source.Entrant
	list      []source.Submission
	warned    bool  // of too few cores
	absent    error // bots that were never there, so that results are missing
}

// examine runs the exam of each submission, and prints the results.
func (p *prepared) examine(ctx context.Context) error {
	e := &examination{prepared: p}
	if err := e.read(ctx); err != nil {
		return games.UsageError{Err: err}
	}
	if err := e.find(ctx); err != nil {
		return games.UsageError{Err: err}
	}
	ctx, done := cli.Context(ctx)
	defer done(nil)
	e.tell()
	began := time.Now()
	var results []exam.Result
	for i, s := range e.list {
		if len(e.list) > 1 {
			e.note("%d of %d: %s", i+1, len(e.list), s.Name)
		}
		shown := ""
		if s.Name != "" {
			shown = filepath.Join(p.Arguments[0], s.Name)
		}
		r, err := e.take(ctx, i, s, shown)
		if err != nil {
			p.tellInterrupted(err)
			return err
		}
		results = append(results, r)
	}
	e.note("examined in %s", tui.Roughly(time.Since(began)))
	err := e.tellResults(results)
	if e.absent != nil && (err == nil || errors.Is(err, ErrFailed) || errors.Is(err, ErrNotExamined)) {
		return e.absent
	}
	return err
}

// read reads the exam.
func (e *examination) read(ctx context.Context) error {
	e.boardsBeside()
	wrong := []error{e.addContest(), e.addBoards(), e.addMarks(ctx), e.addSeeds(), e.addSeats()}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	if err := e.addLogic(ctx); err != nil {
		return err
	}
	isolated, err := cli.FindIsolation(ctx, e.Values)
	if err != nil {
		return err
	}
	e.contest.Isolate = isolated
	opponents := *e.contest
	opponents.Entrants = e.opponents
	if err := opponents.Build(ctx, func(what string) { e.note("%s", what) }); err != nil {
		return err
	}
	if err := cli.CheckIsolation(ctx, e.Values, isolated, opponents.Started()); err != nil {
		return err
	}
	q := e.contest.Plan
	q.Format = plan.Gauntlet
	q.Seed = 0 // nothing is drawn from it, and the same bot has the same folder
	return nil
}

// known returns what the game says about bots. hexarena itself runs those in JavaScript, so
// that they have the same speed and memory for all who are examined, unless the exam says
// otherwise.
func (e *examination) known() seat.Known {
	known := e.prepared.known()
	if e.Values.Text("js") != launch.JSNode.String() {
		known.JS = launch.JSBuiltin
	}
	if e.Values.Origin("js-memory") == "default" {
		known.Memory = launch.SentMemory
	}
	return known
}

// addMarks adds the bots to play against, with their pass marks.
func (e *examination) addMarks(ctx context.Context) error {
	const example = "marks: {random: 90%, painter: 50%}"
	k := e.Sheet.Key("marks")
	if k == nil {
		return e.Sheet.Missing("marks", example)
	}
	if k.Pairs == nil {
		return k.Mistake(strings.Join(k.Items, ", "), "has no percentages", "for example "+example)
	}
	var names []string
	var wrong []error
	for _, pair := range k.Pairs {
		mark, err := exam.ParseMark(pair[0], pair[1])
		if err != nil {
			wrong = append(wrong, k.Mistake(pair[0]+": "+pair[1], err.Error(), ""))
		}
		names = append(names, pair[0])
		e.marks = append(e.marks, mark)
	}
	var err error
	scratch := filepath.Join(e.scratch, "opponents")
	if e.opponents, err = source.Enter(ctx, e.beside(names), e.known(), scratch); err != nil {
		wrong = append(wrong, k.Mistake(strings.Join(names, ", "), err.Error(), ""))
	}
	return errors.Join(wrong...)
}

// maxSeeds bounds a range that was mistyped. A hundred seeds on a map are 200 matches against each
// bot.
const maxSeeds = 10_000

// addSeeds adds the seeds: a list of numbers and ranges.
func (e *examination) addSeeds() error {
	const example = "seeds: 1-10, or seeds: [3, 14, 15]"
	k := e.Sheet.Key("seeds")
	if k == nil {
		return e.Sheet.Missing("seeds", example)
	}
	q := e.contest.Plan
	for _, item := range k.Items {
		first, last, isRange := strings.Cut(item, "-")
		from, err := strconv.ParseUint(strings.TrimSpace(first), 10, 64)
		to := from
		if isRange && err == nil {
			to, err = strconv.ParseUint(strings.TrimSpace(last), 10, 64)
		}
		if err != nil || to < from || to-from >= maxSeeds || len(q.Seeds) > maxSeeds {
			return k.Mistake(item, fmt.Sprintf("is no seed, nor a range of up to %d", maxSeeds),
				"for example "+example)
		}
		for seed := from; seed <= to; seed++ {
			q.Seeds = append(q.Seeds, seed)
		}
	}
	if len(q.Seeds) == 0 {
		return k.Mistake("", "has names and values", "for example "+example)
	}
	return nil
}

// addSeats sets how many seats a match has: two, unless the exam says more.
func (e *examination) addSeats() error {
	q := e.contest.Plan
	q.Seats = 2
	k := e.Sheet.Key("seats")
	if k == nil {
		return nil
	}
	if k.Items == nil {
		return k.Mistake("", "has names and values", "a whole number")
	}
	if err := wholeNumber(k, &q.Seats); err != nil {
		return err
	}
	if q.Seats < 2 || q.Seats > len(e.marks)+1 {
		return k.Mistake(k.Items[0],
			"does not fit "+textutil.Counted(len(e.marks), "mark", "marks"),
			fmt.Sprintf("2 to %d: a match is of the bot and others that there are marks for",
				len(e.marks)+1))
	}
	return nil
}

// find finds the submissions: the bots that the command names, or the entries of one folder or
// archive.
func (e *examination) find(ctx context.Context) error {
	if len(e.Arguments) == 1 && !e.builtin(e.Arguments[0]) {
		path := e.Arguments[0]
		info, err := os.Stat(path)
		if source.IsArchive(path) ||
			err == nil && info.IsDir() && !source.IsBot(ctx, path, e.known()) {
			e.list, err = source.Submissions(path, filepath.Join(e.scratch, "submissions"))
			return err
		}
	}
	for _, argument := range e.Arguments {
		e.list = append(e.list, source.Submission{Path: argument})
	}
	return nil
}

// take runs the exam of a submission, of which number have done so before. One with a name is
// shown as the plan says, and what is wrong with it is its result, not an error. So is that a bot
// does not compile, with a name or without.
func (e *examination) take(
	ctx context.Context, number int, s source.Submission, shown string,
) (exam.Result, error) {
	named := s.Name != ""
	if s.Problem != nil {
		return exam.Result{Submission: s.Name, Problem: s.Problem.Error()}, nil
	}
	first, err := source.EnterSubmission(ctx, s.Path, shown, s.Name, e.known(),
		filepath.Join(e.scratch, "revision", strconv.Itoa(number)))
	if err != nil && named {
		return exam.Result{
			Submission: s.Name, Problem: strings.ReplaceAll(err.Error(), s.Path, shown),
		}, nil
	}
	if err != nil {
		return exam.Result{}, games.UsageError{Err: err}
	}
	one, err := e.cupOf(source.Field(first, e.opponents))
	if err != nil {
		return exam.Result{}, err
	}
	one.contest.Origin = one.origin([]string{one.contest.Plan.Bots[0].Seat})
	name := cmp.Or(s.Name, one.contest.Plan.Bots[0].Name)
	err = one.build(ctx)
	if err == nil {
		err = cli.CheckIsolation(ctx, e.Values, one.contest.Isolate, one.contest.Started())
	}
	if err != nil {
		if machine := (isolate.MachineError{}); ctx.Err() == nil && !errors.As(err, &machine) {
			problem := strings.TrimPrefix(err.Error(), one.contest.Plan.Bots[0].Name+": ")
			return exam.Result{Submission: name, Problem: problem}, nil
		}
		return exam.Result{}, games.UsageError{Err: err}
	}
	if one.contest.Starts() && !e.warned {
		e.warned = true
		helps := "a machine with more cores helps"
		if one.jobs() > 1 {
			helps = "a lower --jobs, or a machine with more cores, helps"
		}
		one.warnOfCores(helps)
	}
	all, err := one.play(ctx, func() (*Shown, error) { return nil, nil })
	if err != nil {
		return exam.Result{}, err
	}
	r, err := one.grade(e.marks)
	if r.Submission = name; !isAbsence(err) {
		return r, err
	}
	if named && all.Missing(0) { // a submission that never logs in fails
		return exam.Result{Submission: s.Name, Error: r.Problem, Folder: r.Folder}, nil
	}
	e.absent = errors.Join(e.absent, err)
	return r, nil
}

// grade returns the result of the first bot of a cup that is over. The cup's folder also has the
// errors of earlier runs.
func (p *prepared) grade(marks []exam.Mark) (exam.Result, error) {
	played, err := archive.Open(p.dir)
	if err != nil {
		return exam.Result{}, err
	}
	all, err := played.Standings(func(*results.Row) error { return nil })
	if err != nil {
		return exam.Result{}, err
	}
	var names []string
	for _, b := range p.contest.Plan.Bots {
		names = append(names, b.Name)
	}
	table := all.Table(0)
	if err := absence(p.contest.Plan, table); err != nil {
		return exam.Result{
			Problem: strings.Join(table.Absences(p.contest.Plan), "; "), Folder: p.dir,
		}, err
	}
	r, err := exam.Grade(table, names, marks)
	if err != nil {
		return r, fmt.Errorf("%s: %w", p.dir, err)
	}
	r.Folder, r.Origin = p.dir, played.Origin().InTables()
	r.Plan = p.contest.Plan.Digest().String()
	return r, nil
}

// cupOf returns the cup in which a submission, which is the first bot, takes the exam.
func (e *examination) cupOf(bots []source.Entrant) (*prepared, error) {
	contest, q := *e.contest, *e.contest.Plan
	contest.Plan = &q
	one := &prepared{Options: e.Options, contest: &contest, custom: e.custom, scratch: e.scratch}
	one.setEntrants(bots)
	q.Count = plan.NewSchedule(&q).Cycle() * q.Seats
	if err := q.Check(); err != nil {
		return nil, games.UsageError{Err: err}
	}
	if err := one.setKeep(); err != nil {
		return nil, games.UsageError{Err: err}
	}
	one.dir = filepath.Join(cmp.Or(e.Out, cupsDir),
		cup.FolderName(cmp.Or(e.Name, "exam"), &q, plan.Whole))
	return one, nil
}

// tell prints what the exam is.
func (e *examination) tell() {
	q := e.contest.Plan
	var maps, marks []string
	for _, m := range q.Maps {
		maps = append(maps, m.Name)
	}
	for _, m := range e.marks {
		marks = append(marks, fmt.Sprintf("%s %g %%", m.Against, m.Percent))
	}
	e.note("exam %s of %s: %s; %d seats, %s on %s, %s",
		e.Sheet.Path, textutil.Counted(len(e.list), "submission", "submissions"),
		strings.Join(marks, ", "), q.Seats, q.Game, strings.Join(maps, ", "),
		textutil.Counted(len(q.Seeds), "seed", "seeds"))
	e.note("%s", cli.Rights(e.contest.Isolate))
	if e.known().JS == launch.JSBuiltin {
		e.note("hexarena itself runs bots in JavaScript, in %d MiB each; js: node has Node run them",
			e.known().Memory)
	}
}

// tellResults prints the results, and returns ErrFailed unless all have passed, or ErrNotExamined
// if a submission was not examined.
func (e *examination) tellResults(results []exam.Result) error {
	var err error
	switch {
	case e.JSON:
		err = exam.WriteJSON(e.Stdout, results)
	case e.CSV:
		err = exam.WriteCSV(e.Stdout, e.marks, results)
	default:
		err = tui.WriteExam(e.Stdout, e.marks, results)
	}
	if err != nil {
		return err
	}
	var missing []string
	for i := range results {
		if r := &results[i]; r.Problem != "" {
			missing = append(missing, r.Submission)
		}
	}
	switch {
	case len(missing) > 0:
		e.note("not examined: %d of %d, which have no score: %s", len(missing), len(results),
			strings.Join(missing, ", "))
		return ErrNotExamined
	case slices.ContainsFunc(results, func(r exam.Result) bool { return !r.Passed }):
		return ErrFailed
	}
	return nil
}
