package cup

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/cuptest"
)

// divided returns a plan of 102 matches in blocks of 3, and its rows.
func divided() (*plan.Plan, []*results.Row) {
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	p.Count = 101
	return p, cuptest.Rows(p, 102)
}

func fileOf(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func opened(t *testing.T, dir string) *archive.Cup {
	t.Helper()
	c, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Shards that are merged give the bytes of one run.
func TestMerge(t *testing.T) {
	p, rows := divided()
	dir := t.TempDir()
	one, out := filepath.Join(dir, "one"), filepath.Join(dir, "sub", "out")
	cuptest.Write(t, one, p, plan.Whole, rows)
	var dirs []string
	for _, number := range []int{3, 1, 2} {
		shard := filepath.Join(dir, fmt.Sprint("shard", number))
		cuptest.Write(t, shard, p, plan.Shard{Number: number, Of: 3}, rows)
		dirs = append(dirs, shard)
	}
	n, err := Merge(t.Context(), dirs, out, nil)
	if err != nil || n != len(rows) {
		t.Fatalf("%d matches, %v", n, err)
	}
	for _, name := range []string{"plan.json", "log.ndjson", "times.csv"} {
		if fileOf(t, out, name) != fileOf(t, one, name) {
			t.Errorf("%s is not that of one run:\n%s", name, fileOf(t, out, name))
		}
	}
	for _, name := range []string{"bots/0/main.py", "matches/12.hexarena", "matches/13.hexarena"} {
		if fileOf(t, out, name) != fileOf(t, one, name) {
			t.Errorf("%s differs", name)
		}
	}
	sums, rest := opened(t, out).Resume()
	if sums.Matches() != len(rows) {
		t.Errorf("the checkpoint is after %d matches, want all %d", sums.Matches(), len(rows))
	}
	all, err := opened(t, one).Standings(func(*results.Row) error { return nil })
	if err == nil {
		err = rest.AddTo(sums,
			func(row *results.Row) error { return fmt.Errorf("match %d is read again", row.K) })
	}
	if err != nil || !reflect.DeepEqual(sums.Table(10), all.Table(10)) {
		t.Errorf("%v; from the checkpoint the table is\n%+v\nwant\n%+v", err, sums.Table(10),
			all.Table(10))
	}
	if _, err := os.Stat(filepath.Join(out, "shard.json")); err == nil {
		t.Error("the whole cup is a shard")
	}
}

// A merge that is refused names what is wrong, and leaves no folder.
func TestMergeIsRefused(t *testing.T) {
	p, rows := divided()
	other := *p
	other.Seed++
	dir := t.TempDir()
	write := func(name string, p *plan.Plan, s plan.Shard, rows []*results.Row) string {
		path := filepath.Join(dir, name)
		cuptest.Write(t, path, p, s, rows)
		return path
	}
	first, second := write("a", p, plan.Shard{Number: 1, Of: 2}, rows), write("b", p, plan.Shard{Number: 2, Of: 2}, rows)
	short := write("short", p, plan.Shard{Number: 2, Of: 2}, rows[:50])
	long := write("long", p, plan.Shard{Number: 2, Of: 2},
		append(rows, cuptest.Rows(p, len(rows)+9)[len(rows):]...))
	damaged := write("damaged", p, plan.Shard{Number: 2, Of: 2}, rows)
	text := strings.Replace(fileOf(t, damaged, "log.ndjson"), "\n", "\nx", 1)
	if err := os.WriteFile(filepath.Join(damaged, "log.ndjson"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		dirs []string
		says string
	}{
		{[]string{first}, "shard 2/2 is missing"},
		{[]string{second}, "shard 1/2 is missing"},
		{[]string{first, first, second}, "are both shard 1/2"},
		{[]string{first, second, second}, "are both shard 2/2"},
		{[]string{first, write("c", p, plan.Shard{Number: 2, Of: 3}, rows)}, "one division"},
		{[]string{first, write("d", &other, plan.Shard{Number: 2, Of: 2}, rows)}, "seed was 7 and is 8"},
		{[]string{first, short}, "match 50 of 102 is missing: shard 2/2, " + short},
		{[]string{first, long}, "has match 102, and the plan has 102 matches"},
		{[]string{first, damaged}, "the line of match 34"},
		{[]string{first, dir}, "holds no cup"},
	} {
		out := filepath.Join(dir, "out")
		_, err := Merge(t.Context(), tt.dirs, out, nil)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%v: %v, want an error with %q", tt.dirs, err, tt.says)
		}
		if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
			t.Errorf("%v leaves %v", tt.dirs, left)
		}
	}
	if _, err := Merge(t.Context(), []string{first, second}, first, nil); err == nil ||
		!strings.Contains(err.Error(), "exists") {
		t.Errorf("a merge into a folder that exists: %v", err)
	}
}
