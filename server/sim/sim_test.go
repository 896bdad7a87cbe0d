package sim

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// What follows -args.
var (
	oneSeed = flag.Uint64("seed", 0,
		"the seed of the only world to run; with -v its history is printed")
	seedRange = flag.String("seeds", "", "the seeds of the worlds to run, as in 1..1000")
	fresh     = flag.Uint64("fresh", 0, "run that many worlds of seeds that are drawn")
	digests   = flag.String("digests", "", "append a digest of each history to this file")
)

// An ordinary test run plays the worlds of the first usualSeeds seeds, and begins none after
// usualTime, since other tests wait.
var (
	usualSeeds = thorough.Size[uint64](12, 100)
	usualTime  = thorough.Size(4*time.Second, time.Minute)
)

// seeds returns the seeds of the worlds to run, and when the last one may begin; zero means no
// limit.
func seeds(t *testing.T, usually time.Duration) (first, last uint64, until time.Time) {
	switch {
	case *oneSeed > 0:
		return *oneSeed, *oneSeed, until
	case *fresh > 0:
		first = 1 + rand.Uint64N(1e12) // short enough to be typed
		return first, first + *fresh - 1, until
	case *seedRange != "":
		if _, err := fmt.Sscanf(*seedRange, "%d..%d", &first, &last); err != nil {
			t.Fatalf("-seeds=%s is not two numbers, as in 1..1000: %v", *seedRange, err)
		}
		return first, last, until
	}
	return 1, usualSeeds, time.Now().Add(usually)
}

// forSeeds calls run for each seed of what follows -args, as often at a time as there are
// processors. usually is how long it begins more calls in an ordinary test run. run returns a
// digest of the history of its world.
func forSeeds(
	t *testing.T, usually time.Duration, run func(*testing.T, uint64) (digest string, err error),
) {
	t.Helper()
	first, last, until := seeds(t, usually)
	if *fresh > 0 {
		fmt.Printf("seeds %d..%d\n", first, last)
	}
	var next atomic.Uint64
	next.Store(first)
	var mu sync.Mutex
	var failed []uint64
	histories := map[uint64]string{}
	t.Run("seeds", func(t *testing.T) {
		for range runtime.GOMAXPROCS(0) {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				for until.IsZero() || time.Now().Before(until) {
					seed := next.Add(1) - 1
					if seed > last {
						return
					}
					digest, err := run(t, seed)
					mu.Lock()
					histories[seed] = digest
					if err != nil {
						failed = append(failed, seed)
					}
					mu.Unlock()
					if err != nil {
						name, _, _ := strings.Cut(t.Name(), "/")
						t.Errorf(
							"seed %d: %v\nrepeat it with: go test -count=1 -run %s -v ./server/sim -args -seed %d", seed,
							err, name, seed)
					}
				}
			})
		}
	})
	slices.Sort(failed)
	writeDigests(t, histories)
	t.Logf("%d seeds, of which these failed: %v", min(next.Load()-1, last)-first+1, failed)
}

// The worlds of some seeds end without a violation. The line of a failing seed is all that is
// needed to repeat it.
func TestSeeds(t *testing.T) {
	thorough.Long(t)
	first, last, until := seeds(t, usualTime)
	if *fresh > 0 {
		fmt.Printf("seeds %d..%d\n", first, last)
	}
	began := time.Now()
	results := runAll(t, first, last, until)
	turns := 0
	histories := map[uint64]string{}
	for _, r := range results {
		turns += r.Turns
		histories[r.Seed] = r.Digest
	}
	t.Logf("%d worlds, %d turns of bots in %v", len(results), turns,
		time.Since(began).Round(time.Millisecond))
	writeDigests(t, histories)
}

// writeDigests appends a line for the history of each seed to the file of -digests.
func writeDigests(t *testing.T, histories map[uint64]string) {
	t.Helper()
	if *digests == "" {
		return
	}
	file, err := os.OpenFile(*digests, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, seed := range slices.Sorted(maps.Keys(histories)) {
		if _, err := fmt.Fprintln(file, t.Name(), seed, histories[seed]); err != nil {
			t.Fatal(err)
		}
	}
}

// found are the seeds in which faults of the server showed. Which fault a seed shows depends on the
// plans; the tests of the packages hold each mend by itself.
var found = []struct {
	seed uint64
	what string
}{
	{57, "a client over a WebSocket was disconnected for what it had read long before"},
	{6381, "a turn that was held did not wait for a player that had come back, once another one " +
		"came back as well"},
	{4815, "a player lost on time since an operator had changed a setting, which set all clocks to " +
		"their beginning"},
	{390276015629, "a client that stays and owed an answer at the end of the last match lost its " +
		"end and the KICK"},
	{313585125271, "a started bot that stayed was stopped without a KICK since an operator had " +
		"started the match before its turn to be seated came"},
	{115363350424, "a started bot that stays, and got its seat back from a stranger, was stopped " +
		"without a KICK after the match"},
	{840317649582, "a player of a duel that connected again in its turn paid for it twice, and lost " +
		"on time"},
	{81597706744, "a started bot that stays, and had connected again during a match, was stopped " +
		"after it, and its connection took another seat"},
	{639635674583, "the memory of an answer was used again while a feed waited for the disk, so " +
		"that the page got the bytes of a later one"},
	{639635665647, "a started bot that stayed, and connected again between matches, took the seat " +
		"of another client"},
	{74, "a fast match with a shortest time of turns played on while all players were away"},
}

// Faults that simulated worlds found do not come back.
func TestFound(t *testing.T) {
	thorough.Long(t)
	for _, f := range found {
		t.Run(f.what, func(t *testing.T) { report(t, Run(t, f.seed)) })
	}
}

// runAll runs the worlds of a range of seeds, as many at a time as there are processors.
func runAll(t *testing.T, first, last uint64, until time.Time) (results []Result) {
	var mu sync.Mutex // guards next and results
	next := first
	take := func() (seed uint64, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next > last || !until.IsZero() && time.Now().After(until) {
			return 0, false
		}
		next++
		return next - 1, true
	}
	keep := func(r Result) {
		mu.Lock()
		defer mu.Unlock()
		results = append(results, r)
	}
	t.Run("worlds", func(t *testing.T) {
		for range runtime.GOMAXPROCS(0) {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				for seed, ok := take(); ok; seed, ok = take() {
					keep(report(t, Run(t, seed)))
				}
			})
		}
	})
	slices.SortFunc(results, func(a, b Result) int { return cmp.Compare(a.Seed, b.Seed) })
	return results
}

// report reports what must not have happened in a world, and returns the result without the
// history.
func report(t *testing.T, r *Result) Result {
	t.Helper()
	if *oneSeed > 0 && testing.Verbose() {
		fmt.Print(r.History)
	}
	if len(r.Violations) > 0 {
		t.Errorf("seed %d:\n\t%s\n%s", r.Seed, strings.Join(r.Violations, "\n\t"), repeat(r.Seed))
	}
	short := *r
	short.History = nil
	return short
}

// A seed has the same history on one processor and on two. With "make sim-same", it also has the
// same one with the race detector.
func TestSameHistory(t *testing.T) {
	thorough.Long(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for seed := uint64(1); seed <= thorough.Size[uint64](4, 10); seed++ {
		runtime.GOMAXPROCS(1)
		one := Run(t, seed).History.String()
		runtime.GOMAXPROCS(2)
		two := Run(t, seed).History.String()
		if at, a, b := difference(one, two); at > 0 {
			t.Errorf("seed %d: line %d is\n%s\non one processor and\n%s\non two", seed, at, a, b)
		}
	}
}

// difference returns the number of the first line in which two texts differ, or 0.
func difference(one, two string) (line int, a, b string) {
	ones, twos := strings.Split(one, "\n"), strings.Split(two, "\n")
	for i := range max(len(ones), len(twos)) {
		a, b = "", ""
		if i < len(ones) {
			a = ones[i]
		}
		if i < len(twos) {
			b = twos[i]
		}
		if a != b {
			return i + 1, a, b
		}
	}
	return 0, "", ""
}
