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
	"github.com/hexarena/hexarena/tools/harness"
)

// leasedKind is a cup of which the coordinator's processor time is measured. The difference of the
// times of two sizes is that of the additional matches, so that its start does not count.
type leasedKind struct {
	what      string
	arguments []string
	divisor   int // the short cup has -turns divided by it matches, at least 16
	factor    int // the long cup has this many times the matches of the short one
}

// sizes returns the matches of the short cup and of the long one.
func (k *leasedKind) sizes(turns int) (few, more int) {
	few = max(16, turns/k.divisor)
	return few, few * k.factor
}

// Matches of one turn show what a result costs. Those of a usual length add that one in a hundred
// is played again by its recording.
var leasedKinds = []leasedKind{
	{"matches of one turn", []string{
		"random", "hunter", "--seats", "2", "--maps", "pebble", "--turns", "1",
	}, 20, 9},
	{"of 100 turns, four seats", []string{
		"random", "hunter", "painter", "random", "--seats", "4", "--maps", "lagoon", "--turns", "100",
	}, 100, 6},
}

// leasedTarget is the most processor time of the coordinator for a match of one turn, in µs: little
// beside any match, and enough for messages in JSON.
const leasedTarget = 100

// workers measures the processor time of the coordinator of a cup for each match that workers play,
// beside that of the workers.
func (b *bench) workers(ctx context.Context) error {
	for i := range leasedKinds {
		k := &leasedKinds[i]
		var coordinators, workers harness.Series // µs and ms a match
		for round := range b.rounds {
			o, err := b.leasedMatches(ctx, k, 1)
			if err != nil {
				return err
			}
			coordinators, workers = append(coordinators, o.coordinator), append(workers, o.workers/1000)
			b.Report(
				"workers, %s, round %d of %d: %.0f µs of CPU a match in the coordinator, %.2f ms in its worker",
				k.what, round+1, b.rounds, coordinators[round], workers[round])
		}
		row := harness.Row{
			What:  "cup by a worker, " + k.what + ": the coordinator's CPU",
			First: workers.Format(2, " ms in the worker"), Figure: coordinators.Format(0, " µs a match"),
		}
		if i == 0 {
			row.Target, row.Met = fmt.Sprintf("≤ %d µs", leasedTarget), coordinators.Median() <= leasedTarget
		}
		b.table.Add(row)
	}
	return nil
}

// leasedFigures are what a match of a cup takes that workers play, in µs.
type leasedFigures struct {
	coordinator, workers float64 // processor time
	lasts                float64 // from one result to the next
}

// leasedMatches plays, by workers with these flags, a cup of few matches and one of more, and
// returns what the additional ones take.
func (b *bench) leasedMatches(
	ctx context.Context, k *leasedKind, workers int, flags ...string,
) (f leasedFigures, err error) {
	few, more := k.sizes(b.turns)
	short, err := b.leasedCup(ctx, k, few, workers, flags...)
	if err != nil {
		return f, err
	}
	long, err := b.leasedCup(ctx, k, more, workers, flags...)
	if err != nil {
		return f, err
	}
	each := func(long, short time.Duration) float64 {
		return float64((long - short).Microseconds()) / float64(more-few)
	}
	return leasedFigures{
		each(long.coordinator, short.coordinator), each(long.workers, short.workers),
		each(long.lasts, short.lasts),
	}, nil
}

// leasedOutcome is what was measured of a cup that workers play.
type leasedOutcome struct {
	coordinator, workers time.Duration // processor time, that of the broker included
	lasts                time.Duration // from the start of the workers to the end of the cup
	log                  []byte
}

// cup returns the command line of a cup in a folder.
func (k *leasedKind) cup(matches int, dir string, flags ...string) []string {
	args := append([]string{
		"cup", "--format", "round-robin", "--seed", "1", "--count", strconv.Itoa(matches),
		"--out", dir, "--json",
	}, flags...)
	return append(args, k.arguments...)
}

// leasedCup plays a cup by workers with these flags.
func (b *bench) leasedCup(
	ctx context.Context, k *leasedKind, matches, workers int, flags ...string,
) (o leasedOutcome, err error) {
	dir, err := os.MkdirTemp(b.Dir, "leased")
	if err != nil {
		return o, err
	}
	servers, queue := b.nats, []string{"--nats", b.nats}
	if servers == "" {
		port, err := harness.FreePort()
		if err != nil {
			return o, err
		}
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		queue = []string{"--workers", address}
		servers = fmt.Sprintf("%s://%s:%%s@%s", natsqueue.Pinned, natsqueue.Names{}.User(), address)
	}
	c, err := harness.Start(ctx, b.Hexarena, k.cup(matches, dir, queue...)...)
	if err != nil {
		return o, err
	}
	defer c.Stop()
	c.Watch(func([]byte) {})
	url, err := workerURL(ctx, c, filepath.Join(dir, "workers", "secret.json"), servers)
	if err != nil {
		return o, err
	}
	began := time.Now()
	var list []*harness.Process
	for range workers {
		w, err := harness.Start(ctx, b.Hexarena, append([]string{"worker", url}, flags...)...)
		if err != nil {
			return o, err
		}
		defer w.Stop()
		list = append(list, w)
	}
	if err := c.Wait(); err != nil {
		return o, err
	}
	o.lasts, o.coordinator = time.Since(began), c.CPU()
	for _, w := range list {
		w.Interrupt() // one that came when the cup was over waits for it to go on
	}
	for _, w := range list {
		w.Stop()
		o.workers += w.CPU()
	}
	o.log, err = os.ReadFile(filepath.Join(dir, "log.ndjson"))
	return o, err
}

// workerURL returns the argument of a cup's worker, once the cup has made its secret. servers may
// have %s in place of the token.
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
