package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"

	"github.com/hexarena/hexarena/server/proc"
)

// headless measures built-in bots in process, on one core and on two. What is
// timed is theirs as well: mostly they think.
func (b *bench) headless(ctx context.Context) error {
	const turns = 100 // of a match
	var one, two, matches series
	for round := range b.rounds {
		alone, err := b.playHeadless(ctx, turns, 1)
		if err != nil {
			return err
		}
		both, err := b.playHeadless(ctx, turns, 2)
		if err != nil {
			return err
		}
		b.say("in process, round %d of %d: %.0f turns/s on one core, %.0f on two", round+1, b.rounds, alone.Turns, both.Turns)
		one, two, matches = append(one, alone.Turns), append(two, both.Turns), append(matches, both.Matches)
	}
	if runtime.NumCPU() < 2 {
		b.say("in process: this machine has one core, so two cannot be compared with it")
	}
	b.table.shares(fmt.Sprintf("in process, 2 cores beside 1 (%.0f matches/s)", matches.median()), two, one, 1.8)
	return nil
}

// rates are what play --headless comes to in a second.
type rates struct {
	Matches float64 `json:"matches_per_second"`
	Turns   float64 `json:"turns_per_second"`
}

// playHeadless plays as many turns in process as matches over TCP have.
func (b *bench) playHeadless(ctx context.Context, turns, jobs int) (r rates, err error) {
	p, err := proc.Start(ctx, b.binary, "play", "--headless", "--json", "--seed", "1", "--map", largeMap,
		"--turns", strconv.Itoa(turns), "--count", strconv.Itoa(max(jobs, b.turns/turns)), "--jobs", strconv.Itoa(jobs))
	if err != nil {
		return r, err
	}
	var said []byte
	for line := range p.Lines() {
		said = append(said, line...)
	}
	if err := p.Wait(); err != nil {
		return r, err
	}
	return r, json.Unmarshal(said, &r)
}
