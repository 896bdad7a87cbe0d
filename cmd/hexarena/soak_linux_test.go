package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/tools/harness"
)

var soakMatches = flag.Int("soaked", 1000, "matches in TestSoak")

const (
	// soakParts is the number of parts that are measured. The server warms up in the first one;
	// the last one is compared with the second.
	soakParts = 10
	// soakSamples is how often a part measures the memory, at most.
	soakSamples = 40
	// soakSteady is the least number of matches in a part from which on its memory is compared:
	// the collector needs that long to settle.
	soakSteady = 1000
	// soakShare is the share by which memory may differ: ten parts of 1 000 matches differ by up
	// to 3.5 %.
	soakShare = 0.05
	// soakPlayers is the number of players of a match.
	soakPlayers = 2
)

// TestSoak plays matches one after another in one process, with recordings and a page. Goroutines
// and memory must not grow.
func TestSoak(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	records := t.TempDir()
	s, err := harness.Serve(t.Context(), command(t).Path, "--http", "127.0.0.1:0", "--record", records,
		"--map", "pebble", "--players", strconv.Itoa(soakPlayers), "--visualizations", "0",
		"--turns", "10", "--fast", "--autostart", "--matches", "endless")
	if err != nil {
		t.Fatal(err)
	}
	size := *soakMatches / soakParts
	var resident, goroutines [soakParts]float64
	for i := range soakParts {
		resident[i] = soakPart(t, s, size)
		limit := math.Inf(1)
		if i > 1 {
			limit = goroutines[1]
		}
		goroutines[i] = goroutinesAtRest(t, s, limit)
		t.Logf("%d…%d: %.2f MiB resident, %.0f goroutines",
			i*size+1, (i+1)*size, resident[i]/(1<<20), goroutines[i])
	}
	if _, err := s.Quit(); err != nil {
		t.Error(err)
	}
	files, err := filepath.Glob(filepath.Join(records, "*"))
	if err != nil || len(files) != size*soakParts {
		t.Errorf("there are %d recordings of %d matches, %v", len(files), size*soakParts, err)
	}
	grown := resident[soakParts-1]/resident[1] - 1
	if math.Abs(grown) > soakShare && size >= soakSteady {
		t.Errorf("resident memory has changed by %.1f %%, want %.0f at most", 100*grown, 100*soakShare)
	}
}

// soakPart plays matches with empty answers and returns the mean of the resident memory, in bytes.
func soakPart(t *testing.T, s *harness.Server, matches int) (mean float64) {
	t.Helper()
	every := max(1, matches/soakSamples)
	samples := 0
	for n := range matches {
		ctx, stop := context.WithTimeout(t.Context(), hangs)
		_, err := harness.Crowd{Players: soakPlayers}.Play(ctx, s.Addr)
		if stop(); err != nil {
			t.Fatal(err)
		}
		if n%every == 0 {
			mean += gauge(t, s, "process_resident_memory_bytes")
			samples++
		}
	}
	return mean / float64(samples)
}

// goroutinesAtRest waits until a server has no clients and at most limit goroutines, and returns
// their number. It collects the garbage first, so that all parts begin alike.
func goroutinesAtRest(t *testing.T, s *harness.Server, limit float64) (n float64) {
	t.Helper()
	for range 2 { // the second collection frees what finalizers and pools released
		if _, err := harness.Get(t.Context(), s.Page+"debug/pprof/heap?gc=1"); err != nil {
			t.Fatal(err)
		}
	}
	await(t, func() error {
		n = gauge(t, s, "hexarena_goroutines")
		if clients := gauge(t, s, "hexarena_connections"); clients > 0 || n > limit {
			return fmt.Errorf("%.0f connections and %.0f goroutines, want none and %.0f", clients, n, limit)
		}
		return nil
	})
	return n
}

// gauge returns a metric without labels.
func gauge(t *testing.T, s *harness.Server, name string) float64 {
	t.Helper()
	text, err := harness.Get(t.Context(), s.Page+"metrics")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			value, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}
