package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/maps"
)

// contest is one figure that must be reached on every map.
type contest struct {
	name   string
	least  int // the least number of successful matches in a hundred
	match  func(board *hexabomb.Board, seats int, seed uint64) match
	passed func(m match, r result) bool
	// measure returns the figure of a match whose median is printed, in unit.
	measure func(m match, r result) int64
	unit    string
}

const (
	turns         = 100
	suddenTurns   = 300
	suddenEnd     = 150 // the turn after which no player may be alive
	allMatches    = 100
	paintersLeast = 95
	huntersLeast  = 90
)

// painterBeatsRandom seats one painter, on each seat in turn, among random players. The
// painter must have the strictly highest score.
var painterBeatsRandom = contest{
	name:  "painter beats random",
	least: paintersLeast,
	match: func(board *hexabomb.Board, seats int, seed uint64) match {
		m := match{board: board, seats: slices.Repeat([]string{"random"}, seats), turns: turns, seed: seed}
		m.seats[m.painter()] = "painter"
		return m
	},
	passed:  func(m match, r result) bool { return r.scores[m.painter()] > bestOther(m, r) },
	measure: func(m match, r result) int64 { return 100 * r.scores[m.painter()] / max(bestOther(m, r), 1) },
	unit:    "% of the best random score",
}

// hunterKillsRandom plays a hunter against random players. It says little about the
// hunter, because random players also kill themselves.
var hunterKillsRandom = hunt("random")

// hunterKillsPainters plays a hunter against painters, which run away and are harder to kill.
var hunterKillsPainters = hunt("painter")

func hunt(prey string) contest {
	return contest{
		name:  "hunter kills " + prey,
		least: huntersLeast,
		match: func(board *hexabomb.Board, seats int, seed uint64) match {
			return match{
				board: board, special: "hunter", seats: slices.Repeat([]string{prey}, seats),
				turns: suddenTurns, seed: seed,
			}
		},
		passed: func(_ match, r result) bool { return r.over > 0 && r.over <= suddenEnd },
		measure: func(m match, r result) int64 {
			if r.over == 0 {
				return int64(m.turns)
			}
			return int64(r.over)
		},
		unit: "turns until no player is alive",
	}
}

// painter returns the painter's seat in a match of painterBeatsRandom.
func (m match) painter() int { return int(m.seed % uint64(len(m.seats))) }

func bestOther(m match, r result) int64 {
	best := int64(0)
	for i, score := range r.scores {
		if i != m.painter() {
			best = max(best, score)
		}
	}
	return best
}

// row holds the results of a contest on one map.
type row struct {
	contest contest
	board   string
	seats   int
	cells   int
	matches int
	passed  int
	failed  []uint64 // seeds of the failed matches
	median  int64
}

// ok reports whether the figure was reached.
func (r row) ok() bool { return 100*r.passed >= r.contest.least*r.matches }

// run plays the matches with seeds 1 to n on a shipped map, several at a time.
func (c contest) run(ctx context.Context, name string, n int) (row, error) {
	m, err := maps.Load(name)
	if err != nil {
		return row{}, err
	}
	board := hexabomb.Compile(m)
	outcomes, err := playAll(ctx, n, func(seed uint64) (outcome, error) {
		m := c.match(board, m.Seats(), seed)
		r, err := m.play()
		if err != nil {
			return outcome{}, fmt.Errorf("%s, map %s, seed %d: %w", c.name, name, seed, err)
		}
		return outcome{passed: c.passed(m, r), measure: c.measure(m, r)}, nil
	})
	if err != nil {
		return row{}, err
	}
	r := row{contest: c, board: name, seats: m.Seats(), cells: len(m.Cells), matches: n}
	var measures []int64
	for i, o := range outcomes {
		measures = append(measures, o.measure)
		if o.passed {
			r.passed++
		} else {
			r.failed = append(r.failed, uint64(i+1))
		}
	}
	slices.Sort(measures)
	r.median = measures[len(measures)/2]
	return r, nil
}

// outcome is the result of a match in a contest.
type outcome struct {
	passed  bool
	measure int64
}

// playAll plays seeds 1 to n on all cores and waits for all matches. The outcomes are in
// the order of the seeds.
func playAll(ctx context.Context, n int, play func(seed uint64) (outcome, error)) ([]outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	outcomes := make([]outcome, n)
	seeds := make(chan uint64)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
			for seed := range seeds {
				o, err := play(seed)
				if err != nil {
					cancel(err)
					return
				}
				outcomes[seed-1] = o
			}
		})
	}
	for seed := uint64(1); seed <= uint64(n) && ctx.Err() == nil; seed++ {
		select {
		case seeds <- seed:
		case <-ctx.Done():
		}
	}
	close(seeds)
	workers.Wait()
	return outcomes, context.Cause(ctx)
}
