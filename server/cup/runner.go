package cup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/machine/panics"
)

// window is the number of matches that may be ahead of the log for each that is played at once. A
// slow match holds up the log; the others go on for as long as three more of them take.
const window = 4

// runner plays the matches of one contest, or has workers play them.
type runner struct {
	contest *Contest
	folder  *Folder
	opts    Options
	ledger  *ledger
	journal *journal
	ends    ends // of the files, after the rows that they had
	kept    int  // rows at the last checkpoint
	keeper  *keeper
	guard   *guard
	player  *player // nil: workers play the matches

	running sync.WaitGroup
	results chan *played
	active  int // matches that are being played
	started int // the number of the match that is started next
	told    int // the number of the round that was told last
	// matches that were played before an earlier one, and those that workers play, which have no row
	waiting map[int]*played
}

func newRunner(c *Contest, f *Folder, o Options) *runner {
	o.Jobs = max(o.Jobs, 1)
	o.CheckpointRows = cmp.Or(o.CheckpointRows, checkpointRows)
	if o.Played == nil {
		o.Played = func(*results.Row, bool) {}
	}
	if o.Restored == nil {
		o.Restored = func([]byte) {}
	}
	return &runner{
		contest: c, folder: f, opts: o, ledger: newLedger(c.Plan, c.Shard),
		results: make(chan *played, o.Jobs+1), waiting: map[int]*played{},
	}
}

// resume reads the rows that the folder has, and remembers the files of commands.
func (r *runner) resume() (err error) {
	if r.guard, err = newGuard(r.contest.programs()); err != nil {
		return err
	}
	r.started = r.ledger.next
	c := &archive.Cup{
		Dir: r.folder.Dir, Plan: r.contest.Plan, Shard: r.contest.Shard, Disk: r.folder.Disk,
	}
	rows, sum := c.Follow(), sha256.New()
	if p, before := c.Checkpoint(); p != nil {
		if l, err := restoreLedger(c.Plan, c.Shard, p); err == nil {
			r.ledger, rows, sum = l, c.FollowFrom(p), before
			r.kept = l.end.standings.Matches()
			r.opts.Restored(p.Standings)
		}
	}
	read, _ := rows.Offsets()
	err = rows.Rows(func(row *results.Row, times []archive.Times) error {
		if err := r.ledger.Add(row, times); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(c.Dir, logFile), err)
		}
		r.opts.Played(row, false)
		return nil
	})
	if err != nil {
		return err
	}
	r.started = r.ledger.next
	r.ends.log, r.ends.times = rows.Offsets()
	r.ends.sum = sum
	if r.ends.log == read {
		return nil
	}
	return c.SumLog(sum, read, r.ends.log)
}

// run plays matches until the contest is over or ctx ends.
func (r *runner) run(ctx context.Context) error {
	var outcomes <-chan []*Outcome
	if r.opts.Workers != nil {
		outcomes = r.opts.Workers.Outcomes()
	} else {
		panics.Go(&r.running, func() { r.player.lag.run(ctx) },
			func(p *panics.Error) { r.results <- &played{err: p} })
	}
	for !r.ledger.over() {
		if r.opts.Workers != nil {
			r.lease()
		} else {
			r.startMatches(ctx)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-r.journal.failed:
			return r.journal.err
		case list := <-outcomes:
			if err := r.takeOutcomes(ctx, list); err != nil {
				return err
			}
		case p := <-r.results:
			r.active--
			r.player.cores.give(p.slot)
			if err := context.Cause(ctx); err != nil {
				return err // why the match was not played
			}
			if p.err != nil {
				return p.err
			}
			r.waiting[p.K] = p
			if err := r.write(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// tellFailures tells of the bots that did not hold out a match.
func (r *runner) tellFailures(e *entry) {
	if r.opts.Failed == nil {
		return
	}
	for i := range e.times {
		t := &e.times[i]
		f := Failure{K: t.K, Bot: t.Bot, Kind: e.row.Forfeits[t.Seat-1], Exit: t.Exit}
		if n := len(t.Printed); n > 0 {
			f.Last = t.Printed[n-1]
		}
		if f.Kind != "" {
			r.opts.Failed(f)
		}
	}
}

// tellRound tells of the round, if it has just begun.
func (r *runner) tellRound() {
	if rounds := r.ledger.rounds; rounds != nil && r.opts.Round != nil && r.told != rounds.number+1 {
		r.told = rounds.number + 1
		r.opts.Round(rounds.describe(r.contest.Plan.Bots))
	}
}

// startMatches starts matches while there is a free slot and they are not too far ahead of the log.
func (r *runner) startMatches(ctx context.Context) {
	for r.active < r.opts.Jobs && r.active+len(r.waiting) < window*r.opts.Jobs {
		m, ok := r.ledger.match(r.started)
		if !ok {
			return
		}
		r.started = r.ledger.following(r.started + 1)
		r.start(ctx, m)
	}
}

// start plays a match in a separate goroutine, without the bots that are not started any more by
// what is known now.
func (r *runner) start(ctx context.Context, m plan.Match) {
	r.active++
	p := &played{Match: m, unstarted: r.ledger.unstarted(&m), slot: r.player.cores.take()}
	panics.Go(&r.running, func() {
		r.player.play(ctx, p)
		r.results <- p
	}, func(failed *panics.Error) {
		p.err = failed
		r.results <- p
	})
}

// write adds the rows that are next to the log. It decides here whether a bot is still started, in
// the order of the matches: one that was played too early to know is played again. So the log does
// not depend on how many are played at once.
func (r *runner) write(ctx context.Context) error {
	for !r.ledger.over() && ctx.Err() == nil {
		p := r.waiting[r.ledger.next]
		if p == nil || p.entry.row == nil {
			return nil
		}
		if !slices.Equal(p.unstarted, r.ledger.unstarted(&p.Match)) {
			if r.opts.Workers != nil {
				r.leaseAgain()
				return nil
			}
			delete(r.waiting, p.K)
			r.start(ctx, p.Match)
			return nil
		}
		delete(r.waiting, p.K)
		err := errors.Join(r.keeper.settle(p), r.ledger.Add(p.entry.row, p.entry.archived()))
		if err != nil {
			return err
		}
		if rows := r.ledger.end.standings.Matches(); rows-r.kept >= r.opts.CheckpointRows ||
			r.ledger.over() && rows-r.kept >= endRows {
			p.entry.checkpoint, r.kept = r.ledger.Checkpoint(), rows
		}
		if !r.journal.add(p.entry) {
			return r.journal.err
		}
		r.opts.Played(p.entry.row, true)
		r.tellFailures(&p.entry)
		r.tellRound()
	}
	return nil
}
