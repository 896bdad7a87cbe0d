package archive_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/standings"
)

const matches = 102 // of the cups here, in blocks of 3

// cup returns a plan with that many matches, and its rows.
func cup() (*plan.Plan, []*results.Row) {
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	p.Count = matches - 1
	return p, cuptest.Rows(p, matches)
}

func open(t *testing.T, dir string) *archive.Cup {
	t.Helper()
	c, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// read returns the rows of a cup as lines.
func read(t *testing.T, dir string) string {
	t.Helper()
	var log []byte
	err := open(t, dir).Rows(func(row *results.Row, _ []archive.Times) error {
		log = row.Append(log)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(log)
}

func file(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A cup that is being played is read up to the last whole row, wherever the log ends.
func TestTornLog(t *testing.T) {
	p, rows := cup()
	dir := t.TempDir()
	cuptest.Write(t, dir, p, plan.Whole, rows)
	whole := file(t, dir, "log.ndjson")
	for _, length := range []int{0, 1, len(whole) - 1, len(whole) / 2, len(whole)} {
		if err := os.WriteFile(filepath.Join(dir, "log.ndjson"), []byte(whole[:length]), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, want := read(t, dir), whole[:strings.LastIndexByte(whole[:length], '\n')+1]; got != want {
			t.Errorf("of %d bytes, %d are rows, want %d", length, len(got), len(want))
		}
	}
	if err := os.Remove(filepath.Join(dir, "log.ndjson")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir); got != "" {
		t.Errorf("a cup without a log has the rows %s", got)
	}
}

// The last lines of bots come from the times, of which a cup that was killed has some twice.
func TestFailures(t *testing.T) {
	p, rows := cup()
	for _, row := range rows {
		for i := range row.Forfeits {
			row.Forfeits[i] = ""
		}
	}
	rows[4].Forfeits[1], rows[5].Forfeits[0], rows[6].Forfeits[0] = "crash", "left", "unstarted"
	dir := t.TempDir()
	cuptest.Write(t, dir, p, plan.Whole, rows)
	times := "k,started,ms,host,seat,bot,turns,skipped,p50_us,p99_us,max_us,exit,printed\n" +
		"not a line\n" + `3,,5,h,1,b,0,0,1,1,1,,` + "\n" +
		`4,,5,h,2,b,0,0,1,1,1,exit status 1,"KeyError: ""a\\b""\nlast"` + "\n" + `5,,5,h,1,b,0,0,1,1,1,,first` + "\n" +
		`4,,5,h,2,b,0,0,1,1,1,exit status 1,again` + "\n" + `5,,5,h,1,b,0,0,1,1,1,,again` + "\n" + `5,,5,h`
	if err := os.WriteFile(filepath.Join(dir, "times.csv"), []byte(times), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := open(t, dir).Standings(func(*results.Row) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	got := s.Table(1).Errors
	if len(got) != 2 || got[0].First != 4 || !reflect.DeepEqual(got[0].Printed, []string{`KeyError: "a\b"`, "last"}) || got[0].Exit != "exit status 1" ||
		got[1].Kind != "left" || !reflect.DeepEqual(got[1].Printed, []string{"first"}) {
		t.Errorf("the errors are %+v", got)
	}
}

// Rows that are picked are those that are wanted, before an offset, in a shard as well.
func TestPick(t *testing.T) {
	p, rows := cup()
	for _, shard := range []plan.Shard{plan.Whole, {Number: 2, Of: 2}} {
		dir := t.TempDir()
		cuptest.Write(t, dir, p, shard, rows)
		log := file(t, dir, "log.ndjson")
		end := strings.Index(log, `{"k":99,`)
		var got []int
		err := open(t, dir).Pick(int64(end), func(k int) bool { return k%3 == 0 }, func(row *results.Row) error {
			got = append(got, row.K)
			return nil
		})
		var want []int
		for k := 0; k < 99; k += 3 {
			if strings.Contains(log, fmt.Sprintf(`{"k":%d,`, k)) {
				want = append(want, k)
			}
		}
		if err != nil || len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("shard %s: %v, %v, want %v", shard, got, err, want)
		}
	}
}

// The costs of matches come from the times. Those of a version that did not measure it have no such
// columns.
func TestCosts(t *testing.T) {
	p, rows := cup()
	dir := t.TempDir()
	cuptest.Write(t, dir, p, plan.Whole, rows)
	times := "k,seat,turns,exit,printed,cpu_us,lag_us\n0,1,50,,,3000,200\n0,2,50,,,,200\n1,1,0,,,x,400\n2,3,50,,,1000,600\n3,1,1,,\n"
	if err := os.WriteFile(filepath.Join(dir, "times.csv"), []byte(times), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := open(t, dir).Standings(func(*results.Row) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	table := s.Table(1)
	if l := table.Lag; l == nil || *l != (standings.Lag{Mean: 0.4, Max: 0.6}) {
		t.Errorf("the lag is %+v", l)
	}
	want := map[string]standings.CPU{}
	for _, c := range []struct{ k, seat, micros int }{{0, 0, 3000}, {2, 2, 1000}} {
		name := rows[c.k].Bots[c.seat]
		sum := want[name]
		ms := sum.Match*float64(sum.Matches) + float64(c.micros)/1000
		sum.Matches++
		sum.Match, sum.Turn = ms/float64(sum.Matches), ms/float64(50*sum.Matches)
		want[name] = sum
	}
	for _, b := range table.Bots {
		if w, known := want[b.Name]; (b.CPU != nil) != known || known && *b.CPU != w {
			t.Errorf("%q has used %+v, want %+v", b.Name, b.CPU, w)
		}
	}
}

// A plan that cannot be read names its file.
func TestDamagedPlan(t *testing.T) {
	p, rows := cup()
	dir := t.TempDir()
	cuptest.Write(t, dir, p, plan.Whole, rows)
	for name, text := range map[string]string{
		"no JSON": "nonsense", "an unknown key": `{"x": 1}`, "mistakes": `{"format": "round-robin"}`,
	} {
		path := filepath.Join(dir, "plan.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Open(dir); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The plan that is written is the one that is read.
func TestPlan(t *testing.T) {
	p, rows := cup()
	dir := t.TempDir()
	cuptest.Write(t, dir, p, plan.Shard{Number: 2, Of: 3}, rows)
	c := open(t, dir)
	a, errA := json.Marshal(c.Plan)
	b, errB := json.Marshal(p)
	if errA != nil || errB != nil || !bytes.Equal(a, b) || c.Shard != (plan.Shard{Number: 2, Of: 3}) {
		t.Errorf("the cup is %s, shard %s", a, c.Shard)
	}
}

// Of the cups in a folder, the one that was played last is found.
func TestFind(t *testing.T) {
	p, rows := cup()
	dir := t.TempDir()
	if _, err := archive.Find(filepath.Join(dir, "none")); err == nil ||
		!strings.Contains(err.Error(), "has no cup") {
		t.Errorf("in a folder that does not exist: %v", err)
	}
	for name, minute := range map[string]int{"b": 1, "c": 3, "a": 2} {
		cuptest.Write(t, filepath.Join(dir, name), p, plan.Whole, rows)
		at := time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(dir, name, "log.ndjson"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := archive.Find(dir); err != nil || got != filepath.Join(dir, "c") {
		t.Errorf("%s is found, %v, want c", got, err)
	}
}

// A follower sees each row once, with its times, wherever the files end when it looks.
func TestFollower(t *testing.T) {
	thorough.Long(t)
	p, rows := cup()
	dir := t.TempDir()
	shard := plan.Shard{Number: 2, Of: 3}
	cuptest.Write(t, dir, p, shard, rows)
	log, times := file(t, dir, "log.ndjson"), file(t, dir, "times.csv")
	type seen struct {
		line  string
		times []archive.Times
	}
	var want, got []seen
	note := func(list *[]seen) func(*results.Row, []archive.Times) error {
		return func(row *results.Row, times []archive.Times) error {
			*list = append(*list, seen{string(row.Append(nil)), times})
			return nil
		}
	}
	c := open(t, dir)
	if err := c.Rows(note(&want)); err != nil || len(want) == 0 {
		t.Fatalf("the cup has %d rows, %v", len(want), err)
	}
	for _, name := range []string{"log.ndjson", "times.csv"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	f := c.Follow()
	for length := 0; length <= len(log); length += 97 { // the times are written first
		whole := strings.Count(log[:length], "\n") * p.Seats
		ahead := strings.Join(strings.SplitAfter(times, "\n")[:min(whole+6, strings.Count(times, "\n"))],
			"") + "2"
		for name, text := range map[string]string{"log.ndjson": log[:length], "times.csv": ahead} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Rows(note(&got)); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(log[:length], "\n"); len(got) != n {
			t.Fatalf("of %d bytes it has seen %d rows, want %d", length, len(got), n)
		}
	}
	cuptest.Write(t, dir, p, shard, rows)
	if err := f.Rows(note(&got)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("it has seen %d rows, %v, want the %d of the cup with the same times", len(got), err,
			len(want))
	}
	if err := os.Truncate(filepath.Join(dir, "log.ndjson"), 5); err != nil {
		t.Fatal(err)
	}
	if err := f.Rows(note(&got)); err == nil || !strings.Contains(err.Error(), "shorter") {
		t.Errorf("of a log that was cut it says %v", err)
	}
}
