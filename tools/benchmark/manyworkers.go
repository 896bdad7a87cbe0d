package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hexarena/hexarena/tools/harness"
)

// fleet measures the processor time of the coordinator when many workers play matches of one turn,
// and compares the log with that of a cup that one process plays.
func (b *bench) fleet(ctx context.Context) error {
	k := &leasedKinds[0]
	var each, workers harness.Series
	for round := range b.rounds {
		f, err := b.leasedMatches(ctx, k, b.fleetSize)
		if err != nil {
			return err
		}
		each, workers = append(each, f.coordinator), append(workers, f.workers/1000)
		b.Report("fleet, round %d of %d: %d workers, %.0f µs of CPU a match in the coordinator, %.2f ms "+
			"in the workers", round+1, b.rounds, b.fleetSize, f.coordinator, workers[round])
	}
	if err := b.sameLog(ctx, k); err != nil {
		return err
	}
	b.table.Add(harness.Row{
		What: fmt.Sprintf("cup by %d workers, %s, with the log of one process: the coordinator's CPU",
			b.fleetSize, k.what),
		First: workers.Format(2, " ms in the workers"), Figure: each.Format(0, " µs a match"),
	})
	return nil
}

// sameLog returns an error unless a cup that the workers of a fleet play has the log of one that a
// process plays alone.
func (b *bench) sameLog(ctx context.Context, k *leasedKind) error {
	_, matches := k.sizes(b.turns)
	o, err := b.leasedCup(ctx, k, matches, b.fleetSize)
	if err != nil {
		return err
	}
	dir := filepath.Join(b.Dir, "alone")
	p, err := harness.Start(ctx, b.Hexarena, k.cup(matches, dir, "--keep", "none")...)
	if err != nil {
		return err
	}
	if err := p.Wait(); err != nil {
		return err
	}
	want, err := os.ReadFile(filepath.Join(dir, "log.ndjson"))
	if err != nil {
		return err
	}
	if !bytes.Equal(o.log, want) {
		return errors.New(
			"the log of the cup that workers play is not that of one that a process plays alone")
	}
	return nil
}

// Targets of the second worker.
const (
	moreCPU   = 1.05 // processor time of a match with two workers, of that with one
	moreSpeed = 1.75 // matches a second
)

// second measures what a second worker adds: matches of the usual length a second, and processor
// time of all processes for each, by ratios of cups that are played in turn. It wants two cores
// that have nothing else to do.
func (b *bench) second(ctx context.Context) error {
	k := &leasedKinds[1]
	var cpu, speed harness.Series
	for round := range b.rounds {
		one, err := b.leasedMatches(ctx, k, 1, "--jobs", "1")
		if err != nil {
			return err
		}
		two, err := b.leasedMatches(ctx, k, 2, "--jobs", "1")
		if err != nil {
			return err
		}
		cpu = append(cpu, (two.coordinator+two.workers)/(one.coordinator+one.workers))
		speed = append(speed, one.lasts/two.lasts)
		b.Report("second, round %d of %d: with two workers %.3f times the CPU a match of one, and %.2f "+
			"times the matches a second: %.0f and %.0f",
			round+1, b.rounds, cpu[round], speed[round], 1e6/two.lasts, 1e6/one.lasts)
	}
	b.table.Add(
		harness.Row{
			What: "cup by two workers and one: CPU of a match, all processes", Figure: cpu.Format(3, ""),
			Target: fmt.Sprintf("≤ %.2f", moreCPU), Met: cpu.Median() <= moreCPU,
		},
	)
	b.table.Add(
		harness.Row{
			What: "cup by two workers and one: matches a second", Figure: speed.Format(2, ""),
			Target: fmt.Sprintf("≥ %.2f", moreSpeed), Met: speed.Median() >= moreSpeed,
		},
	)
	return nil
}
