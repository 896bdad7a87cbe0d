package cupcli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexarena/hexarena/cmd/hexarena/internal/cli"
	"github.com/hexarena/hexarena/cmd/hexarena/internal/tui"
	"github.com/hexarena/hexarena/config/textutil"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/sprt"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/launch"
	"github.com/hexarena/hexarena/server/machine/processors"
)

// ErrNotBetter and ErrUndecided are what a comparison found, ErrFailed and ErrNotExamined what an
// exam did. They are reported already.
var (
	ErrNotBetter   = errors.New("the new version is not better")
	ErrUndecided   = errors.New("it is not decided which version is better")
	ErrFailed      = errors.New("an exam is not passed")
	ErrNotExamined = errors.New("a submission was not examined")
)

// errTimeIsUp is why a cup stops whose time, that of --for, is over.
var errTimeIsUp = errors.New("the time of --for is over")

// run plays the cup and prints the table.
func (p *prepared) run(ctx context.Context) error {
	if q := p.contest.Plan; q.Test != nil && q.Count == 0 && p.allSame() {
		p.note(
			"%s and %s have the same files, so that neither is better; with --count they play all the same",
			q.Bots[0].Name, q.Bots[1].Name)
		return ErrNotBetter
	}
	ctx, done := cli.Context(ctx)
	defer done(nil)
	if err := p.build(ctx); err != nil {
		return err
	}
	if err := p.checkReproducible(ctx); err != nil {
		p.tellInterrupted(err)
		return err
	}
	playing, stop := ctx, func() {}
	if p.For > 0 {
		playing, stop = context.WithTimeoutCause(ctx, p.For, errTimeIsUp)
	}
	defer stop()
	var shown *Shown
	s, err := p.play(playing, func() (_ *Shown, err error) {
		p.tellSettings()
		shown, err = p.showPage(ctx)
		return shown, err
	})
	defer shown.Close()
	if s == nil {
		return err
	}
	if errors.Is(err, errTimeIsUp) && ctx.Err() == nil {
		p.note("%v; the same command goes on", errTimeIsUp)
		err = nil
	}
	p.tellInterrupted(err)
	if err == nil || s.Matches() > 0 {
		table, failure := p.tellTable()
		if err = errors.Join(err, failure); err == nil {
			err = absence(p.contest.Plan, table)
		}
	}
	if err == nil || isAbsence(err) {
		p.note("kept in %s, which hexarena cup show %s prints in full", p.dir,
			launch.Quote([]string{p.dir}))
		shown.Finish(ctx)
	}
	if err != nil || p.contest.Plan.Format != plan.Comparison {
		return err
	}
	switch s.Verdict() {
	case sprt.Accepted1:
		return nil
	case sprt.Accepted0:
		return ErrNotBetter
	}
	if s.Equal() {
		return ErrNotBetter
	}
	return ErrUndecided
}

// build makes the programs of bots that are source files.
func (p *prepared) build(ctx context.Context) error {
	return p.contest.Build(ctx, func(what string) { p.note("%s", what) })
}

// checkReproducible plays the bots of a new cup that are to be reproducible against themselves.
func (p *prepared) checkReproducible(ctx context.Context) error {
	if _, err := archive.Open(p.dir); !p.Reproducible || err == nil {
		return nil
	}
	p.note("each started bot first plays against itself, twice: its results must be the same")
	return cup.CheckReproducible(ctx, p.contest, p.jobs(), filepath.Join(p.scratch, "itself"))
}

// play plays the cup in its folder, and first calls tell, which says what is played and returns the
// page, if there is one. The standings are nil if the folder cannot be used, or tell returns an
// error.
func (p *prepared) play(
	ctx context.Context, tell func() (*Shown, error),
) (*standings.Standings, error) {
	folder, err := cup.OpenFolder(p.dir, p.contest, p.custom)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	shown, err := tell()
	if err != nil {
		return nil, err
	}
	options := cup.Options{Jobs: p.jobs(), Cores: p.cores(), Keep: cup.Keep(p.Keep)}
	if p.leases() {
		c, err := p.coordinate(ctx, !folder.Fresh)
		if err != nil {
			return nil, err
		}
		defer c.close()
		shown.count(c.Coordinator)
		options.Workers = c
	}
	live := newProgress(p, standings.New(p.contest.Plan), folder.Fresh)
	options.Begin, options.Restored, options.Played = live.begin, live.restore, live.add
	options.Round, options.Failed = live.round, live.failed
	err = cup.Play(ctx, p.contest, folder, options)
	live.end()
	if c, ok := options.Workers.(*coordinated); ok {
		c.tell(ctx, err == nil)
	}
	return live.standings, errors.Join(err, live.wrong)
}

// tellInterrupted prints the command that goes on, if err says that the user has stopped this one.
func (p *prepared) tellInterrupted(err error) {
	if errors.Is(err, cli.ErrInterrupted) {
		fmt.Fprintf(p.Stderr, "interrupted; to continue:\n  %s\n", p.Again)
	}
}

// showPage shows the page of the cup, if there is to be one.
func (p *prepared) showPage(ctx context.Context) (*Shown, error) {
	if !p.Page.Wanted() {
		return nil, nil
	}
	c, err := archive.Open(p.dir)
	if err != nil {
		return nil, err
	}
	return p.Page.Show(ctx, c)
}

// tellSettings prints what is about to be played, and what the user should know before.
func (p *prepared) tellSettings() {
	q := p.contest.Plan
	var maps []string
	for _, m := range q.Maps {
		maps = append(maps, m.Name)
	}
	var bots []string
	for _, b := range q.Bots {
		if b.Commit != "" {
			b.Name += fmt.Sprintf(" (commit %.12s)", b.Commit)
		}
		bots = append(bots, b.Name)
	}
	where := "on " + strings.Join(maps, ", ")
	if n := len(maps); n > tui.MostMaps {
		where = fmt.Sprintf("on %d maps, %s to %s", n, maps[0], maps[n-1])
	}
	if q.Logic != nil {
		where = "by " + q.Logic.Name
	}
	p.note("%s of %s: %s; %d seats, %s %s",
		q.Format.Words(), textutil.Counted(len(q.Bots), "bot", "bots"), strings.Join(bots, ", "),
		q.Seats, q.Game, where)
	var settings []string
	for _, s := range q.Settings {
		settings = append(settings, s.Name+" "+s.Value)
	}
	if p.leases() {
		p.note("%s; seed %d; played by workers", strings.Join(settings, ", "), q.Seed)
	} else {
		p.note("%s; seed %d; %s at once", strings.Join(settings, ", "), q.Seed,
			textutil.Counted(p.jobs(), "match", "matches"))
		p.warn()
	}
	if p.Earlier != nil {
		for _, line := range plan.Difference(p.Earlier.Plan, q) {
			p.note("other than in %s: %s", p.Earlier.Dir, line)
		}
	}
	for _, path := range p.left {
		p.note("%s is left out: it cannot be started as a bot", path)
	}
	blocks := plan.NewSchedule(q).Blocks()
	matches := blocks * q.Seats
	if q.Test != nil {
		length := q.Test.Length()
		p.note("%s is taken for better from normalised Elo %v on, rather than %v, with errors of %v %%: "+
			"that takes %s matches with a probability of %.0f %%",
			q.Bots[1].Name, q.Test.NElo1, q.Test.NElo0, 100*q.Test.Alpha, tui.Between(length.Least,
				length.Most), 100*sprt.ForecastProbability)
	}
	switch {
	case p.Count > 0 && matches != p.Count && q.Format.Adaptive():
		p.note("--count %d is taken as %d: whole rounds", p.Count, matches)
	case q.Added > 0:
		p.note("%s in %s: more than the %d that the cup was begun with",
			textutil.Counted(matches, "match", "matches"), textutil.Counted(blocks, "block", "blocks"),
			q.Count)
	case q.Count > 0 && matches != q.Count:
		p.note("--count %d is rounded up to %d: %s, in which each bot has each seat once",
			q.Count, matches, textutil.Counted(blocks, "block", "blocks"))
	case q.Count > 0:
		p.note("%s in %s",
			textutil.Counted(matches, "match", "matches"),
			textutil.Counted(blocks, "block", "blocks"))
	case p.Until != "":
		p.note("until it is %s certain who is best, which is asked after 16, 32, 64 … blocks; bots that "+
			"are equally good go on until --within or --count ends it", p.Until)
	}
}

// warn prints what started bots can do, and what they do to each other.
func (p *prepared) warn() {
	if !p.contest.Starts() {
		return
	}
	p.note("%s", cli.Rights(p.contest.Isolate))
	for _, js := range []launch.JavaScript{launch.JSBuiltin, launch.JSNode} {
		run := func(b plan.Bot) bool { return b.JS == js.String() }
		if slices.ContainsFunc(p.contest.Plan.Bots, run) {
			p.note("bots in JavaScript are run by %s",
				map[launch.JavaScript]string{launch.JSBuiltin: "hexarena itself", launch.JSNode: "node"}[js])
		}
	}
	if each := len(p.cores()) / (p.contest.Plan.Seats * p.jobs()); each > 0 {
		p.note("each bot has its own %s", textutil.Counted(each, "core", "cores"))
	}
	helps := "a lower --seats, or a higher --turn-timeout, helps"
	if p.jobs() > 1 {
		helps = "a lower --jobs or --seats, or a higher --turn-timeout, helps"
	}
	p.warnOfCores(helps)
}

// warnOfCores prints that bots slow each other down, if there are too few cores, and what helps.
func (p *prepared) warnOfCores(helps string) {
	if need := p.contest.Plan.Seats * p.jobs(); need > processors.Allowed() {
		p.note("warning: %d bots run at once on %s, so that they slow each other down; %s",
			need, textutil.Counted(processors.Allowed(), "core", "cores"), helps)
	}
}

// tellTable prints the final table. It comes from the folder, which also has errors and times, of
// earlier runs as well.
func (p *prepared) tellTable() (*standings.Table, error) {
	played, err := archive.Open(p.dir)
	if err != nil {
		return nil, err
	}
	s, rows := played.Resume()
	if err := rows.AddTo(s, func(*results.Row) error { return nil }); err != nil {
		return nil, err
	}
	t := s.Table(rating.TableResamples)
	switch {
	case p.JSON:
		return t, t.WriteJSON(p.Stdout)
	case p.CSV:
		return t, t.WriteCSV(p.Stdout)
	}
	if err := tui.WriteStandings(p.Stdout, t); err != nil {
		return t, err
	}
	return t, tui.WriteCosts(p.Stdout, t)
}

// note prints a line for the user, beside the result.
func (p *prepared) note(format string, args ...any) {
	fmt.Fprintln(p.Stderr, tui.Plain(fmt.Sprintf(format, args...)))
}
