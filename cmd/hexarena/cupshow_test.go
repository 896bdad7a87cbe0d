package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/cuptest"
)

// hexarena runs a command in this process, and returns its exit code and output.
func hexarena(args ...string) (code int, stdout, stderr string) {
	var out, errors bytes.Buffer
	code = run(append([]string{"hexarena"}, args...), strings.NewReader(""), &out, &errors)
	return code, out.String(), errors.String()
}

// writeCup writes a cup of 402 matches and returns its folder.
func writeCup(t *testing.T, name string, s plan.Shard) string {
	t.Helper()
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	p.Count = 402
	dir := filepath.Join(t.TempDir(), name)
	cuptest.Write(t, dir, p, s, cuptest.Rows(p, p.Count))
	return dir
}

// Without a folder the last cup in the folder cups is shown.
func TestCupShowFinds(t *testing.T) {
	t.Parallel()
	dir := writeCup(t, "cups/one", plan.Whole)
	_, named, _ := hexarena("cup", "show", "--json", dir)
	home := filepath.Dir(filepath.Dir(dir))
	if code, found, stderr := runToEnd(t, commandIn(t, home, "cup", "show", "--json")); code != 0 ||
		found != named {
		t.Errorf("without a folder: exit code %d, %s", code, stderr)
	}
	for args, says := range map[string]string{
		"cup show":      "the folder cups has no cup",
		"cup show bots": "bots holds no cup: it has no plan.json", "cup show --json --csv .": "csv",
		"cup show a b": "too many arguments",
	} {
		if code, _, stderr := runToEnd(t, commandIn(t, dir, strings.Fields(args)...)); code != exitUsage || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit code %d, %s, want %q", args, code, stderr, says)
		}
	}
}

// Shards are merged, and the result shown as one run would be.
func TestCupMerge(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	whole := writeCup(t, "whole", plan.Whole)
	first, second := writeCup(t, "a", plan.Shard{Number: 1, Of: 2}), writeCup(t, "b", plan.Shard{Number: 2, Of: 2})
	out := filepath.Join(t.TempDir(), "out")
	if code, _, stderr := hexarena("cup", "merge", second, "--out", out); code != exitFailure ||
		!strings.Contains(stderr, "shard 1/2 is missing") {
		t.Errorf("one shard: exit code %d, %s", code, stderr)
	}
	if code, _, stderr := hexarena("cup", "merge", first, second); code != exitUsage ||
		!strings.Contains(stderr, "--out") {
		t.Errorf("without --out: exit code %d, %s", code, stderr)
	}
	if code, stdout, stderr := hexarena("cup", "merge", second, first, "--out", out); code != 0 ||
		!strings.Contains(stdout, "402 matches") {
		t.Fatalf("exit code %d, %s%s", code, stdout, stderr)
	}
	_, want, _ := hexarena("cup", "show", whole)
	if _, got, _ := hexarena("cup", "show", out); got != want {
		t.Errorf("the merged cup is\n%s\nwant\n%s", got, want)
	}
	_, half, _ := hexarena("cup", "show", first)
	if !strings.Contains(half, "210 of 402 matches, 70 whole blocks") {
		t.Errorf("a shard alone is\n%s", half)
	}
}

// An export opens offline, and says which recordings it could not show.
func TestCupExport(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	dir := writeCup(t, "one", plan.Whole)
	for _, tt := range []struct{ args, out, stdout, stderr string }{
		{"", filepath.Join(dir, "site"), "Wrote 402 matches and 0 replays\n", "match 12 has no replay"},
		{"--replays 1 --out ", filepath.Join(t.TempDir(),
			"x"), "of 2 recordings; --replays writes more", "match 12 has no replay"},
		{"--replays 0 --out ", filepath.Join(t.TempDir(), "x"), "of 2 recordings", ""},
	} {
		line := "cup export " + dir + " " + tt.args
		if tt.args != "" {
			line += tt.out
		}
		code, stdout, stderr := hexarena(strings.Fields(line)...)
		if code != 0 || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("%s: exit code %d, %s%s, want %q and %q", line, code, stdout, stderr, tt.stdout,
				tt.stderr)
		}
		for _, name := range []string{
			"index.html", "standings.csv", "standings.json", "meetings.csv", "matches.csv", "matches.json",
		} {
			if info, err := os.Stat(filepath.Join(tt.out, name)); err != nil || info.Size() == 0 {
				t.Errorf("%s: %s: %v", line, name, err)
			}
		}
	}
	if code, _, stderr := hexarena("cup", "export", "--replays", "-1", dir); code != exitUsage ||
		!strings.Contains(stderr, "--replays: -1") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
