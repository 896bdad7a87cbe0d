package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHeadlessJobs checks that the number of concurrent matches does not change results.
func TestHeadlessJobs(t *testing.T) {
	t.Parallel()
	var results []map[string]any
	for _, jobs := range []string{"1", "3"} {
		r := resultOf(t, "--headless", "--count", "12", "--turns", "30", "--seed", "3", "--jobs", jobs)
		if r["matches"] != 12.0 || r["turns"] != 360.0 || r["turns_per_second"].(float64) <= 0 {
			t.Errorf("with %s jobs: %v, want 12 matches of 30 turns", jobs, r)
		}
		for _, key := range []string{"again", "jobs", "seconds", "matches_per_second", "turns_per_second"} {
			delete(r, key)
		}
		results = append(results, r)
	}
	if diff := cmp.Diff(results[0], results[1]); diff != "" {
		t.Errorf("one job and three differ:\n%s", diff)
	}
}

// TestHeadlessAsOverTCP plays a match of a series over TCP, with the same result.
func TestHeadlessAsOverTCP(t *testing.T) {
	t.Parallel()
	alone := resultOf(t, "--headless", "--turns", "50", "--seed", "9", "painter", "hunter", "random")
	served := resultOf(t, "--port", "0", "--http", "", "--order", "seeded", "--turns", "50", "--seed", "9", "painter", "hunter", "random")
	for _, path := range []string{"seats/0/counts", "seats/1/counts", "seats/2/counts"} {
		if diff := cmp.Diff(get(t, served, path), get(t, alone, path)); diff != "" {
			t.Errorf("%s over TCP and in process differ:\n%s", path, diff)
		}
	}
}

// TestHeadlessInterrupted checks that Ctrl-C ends the series and that the matches played
// so far count.
func TestHeadlessInterrupted(t *testing.T) {
	t.Parallel()
	cmd := command(t, "play", "--headless", "--count", "1000000", "--turns", "5")
	var stdout strings.Builder
	cmd.Stdout = &stdout
	lines := startLines(t, cmd)
	lines.Scan()
	if !strings.Contains(lines.Text(), " of 1000000 matches, ") {
		t.Errorf("progress = %q, want the number of matches played", lines.Text())
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		_ = cmd.Process.Kill()
		t.Fatal(err)
	}
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.HasSuffix(last, "matches were played: interrupted") {
		t.Errorf("exit code %d, %q, want 1 and that it was interrupted", code, last)
	}
	if !strings.Contains(stdout.String(), "turns a second") || !strings.Contains(stdout.String(), "painter") {
		t.Errorf("standard output = %q, want the table of the matches played", stdout.String())
	}
}
