// Command chaos tests that a server survives misbehaving clients. It starts hexarena
// serve as a child process on the loopback interface and connects bots of ten kinds to
// match after match; nine of the kinds misbehave.
//
//	go run ./cmd/chaos -duration 10m
//	go run ./cmd/chaos -soak
//
// The first exits with 0 if every match was played to its end, every recording
// verifies, no honest bot missed a turn, and memory and goroutines are back to where they
// were. The second plays 10 000 small matches in one process and exits with 0 if its
// memory and goroutines have not grown. Both clean up when they are interrupted.
package main

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

var program = harness.Program{Name: "chaos", Setup: setup}

func main() { program.Main() }

// options are the settings of both tests.
type options struct {
	*harness.Job
	seed     uint64
	duration time.Duration
	bots     int
	turns    int           // of a match
	timeout  time.Duration // of a turn
	matches  int           // of the soak
}

// maxBots is the number of seats on the largest map.
const maxBots = 1024

// setup declares the flags of both tests.
func setup(j *harness.Job) func(context.Context) error {
	o := &options{Job: j}
	j.Flags.StringVar(&j.Hexarena, "binary", "", "the hexarena to test (default: built for the run)")
	j.Flags.Uint64Var(&o.seed, "seed", rand.Uint64(), "seed of the bots and the proxy")
	j.Duration(&o.duration, "duration", 10*time.Minute, "how long to start further matches")
	j.Int(&o.bots, "bots", 200, len(kinds), maxBots, "number of bots, of ten kinds")
	j.Int(&o.turns, "turns", 10, 2, math.MaxInt, "turns of a match")
	j.Duration(&o.timeout, "turn-timeout", 2*time.Second, "time limit of a turn")
	soak := j.Flags.Bool("soak", false, "play small matches one after another instead, and watch the memory")
	j.Int(&o.matches, "matches", 10_000, soakParts, math.MaxInt, "with -soak: number of matches")
	return func(ctx context.Context) error {
		if *soak {
			return o.soak(ctx)
		}
		return o.chaos(ctx)
	}
}

// records returns the folder of the recordings.
func (o *options) records() string { return filepath.Join(o.Dir, "recordings") }

// serve starts a server with a page and recordings, which plays match after match.
func (o *options) serve(ctx context.Context, flags ...string) (*harness.Server, error) {
	return harness.Serve(ctx, o.Hexarena, append([]string{
		"--http", "127.0.0.1:0", "--record", o.records(), "--turns", strconv.Itoa(o.turns), "--fast", "--matches", "endless",
	}, flags...)...)
}
