package sim

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/remote"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/machine/disk"
)

// workersWorld is a cup that workers play.
type workersWorld struct {
	contest *cup.Contest
	queue   *faultyQueue
	storage *Storage
	rng     *rand.Rand
	key     ed25519.PrivateKey
	dir     string
	failed  chan error
}

// simVersion is that of the program in simulated worlds.
const simVersion = "sim"

// coordinate plays the cup with workers until it is over or ctx ends.
func (w *workersWorld) coordinate(ctx context.Context) error {
	name, manifest := (&remote.Manifest{
		Plan: w.contest.Plan, Version: simVersion, Copied: make([]bool, len(w.contest.Plan.Bots)),
	}).Sign(w.key)
	c, err := remote.Coordinate(ctx, w.queue.open(), remote.Options{
		Assignment: remote.Assignment{
			Plan: w.contest.Plan, Objects: map[string][]byte{name: manifest}, Manifest: name,
		},
		Version: simVersion, Dir: filepath.Join(w.dir, "workers"),
		Verify: remote.VerifyBy(games.List{w.contest.Game}.Replay), Warn: func(text string) {
			if !bytes.Contains([]byte(text), []byte("did not arrive")) {
				select {
				case w.failed <- errors.New(text):
				default:
				}
			}
		},
	})
	if err != nil {
		return err
	}
	defer c.Close()
	err = cup.Play(ctx, w.contest, &cup.Folder{Dir: cupFolder, Disk: w.storage.Mount()},
		cup.Options{CheckpointRows: 5, Workers: c})
	if err == nil {
		c.Finish(ctx)
	}
	return err
}

// work is a worker until ctx ends.
func (w *workersWorld) work(ctx context.Context, id string, jobs int) error {
	return remote.Work(ctx, w.queue, remote.WorkerOptions{
		ID: id, Name: id, Version: simVersion, Jobs: jobs, Key: w.key.Public().(ed25519.PublicKey),
		Stay: true, Say: func(string) {},
		Open: func(context.Context, *remote.Manifest, func(string) ([]byte, error)) (remote.Player, error) {
			return cup.OpenPlayer(w.contest, filepath.Join(w.dir, id), jobs, nil)
		},
	})
}

// keepWorking keeps a worker running that is killed from time to time, until ctx ends.
func (w *workersWorld) keepWorking(ctx context.Context, name string, rng *rand.Rand, kills int) {
	jobs := 1 + rng.IntN(3)
	for life := 0; ctx.Err() == nil; life++ {
		living, kill := context.WithCancel(ctx)
		if life < kills {
			timer := time.AfterFunc(time.Duration(100+rng.IntN(8000))*time.Millisecond, kill)
			defer timer.Stop()
		}
		if err := w.work(living, fmt.Sprint(name, "-", life), jobs); err != nil && living.Err() == nil {
			select {
			case w.failed <- err:
			default:
			}
		}
		kill()
		time.Sleep(time.Duration(rng.IntN(2000)) * time.Millisecond)
	}
}

// runWorkers plays the cup of a seed undisturbed, and by a coordinator and workers that are killed,
// over a queue that fails. It returns a digest of the log, and an error if the logs differ.
func (c *cups) runWorkers(t *testing.T, seed uint64) (digest string, err error) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(seed, 3))
		contest := c.draw(t, rng, seed)
		want, failure := playCup(contest, NewStorage(seed), rng, 0)
		if digest, err = digestOf(want), failure; err != nil {
			return
		}
		w := &workersWorld{
			contest: contest,
			queue:   newFaultyQueue(rand.New(rand.NewPCG(seed, 4)), []float64{0, 0.02, 0.2}[rng.IntN(3)]),
			storage: NewStorage(seed), rng: rng,
			key: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), dir: dir,
			failed: make(chan error, 1),
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		var workers sync.WaitGroup
		for i := range 1 + rng.IntN(3) {
			own := rand.New(rand.NewPCG(seed, uint64(10+i)))
			workers.Go(func() { w.keepWorking(ctx, fmt.Sprint("worker", i), own, own.IntN(3)) })
		}
		workers.Go(func() {
			own := rand.New(rand.NewPCG(seed, 5))
			for range own.IntN(3) {
				time.Sleep(time.Duration(own.IntN(8000)) * time.Millisecond)
				w.queue.disturb(time.Duration(own.IntN(20_000))*time.Millisecond, own.IntN(2) == 0)
			}
		})
		for range rng.IntN(3) { // the coordinator is killed
			living, kill := context.WithCancel(ctx)
			ends := w.storage.Crash
			if rng.IntN(2) == 0 {
				ends = w.storage.Kill
			}
			timer := time.AfterFunc(time.Duration(
				rng.IntN(10_000))*time.Millisecond, func() { ends(); kill() })
			failure = w.coordinate(living)
			timer.Stop()
			kill()
			if failure == nil {
				break
			}
		}
		for range 100 { // it does not begin while the queue is away
			if failure = w.coordinate(ctx); failure == nil {
				break
			}
			time.Sleep(time.Second)
		}
		cancel()
		workers.Wait()
		w.queue.running.Wait()
		if err = failure; err != nil {
			return
		}
		got, failure := disk.ReadFile(w.storage.Mount(), cupFolder+"/log.ndjson")
		if err = failure; err == nil && !bytes.Equal(got, want) {
			err = fmt.Errorf("with workers the log is\n%s\nwant\n%s", got, want)
		}
		select {
		case failure := <-w.failed:
			err = errors.Join(err, failure)
		default:
		}
	})
	return digest, err
}

// Cups that workers play over a queue that loses, doubles, reorders and delays, and that forgets
// all it has, while workers and the coordinator are killed, have the logs of cups that one process
// plays, byte for byte. More seeds:
//
//	go test -count=1 -timeout 0 -run TestWorkers -v ./server/sim -args -seeds 1..10000
func TestWorkers(t *testing.T) {
	thorough.Long(t)
	forSeeds(t, usualTime/2, newCups(t).runWorkers)
}
