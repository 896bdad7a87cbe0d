package sim

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// What follows -args.
var (
	faultRanges = flag.Int("faults", 0,
		"plant each fault, and tell in how many seeds it is found, in that many ranges of seeds")
	faultName = flag.String("fault", "",
		"plant only faults whose names match this regular expression")
	faultSeeds = flag.Int("faultseeds", mostSeeds,
		"give up a fault in a range of seeds after that many")
	huntEvents = flag.Bool("events", false, "run the worlds of events")
	huntRange  = flag.String("hunt", "",
		"run worlds until one has a violation: the seeds, as in 1..5000")
)

// Each fault is to be found within mostSeeds seeds, and in the median of ranges within
// medianSeeds.
const (
	mostSeeds   = 5000
	medianSeeds = 500
)

// huntTime is the time that a world may take: one that never ends is found, too.
const huntTime = time.Minute

// Every fault still applies, and what it is planted in compiles. Faults that concern the same
// lines are compiled after one another.
func TestFaultsCompile(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for rest := faults; len(rest) > 0; {
		sources, later := map[string]string{}, []enginetest.Mutant(nil)
		for _, f := range rest {
			path, err := filepath.Abs(f.File)
			if err != nil {
				t.Fatal(err)
			}
			original, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(original), f.Old); n != 1 {
				t.Fatalf("%s: %s holds %q %d times, want it once", f.Name, f.File, f.Old, n)
			}
			if sources[path] == "" {
				sources[path] = string(original)
			}
			if strings.Count(sources[path], f.Old) != 1 {
				later = append(later, f)
				continue
			}
			sources[path] = strings.Replace(sources[path], f.Old, f.New, 1)
		}
		compile(t, sources)
		rest = later
	}
}

// compile builds the packages of files with other contents.
func compile(t *testing.T, sources map[string]string) {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	var packages []string
	for path, source := range sources {
		replace[path] = filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(replace[path], []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, filepath.Dir(path))
	}
	slices.Sort(packages)
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"build", "-overlay=" + overlay}, slices.Compact(packages)...)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("go build with faults: %v\n%s", err, out)
	}
}

// TestFaults measures how soon each planted fault is found. It takes hours, so that it does
// nothing without -faults.
func TestFaults(t *testing.T) {
	named, err := regexp.Compile(*faultName)
	if err != nil {
		t.Fatalf("-fault=%s: %v", *faultName, err)
	}
	for _, f := range faults {
		if *faultRanges > 0 && named.MatchString(f.Name) {
			measure(t, f)
		}
	}
}

// measure prints in how many seeds a fault is found, in each range.
func measure(t *testing.T, f enginetest.Mutant) {
	binary := filepath.Join(t.TempDir(), "faulty.test")
	out, err := exec.Command("go", "test", "-c", "-o", binary, "-overlay="+enginetest.Overlay(t, f), ".").CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", f.Name, err, out)
		return
	}
	counts := make([]int, *faultRanges)
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var hunts sync.WaitGroup
	for i := range counts {
		hunts.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			counts[i] = hunt(t, binary, i*mostSeeds+1, ofEvents(f.File))
		})
	}
	hunts.Wait()
	slices.Sort(counts)
	median := counts[len(counts)/2]
	fmt.Printf("%-62s median %4d, most %4d of %v\n", f.Name, median, counts[len(counts)-1], counts)
	if median > medianSeeds || counts[len(counts)-1] > mostSeeds {
		t.Errorf("%s is found in %v seeds, want a median of at most %d and none above %d", f.Name, counts,
			medianSeeds, mostSeeds)
	}
}

// ofEvents reports whether worlds of events find the faults of a file. Their logs are the only ones
// to which lines are added one by one.
func ofEvents(file string) bool {
	return strings.HasPrefix(file, "../event/") || file == "../machine/disk/log.go"
}

// hunt returns in how many seeds a violation is found, beginning with first: the process ends
// there, in whatever way. The worlds are those of events, or of matches. It returns mostSeeds+1 if
// none is, in as many seeds as are allowed.
func hunt(t *testing.T, binary string, first int, events bool) int {
	cmd := exec.Command(binary, "-test.run=^TestHunt$", "-test.timeout=0",
		fmt.Sprintf("-hunt=%d..%d", first, first+*faultSeeds-1), fmt.Sprintf("-events=%t", events))
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Error(err)
		return mostSeeds + 1
	}
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return mostSeeds + 1
	}
	stuck := time.AfterFunc(huntTime, func() { _ = cmd.Process.Kill() })
	defer stuck.Stop()
	last := first - 1
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if seed, err := strconv.Atoi(lines.Text()); err == nil {
			last = seed
			stuck.Reset(huntTime)
		}
	}
	_, _ = io.Copy(io.Discard, out) // after a line that is too long
	if cmd.Wait() == nil {
		return mostSeeds + 1
	}
	return last - first + 1
}

// TestHunt runs worlds one after another until one has a violation. It prints each seed before
// it runs, since some faults end the process. Without -hunt it does nothing.
func TestHunt(t *testing.T) {
	if *huntRange == "" {
		return
	}
	var first, last uint64
	if _, err := fmt.Sscanf(*huntRange, "%d..%d", &first, &last); err != nil {
		t.Fatalf("-hunt=%s is not two numbers, as in 1..5000: %v", *huntRange, err)
	}
	for seed := first; seed <= last; seed++ {
		fmt.Println(seed)
		if *huntEvents {
			if _, err := runEvent(t, seed); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if r := Run(t, seed); len(r.Violations) > 0 {
			t.Fatal(strings.Join(r.Violations, "\n"))
		}
	}
}
