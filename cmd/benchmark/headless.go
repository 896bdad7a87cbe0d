package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"

	"github.com/hexarena/hexarena/server/harness"
)

// headless measures matches of built-in bots in one process, on one core and on two. Most
// of the time is the bots'.
func (b *bench) headless(ctx context.Context) error {
	const turns = 100 // of a match
	var one, two, matches harness.Series
	for round := range b.rounds {
		alone, err := b.playHeadless(ctx, turns, 1)
		if err != nil {
			return err
		}
		both, err := b.playHeadless(ctx, turns, 2)
		if err != nil {
			return err
		}
		b.Report("in process, round %d of %d: %.0f turns/s on one core, %.0f on two", round+1, b.rounds, alone.Turns, both.Turns)
		one, two, matches = append(one, alone.Turns), append(two, both.Turns), append(matches, both.Matches)
	}
	if runtime.NumCPU() < 2 {
		b.Report("in process: this machine has only one core to compare")
	}
	b.shares(fmt.Sprintf("in process, 2 cores against 1 (%.0f matches/s)", matches.Median()), two, one, 1.8)
	return nil
}

// rates are the result of play --headless.
type rates struct {
	Matches float64 `json:"matches_per_second"`
	Turns   float64 `json:"turns_per_second"`
}

// playHeadless plays as many turns in one process as the matches over TCP have.
func (b *bench) playHeadless(ctx context.Context, turns, jobs int) (r rates, err error) {
	p, err := harness.Start(ctx, b.Hexarena, "play", "--headless", "--json", "--seed", "1", "--map", largeMap,
		"--turns", strconv.Itoa(turns), "--count", strconv.Itoa(max(jobs, b.turns/turns)), "--jobs", strconv.Itoa(jobs))
	if err != nil {
		return r, err
	}
	var result []byte
	p.Watch(func(line []byte) { result = append(result, line...) })
	if err := p.Wait(); err != nil {
		return r, err
	}
	return r, json.Unmarshal(result, &r)
}
