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
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/cup/remote/natsqueue"
	"github.com/hexarena/hexarena/server/harness"
)

// leasedKind is a cup of which the coordinator's processor time is measured. The difference of the times of two sizes is that of the
// additional matches, so that its start does not count.
type leasedKind struct {
	what      string
	arguments []string
	few, more int // matches
}

// Matches of one turn show what a result costs. Those of a usual length add that one in a hundred is played again by its recording.
var leasedKinds = []leasedKind{
	{"matches of one turn", []string{"random", "hunter", "--seats", "2", "--maps", "pebble", "--turns", "1"}, 2_000, 18_000},
	{"of 100 turns, four seats", []string{"random", "hunter", "painter", "random", "--seats", "4", "--maps", "lagoon", "--turns", "100"}, 400, 2_400},
}

// leasedTarget is the most processor time of the coordinator for a match of one turn, in µs.
const leasedTarget = 20

// workers measures the processor time of the coordinator of a cup for each match that workers play, beside that of the workers.
func (b *bench) workers(ctx context.Context) error {
	if harness.ProcessorTime() == 0 {
		b.Report("workers: processor time is unknown on this system")
		return nil
	}
	for i := range leasedKinds {
		k := &leasedKinds[i]
		var coordinators, workers harness.Series // µs and ms a match
		for round := range b.rounds {
			few, worked, err := b.leasedCup(ctx, k, k.few)
			if err != nil {
				return err
			}
			more, workedMore, err := b.leasedCup(ctx, k, k.more)
			if err != nil {
				return err
			}
			matches := float64(k.more - k.few)
			coordinators = append(coordinators, float64((more-few).Microseconds())/matches)
			workers = append(workers, float64((workedMore-worked).Microseconds())/1000/matches)
			b.Report("workers, %s, round %d of %d: %.0f µs of CPU a match in the coordinator, %.2f ms in its worker", k.what, round+1, b.rounds, coordinators[round], workers[round])
		}
		row := harness.Row{What: "cup by a worker, " + k.what + ": the coordinator's CPU", First: workers.Format(2, " ms in the worker"), Figure: coordinators.Format(0, " µs a match")}
		if i == 0 {
			row.Target, row.Met = fmt.Sprintf("≤ %d µs", leasedTarget), coordinators.Median() <= leasedTarget
		}
		b.table.Add(row)
	}
	return nil
}

// leasedCup has a worker play a cup, and returns the processor time of the coordinator, with its broker, and of the worker.
func (b *bench) leasedCup(ctx context.Context, k *leasedKind, matches int) (coordinator, worker time.Duration, err error) {
	dir, err := os.MkdirTemp(b.Dir, "leased")
	if err != nil {
		return 0, 0, err
	}
	servers, flags := b.nats, []string{"--nats", b.nats}
	if servers == "" {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return 0, 0, err
		}
		address := l.Addr().String()
		_ = l.Close()
		flags = []string{"--workers", address}
		servers = fmt.Sprintf("%s://%s:%%s@%s", natsqueue.Pinned, natsqueue.Names{}.User(), address)
	}
	args := append([]string{"cup", "--format", "round-robin", "--seed", "1", "--count", strconv.Itoa(matches), "--out", filepath.Join(dir, "cup"), "--json"}, flags...)
	c, err := harness.Start(ctx, b.Hexarena, append(args, k.arguments...)...)
	if err != nil {
		return 0, 0, err
	}
	defer c.Stop()
	c.Watch(func([]byte) {})
	url, err := workerURL(ctx, c, filepath.Join(dir, "cup", "workers", "secret.json"), servers)
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

// workerURL returns the argument of a cup's worker, once the cup has made its secret. servers may have %s in place of the token.
func workerURL(ctx context.Context, c *harness.Process, path, servers string) (string, error) {
	for {
		var secret struct {
			Seed  []byte
			Token string
		}
		text, err := os.ReadFile(path)
		if err == nil && json.Unmarshal(text, &secret) == nil && len(secret.Seed) == ed25519.SeedSize {
			key := ed25519.NewKeyFromSeed(secret.Seed).Public().(ed25519.PublicKey)
			return strings.ReplaceAll(servers, "%s", secret.Token) + "#" + remote.FormatKey(key), nil
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
