package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/standings"
	"github.com/hexarena/hexarena/server/launch"
)

// Every table of a cup says which program played it, and names the command that plays it again:
// with the seed that was drawn, and the settings of the environment.
func TestCupOrigin(t *testing.T) {
	thorough.Long(t)
	t.Chdir(t.TempDir())
	t.Setenv("HEXARENA_TURNS", "7")
	code, stdout, stderr := runCup("random", "painter", "hunter", "--count", "6", "--seats", "2",
		"--maps", "pebble", "--out", "one", "--json")
	var told standings.Origin
	if err := json.Unmarshal([]byte(stdout), &told); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v\n%s", code, err, stderr)
	}
	c, err := archive.Open("one")
	if err != nil {
		t.Fatal(err)
	}
	words, err := launch.Split(told.Command)
	if err != nil || told.Version != versionText() || told.Commit != commitText() ||
		told.Plan != c.Plan.Digest().String() {
		t.Fatalf("%+v, %v", told, err)
	}
	t.Setenv("HEXARENA_TURNS", "9")
	if code, _, stderr := hexarena(append(slices.Clone(words[1:]), "--out", "two")...); code != 0 {
		t.Fatalf("%s: exit code %d\n%s", told.Command, code, stderr)
	}
	if again, err := archive.Open("two"); err != nil || again.Plan.Digest() != c.Plan.Digest() {
		t.Errorf("%s plays another cup, %v", told.Command, err)
	}
	if code, _, stderr := hexarena("cup", "export", "one"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	want := []string{told.Version, told.Commit, told.Plan, told.Command}
	for _, name := range []string{"standings.csv", "meetings.csv", "matches.csv"} {
		rows, err := csv.NewReader(
			strings.NewReader(readText(t, filepath.Join("one", "site", name)))).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%s: %v", name, err)
		}
		if n := len(rows[0]) - len(want); !slices.Equal(rows[0][n:], standings.OriginHeader) ||
			!slices.Equal(rows[1][n:], want) {
			t.Errorf("%s: %q", name, rows[:2])
		}
	}
	var matches []standings.Origin
	if err := json.Unmarshal([]byte(readText(t, "one/site/matches.json")), &matches); err != nil ||
		matches[0] != told || matches[1] != (standings.Origin{}) {
		t.Errorf("matches.json: %+v, %v", matches, err)
	}
}

// A cup that has grown names the commands that lead to the same matches in another folder.
func TestGrownOrigin(t *testing.T) {
	thorough.Long(t)
	t.Chdir(t.TempDir())
	for _, count := range []string{"4", "6", "8"} {
		if code, _, stderr := runCup("random", "painter", "--format", "round-robin", "--count", count,
			"--turns", "5", "--maps", "pebble", "--out", "one"); code != 0 {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
	}
	one, err := archive.Open("one")
	if err != nil {
		t.Fatal(err)
	}
	for command := range strings.SplitSeq(one.Origin().InTables().Command, " && ") {
		words, err := launch.Split(command)
		if err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := hexarena(words[1:]...); code != 0 {
			t.Fatalf("%s: exit code %d\n%s", command, code, stderr)
		}
	}
	again, err := archive.Open("again")
	if err != nil || again.Plan.Digest() != one.Plan.Digest() || again.Plan.Added != 4 {
		t.Errorf("%q play another cup, %v", one.Origin().InTables().Command, err)
	}
}

// The cup of some shards names the command of all matches.
func TestMergedOrigin(t *testing.T) {
	thorough.Long(t)
	t.Chdir(t.TempDir())
	for _, shard := range []string{"1/2", "2/2"} {
		if code, _, stderr := runCup(strings.Fields("random painter hunter --count 6 --seats 2 --turns 5 --maps pebble --seed 1 --shard " + shard + " --out s" + shard[:1])...); code != 0 {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
	}
	if code, _, stderr := hexarena("cup", "merge", "s1", "s2", "--out", "all"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	c, err := archive.Open("all")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Origin().InTables().Command; strings.Contains(got, "shard") ||
		!strings.HasPrefix(got, "hexarena cup --count 6 ") {
		t.Errorf("the command is %q", got)
	}
}

// readText returns the text of a file.
func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
