package main

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/cup/remote/natsqueue"
	"github.com/hexarena/hexarena/server/harness"
)

// The matches of two cups: the difference of the coordinator's times is that of the additional matches, so that its start does not count.
const (
	fewLeased  = 2_000
	moreLeased = 18_000
)

// workers measures the processor time of the coordinator of a cup for each match that workers play, beside that of the workers.
func (b *bench) workers(ctx context.Context) error {
	if harness.ProcessorTime() == 0 {
		b.Report("workers: processor time is unknown on this system")
		return nil
	}
	var each, shares harness.Series
	for round := range b.rounds {
		few, worked, err := b.leasedCup(ctx, fewLeased)
		if err != nil {
			return err
		}
		more, workedMore, err := b.leasedCup(ctx, moreLeased)
		if err != nil {
			return err
		}
		each = append(each, float64((more-few).Microseconds())/(moreLeased-fewLeased))
		shares = append(shares, 100*float64(more-few)/float64(workedMore-worked))
		b.Report("workers, round %d of %d: %.0f µs of CPU a match in the coordinator, %.0f %% of its worker's", round+1, b.rounds, each[round], shares[round])
	}
	b.table.Add(harness.Row{
		What: "cup by a worker, matches of one turn: the coordinator's CPU", First: shares.Format(0, " % of the worker's"), Figure: each.Format(0, " µs a match"),
		Target: "≤ 20 µs", Met: each.Median() <= 20,
	})
	return nil
}

// leasedCup has a worker play a cup, and returns the processor time of the coordinator, with its broker, and of the worker.
func (b *bench) leasedCup(ctx context.Context, matches int) (coordinator, worker time.Duration, err error) {
	dir, err := os.MkdirTemp(b.Dir, "leased")
	if err != nil {
		return 0, 0, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, 0, err
	}
	address := l.Addr().String()
	_ = l.Close()
	c, err := harness.Start(ctx, b.Hexarena, "cup", "random", "hunter", "--format", "round-robin", "--seats", "2", "--maps", "pebble", "--turns", "1",
		"--seed", "1", "--count", strconv.Itoa(matches), "--out", filepath.Join(dir, "cup"), "--workers", address, "--json")
	if err != nil {
		return 0, 0, err
	}
	defer c.Stop()
	c.Watch(func([]byte) {})
	url, err := workerURL(ctx, c, filepath.Join(dir, "cup", "workers", "secret.json"), address)
	if err != nil {
		return 0, 0, err
	}
	w, err := harness.Start(ctx, b.Hexarena, "worker", url)
	if err != nil {
		return 0, 0, err
	}
	defer w.Stop()
	if err := c.Wait(); err != nil {
		return 0, 0, err
	}
	if err := w.Wait(); err != nil {
		return 0, 0, err
	}
	return c.CPU(), w.CPU(), nil
}

// workerURL returns the argument of a cup's worker, once the cup has made its secret.
func workerURL(ctx context.Context, c *harness.Process, path, address string) (string, error) {
	for {
		var secret struct {
			Seed  []byte
			Token string
		}
		text, err := os.ReadFile(path)
		if err == nil && json.Unmarshal(text, &secret) == nil && len(secret.Seed) == ed25519.SeedSize {
			key := ed25519.NewKeyFromSeed(secret.Seed).Public().(ed25519.PublicKey)
			return fmt.Sprintf("%s://%s:%s@%s#%s", natsqueue.Pinned, natsqueue.Names{}.User(), secret.Token, address, remote.FormatKey(key)), nil
		}
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-c.Down():
			return "", c.Wait()
		case <-time.After(10 * time.Millisecond):
		}
	}
}
