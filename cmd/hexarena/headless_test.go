package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Many headless matches are the cup that is printed with them, however many are played at once.
func TestHeadlessIsACup(t *testing.T) {
	t.Parallel()
	table := func(args ...string) string {
		cmd := command(t, append(args, "--turns", "30", "--seed", "3", "--json")...)
		cmd.Dir = t.TempDir()
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		if _, err := os.Stat(filepath.Join(cmd.Dir, "cups")); err != nil {
			t.Errorf("%v: %v, want the cup's folder", args, err)
		}
		return string(out)
	}
	want := table("cup", "--format", "round-robin", "--count", "12", "painter", "random", "hunter")
	for _, jobs := range []string{"1", "3"} {
		got := table("play", "--headless", "--count", "12", "--jobs", jobs, "painter", "random", "hunter")
		if diff := cmp.Diff(withoutLag(t, want), withoutLag(t, got)); diff != "" {
			t.Errorf("with %s jobs, the cup and play --headless differ:\n%s", jobs, diff)
		}
	}
}

// withoutLag returns the table of a cup as JSON without what depends on the machine.
func withoutLag(t *testing.T, table string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(table), &m); err != nil {
		t.Fatalf("%v in %s", err, table)
	}
	delete(m, "lag")
	return m
}

// One headless match is played in process, with the result that it has over TCP.
func TestHeadlessAsOverTCP(t *testing.T) {
	t.Parallel()
	alone := resultOf(t, "--headless", "--turns", "50", "--seed", "9", "painter", "hunter", "random")
	served := resultOf(t, "--port", "0", "--http", "", "--order", "seeded", "--turns", "50", "--seed", "9", "painter", "hunter", "random")
	for _, path := range []string{"seats/0/counts", "seats/1/counts", "seats/2/counts", "state_digest"} {
		if diff := cmp.Diff(get(t, served, path), get(t, alone, path)); diff != "" {
			t.Errorf("%s over TCP and in process differ:\n%s", path, diff)
		}
	}
}
