package sim

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

var (
	oneSeed = flag.Int64("seed", -1, "the seed of the only world to run")
	seeds   = flag.String("seeds", "", "the range of the seeds to run, as in 1..1000")
)

// usualSeeds is how many worlds an ordinary test run plays, from seed 1.
const usualSeeds = 40

// The worlds of a range of seeds end without a violation. What is printed of a failing seed is
// all that is needed to repeat it.
func TestSeeds(t *testing.T) {
	first, last := uint64(1), uint64(usualSeeds)
	switch {
	case *oneSeed >= 0:
		first, last = uint64(*oneSeed), uint64(*oneSeed)
	case *seeds != "":
		if _, err := fmt.Sscanf(*seeds, "%d..%d", &first, &last); err != nil {
			t.Fatalf("-seeds=%s: %v", *seeds, err)
		}
	}
	began, turns := time.Now(), 0
	for seed := first; seed <= last; seed++ {
		r := Run(t, seed)
		turns += r.Turns
		check(t, r)
		if *oneSeed >= 0 && testing.Verbose() {
			t.Logf("seed %d:\n%s", seed, r.History)
		}
	}
	t.Logf("seeds %d..%d: %d turns of bots in %v", first, last, turns, time.Since(began).Round(time.Millisecond))
}

// check reports what must not have happened in a world.
func check(t *testing.T, r *Result) {
	t.Helper()
	if len(r.Violations) > 0 {
		t.Errorf("seed %d: %s\nrepeat it with: go test -count=1 -v ./server/sim -args -seed %d",
			r.Seed, strings.Join(r.Violations, "\n\t"), r.Seed)
	}
}

// A seed has the same history on one processor and on two.
func TestSameHistory(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for seed := uint64(1); seed <= 5; seed++ {
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
