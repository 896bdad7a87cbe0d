package cup

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/seat"
)

// CheckReproducible plays a block of each started bot that the plan takes for reproducible against
// itself, twice, below the folder scratch, and returns an error that names the first one whose
// results differ or that does not hold out. Equal results prove nothing, but chance shows in most
// matches.
func CheckReproducible(ctx context.Context, c *Contest, jobs int, scratch string) error {
	for i := range c.Entrants {
		e := &c.Entrants[i]
		if !e.Reproducible || e.Spec.Kind == seat.Builtin {
			continue
		}
		var logs [2][]byte
		for n := range logs {
			var err error
			played := filepath.Join(scratch, fmt.Sprintf("%d-%d", i, n))
			if logs[n], err = c.playItself(ctx, *e, jobs, played); err != nil {
				return err
			}
		}
		if !bytes.Equal(logs[0], logs[1]) {
			return fmt.Errorf(
				"%s is not reproducible: the same matches against itself had other results the second time; "+
					"have it draw all random numbers from BOT_SEED and look at no clock, address or order of "+
					"threads, or leave --reproducible out",
				e.Name,
			)
		}
	}
	return nil
}

// playItself plays a block of a bot against itself in a folder, and returns the log.
func (c *Contest) playItself(
	ctx context.Context, e source.Entrant, jobs int, dir string,
) ([]byte, error) {
	copies := make([]source.Entrant, c.Plan.Seats-1)
	for i := range copies {
		copies[i] = e
	}
	one, q := *c, *c.Plan
	one.Plan, one.Shard, one.Entrants = &q, plan.Whole, source.Field(e, copies)
	q.Format, q.Count, q.Seeds, q.Test, q.Bots = plan.RoundRobin, q.Seats, nil, nil, nil
	for i := range one.Entrants {
		q.Bots = append(q.Bots, one.Entrants[i].Bot)
	}
	f, err := OpenFolder(dir, &one, nil)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	failed := error(nil)
	err = Play(ctx, &one, f, Options{Jobs: jobs, Failed: func(f Failure) {
		failed = fmt.Errorf("%s cannot be tested: it forfeits (%s) against itself: %s", e.Name, f.Kind,
			f.Exit)
	}})
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, logFile))
}

// SetReproducible marks all bots of the plan as reproducible.
func (c *Contest) SetReproducible() {
	for i := range c.Entrants {
		c.Entrants[i].Reproducible = true
		c.Plan.Bots[i].Reproducible = true
	}
}
