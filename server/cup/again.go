package cup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/host"
	"github.com/hexarena/hexarena/server/match"
	"github.com/hexarena/hexarena/server/recording"
)

// Again returns match k of a cup, to be played again, and its row.
func Again(c *archive.Cup, k int) (*Task, *results.Row, error) {
	stretch := c.Plan.Stretch()
	if k < 0 || c.Shard.Next(k, stretch) != k {
		return nil, nil, fmt.Errorf("%s has no match %d: its first one is %d, and it has shard %s",
			c.Dir, k, c.Shard.Next(0, stretch), c.Shard)
	}
	found := &finder{schedule: plan.NewSchedule(c.Plan), cup: c, k: k, last: -1, next: -1}
	found.rounds = newRounds(c.Plan, found.schedule)
	err := c.Pick(math.MaxInt64, found.wants, found.add)
	switch {
	case found.row != nil:
		t := &Task{Match: found.match}
		for _, kind := range found.row.Forfeits {
			t.Unstarted = append(t.Unstarted, kind == results.Unstarted)
		}
		return t, found.row, nil
	case !errors.Is(err, io.EOF):
		return nil, nil, err
	case found.last < 0:
		return nil, nil, fmt.Errorf("%s has no match %d: none was played yet", c.Dir, k)
	}
	return nil, nil, fmt.Errorf("%s has no match %d: the last one that was played is %d",
		c.Dir, k, found.last)
}

// finder finds a match in the log of a cup.
type finder struct {
	cup      *archive.Cup
	schedule *plan.Schedule
	rounds   *rounds // nil: the tables do not depend on results
	k        int
	last     int // the match before next in the log
	next     int // the match whose row comes next, if there is one

	match plan.Match
	row   *results.Row // nil: it was not found yet
}

// errFound ends the search.
var errFound = errors.New("the row is found")

// wants reports whether match k follows from the row of match n.
func (f *finder) wants(n int) bool {
	f.last, f.next = f.next, n
	return n == f.k || f.rounds != nil && n < f.k
}

// add adds a row that the finder wants.
func (f *finder) add(row *results.Row) error {
	m, ok := plan.Match{}, true
	if f.rounds == nil {
		m = f.schedule.Match(row.K)
	} else {
		m, ok = f.rounds.match(row.K)
	}
	var bots []string
	for _, bot := range m.Bots {
		bots = append(bots, f.cup.Plan.Bots[bot].Name)
	}
	if !ok || m.Seed != row.Seed || f.cup.Plan.Maps[m.Map].Name != row.Map ||
		!slices.Equal(bots, row.Bots) {
		return fmt.Errorf("the log of %s says that match %d was another one than its plan says",
			f.cup.Dir, row.K)
	}
	if row.K == f.k {
		f.match, f.row = m, row
		return errFound
	}
	f.rounds.add(row.K, m.Bots, row.Ranks)
	return nil
}

// PlayOne plays one match of a contest, and records it in the folder dir unless that is empty. With
// the times of an earlier match, its players have the clocks that they had then, and no other limit
// of time. Bots have cores as [Options.Cores] says. The error says that the match was not played,
// not because of a bot.
func PlayOne(
	ctx context.Context, c *Contest, t *Task, times match.Past, dir string, cores []int,
) (*Outcome, error) {
	g, err := newGuard(c.programs())
	if err != nil {
		return nil, err
	}
	var recordings *host.Recordings
	if dir != "" {
		recordings = &host.Recordings{Dir: dir, Durable: recording.AtEnd}
	}
	l, err := openPlayer(c, g, recordings, 1, cores)
	if err != nil {
		return nil, err
	}
	defer l.close(ctx)
	return l.outcome(ctx, &played{Match: t.Match, unstarted: t.Unstarted, times: times})
}
