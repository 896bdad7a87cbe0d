package cup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	rules "github.com/hexarena/hexarena/engine/hexabomb"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/contest/source"
	"github.com/hexarena/hexarena/server/contest/sprt"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/games"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/server/seat"
)

// failing plays hexabomb until a turn, at which it panics.
type failing struct {
	netorcai.Bot
	turn int
}

func (b *failing) Turn(m netorcai.Turn) ([]byte, error) {
	if m.Number == b.turn {
		panic("the bot fails")
	}
	return b.Bot.Turn(m)
}

// game returns hexabomb with more bots: idle does nothing, crasher fails in each match, and
// sometimes in most.
func game() *games.Game {
	g := hexabomb.Game()
	usual := func(seed uint64) netorcai.Bot {
		b, err := hexabomb.Game().NewBuiltin("random", seed)
		if err != nil {
			panic(err)
		}
		return b
	}
	g.Builtins = append(
		g.Builtins,
		games.Builtin{Name: "idle", New: func(uint64) netorcai.Bot { return idle{} }},
		games.Builtin{
			Name: "crasher", New: func(seed uint64) netorcai.Bot { return &failing{usual(seed), 3} },
		},
		games.Builtin{
			Name: "sometimes",
			New:  func(seed uint64) netorcai.Bot { return &failing{usual(seed), int(seed % 12)} },
		},
	)
	return g
}

// contest returns one of built-in bots on maps, in matches of few turns.
func contest(
	t testing.TB, format plan.Format, count, seats int, bots []string, maps ...string,
) *Contest {
	t.Helper()
	g := game()
	c := &Contest{
		Plan: &plan.Plan{
			Format: format, Game: g.Name, Seats: seats, Count: count, Seed: 7,
			Settings: []plan.Setting{{Name: "turns", Value: "8"}},
		},
		Shard: plan.Whole, Game: g, Turns: 8, Program: "test",
	}
	if format == plan.Comparison {
		c.Plan.Test = &sprt.Hypotheses{NElo0: 0, NElo1: 30, Alpha: 0.05, Beta: 0.05}
	}
	c.Boards = cuptest.Boards(t, g, maps...)
	for _, b := range c.Boards {
		c.Plan.Maps = append(c.Plan.Maps, plan.Map{Name: b.Map, Places: b.Players})
	}
	var err error
	if c.Entrants, err = source.Enter(t.Context(), bots, seat.Known{Game: g.Name, Builtin: g.NewBuiltin}, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for i := range c.Entrants {
		c.Plan.Bots = append(c.Plan.Bots, c.Entrants[i].Bot)
	}
	if err := c.Plan.Check(); err != nil {
		t.Fatal(err)
	}
	return c
}

// run plays a contest in a folder until it is over or ctx ends.
func run(ctx context.Context, t testing.TB, c *Contest, dir string, o Options) error {
	t.Helper()
	f, err := OpenFolder(dir, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return Play(ctx, c, f, o)
}

// playAll plays a contest to its end and returns its log.
func playAll(t testing.TB, c *Contest, dir string, jobs int) []byte {
	t.Helper()
	if err := run(t.Context(), t, c, dir, Options{Jobs: jobs}); err != nil {
		t.Fatal(err)
	}
	return logOf(t, dir)
}

func logOf(t testing.TB, dir string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, logFile))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// rowsOf returns the rows of a log.
func rowsOf(t testing.TB, log []byte) (rows []*results.Row) {
	t.Helper()
	for r := results.NewReader(bytes.NewReader(log), 0, 0); ; {
		row, err := r.Read()
		if err != nil {
			return rows
		}
		rows = append(rows, row)
	}
}

// A cup has the same log however many matches are played at once, and wherever it was interrupted,
// with a last line that was being written.
func TestTheLogIsTheSame(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	bots := []string{"random", "painter", "sometimes", "crasher", "random"}
	c := contest(t, plan.RoundRobin, 60, 3, bots, "clover", "crossroads")
	want := playAll(t, c, t.TempDir(), 1)
	if n := bytes.Count(want, []byte("\n")); n != 60 {
		t.Fatalf("the log has %d rows, want 60", n)
	}
	for _, jobs := range []int{1, 4} {
		t.Run(fmt.Sprint("jobs ", jobs), func(t *testing.T) {
			t.Parallel()
			if got := playAll(t, c, t.TempDir(), jobs); !bytes.Equal(got, want) {
				t.Errorf("undisturbed, the log is\n%s\nwant\n%s", got, want)
			}
			for stop := 1; stop < 60; stop += thorough.Size(19, 9) {
				dir := t.TempDir()
				ctx, cancel := context.WithCancelCause(t.Context())
				stopped := errors.New("stopped")
				err := run(ctx, t, c, dir, Options{Jobs: jobs, Played: func(row *results.Row, fresh bool) {
					if row.K == stop {
						cancel(stopped)
					}
				}})
				if !errors.Is(err, stopped) {
					t.Fatalf("a cup that is stopped after match %d ends with %v", stop, err)
				}
				part := logOf(t, dir)
				if !bytes.HasPrefix(want, part) || len(rowsOf(t, part)) <= stop {
					t.Fatalf("stopped after match %d, the log is\n%s", stop, part)
				}
				torn := append(part, want[len(part):][:min(stop, len(want)-len(part))]...)
				if err := os.WriteFile(filepath.Join(dir, logFile), torn, 0o600); err != nil {
					t.Fatal(err)
				}
				if got := playAll(t, c, dir, jobs); !bytes.Equal(got, want) {
					t.Errorf("stopped after match %d, the log is\n%s\nwant\n%s", stop, got, want)
				}
			}
		})
	}
}

// The shards of a cup, which were interrupted, have together the log of one run, also of bots that
// fail.
func TestShards(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	c := contest(t, plan.RoundRobin, 240, 3, []string{"random", "painter", "sometimes", "crasher"},
		"clover", "crossroads")
	want := playAll(t, c, t.TempDir(), 2)
	var dirs []string
	for i := range 3 {
		part := *c
		part.Shard = plan.Shard{Number: i + 1, Of: 3}
		dir := filepath.Join(t.TempDir(), "shard")
		ctx, cancel := context.WithCancel(t.Context())
		_ = run(ctx, t, &part, dir, Options{Jobs: 2, Played: func(row *results.Row, _ bool) {
			if row.K > 20 {
				cancel()
			}
		}})
		cancel()
		playAll(t, &part, dir, 3)
		if _, err := OpenFolder(dir, c, nil); err == nil ||
			!strings.Contains(err.Error(), "holds shard") {
			t.Errorf("the folder of a shard opens for the whole cup with %v", err)
		}
		dirs = append(dirs, dir)
	}
	out := filepath.Join(t.TempDir(), "merged")
	if n, err := Merge(t.Context(), dirs, out, nil); n != 240 || err != nil {
		t.Fatalf("%d matches are merged, %v", n, err)
	}
	if !bytes.Equal(logOf(t, out), want) {
		t.Error("the merged log is not that of one run")
	}
	merged := opened(t, out)
	if s, _ := merged.Resume(); s.Matches() != 240 {
		t.Errorf("the checkpoint of the merged cup has %d matches, want all 240", s.Matches())
	}
	restored := 0
	if err := run(t.Context(), t, c, out, Options{Restored: func([]byte) { restored++ }}); err != nil || restored != 1 {
		t.Errorf("the merged cup goes on with %v, from %d checkpoints", err, restored)
	}
}

// A cup that goes on until its leader is certain ends after a look at its table.
func TestUntil(t *testing.T) {
	for _, tt := range []struct {
		text string
		bots []string
	}{{"95%", []string{"painter", "random", "random"}}, {"60%", []string{"hunter", "random"}}} {
		c := contest(t, plan.RoundRobin, 0, 2, tt.bots, "pebble")
		c.Plan.Settings = append(c.Plan.Settings, plan.Setting{Name: plan.UntilSetting, Value: tt.text})
		rows := rowsOf(t, playAll(t, c, t.TempDir(), 3))
		if blocks := len(rows) / 2; len(rows)%2 != 0 || sprt.LookAt(blocks) == 0 {
			t.Errorf("until %s: the cup ends after %d matches", tt.text, len(rows))
		}
	}
	for _, text := range []string{"95", "x%", "49%", "100%", "NaN%", ""} {
		if _, err := plan.ParseUntil(text); err == nil {
			t.Errorf("until %q is accepted", text)
		}
	}
}

// Recordings are kept of the matches that the cup wants, and can be played again.
func TestKeep(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	c := contest(t, plan.Gauntlet, 24, 2, []string{"random", "painter", "sometimes"}, "crossroads")
	for keep, want := range map[Keep]func(*results.Row) bool{
		KeepNone:   func(*results.Row) bool { return false },
		KeepAll:    func(row *results.Row) bool { return row.Digest != 0 }, // else it was not played
		KeepErrors: func(row *results.Row) bool { return slices.Contains(row.Forfeits, results.Crash) },
		KeepLosses: func(row *results.Row) bool {
			return slices.Contains(row.Forfeits, results.Crash) || row.Ranks[slices.Index(row.Bots, "random")] == 2
		},
	} {
		dir := t.TempDir()
		if err := run(t.Context(), t, c, dir, Options{Jobs: 3, Keep: keep}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, playing)); err == nil {
			t.Error("recordings that are not kept are left")
		}
		for _, row := range rowsOf(t, logOf(t, dir)) {
			path := filepath.Join(dir, matchesDir, fmt.Sprint(row.K, ".hexarena"))
			if _, err := os.Stat(path); (err == nil) != want(row) {
				t.Errorf("%s: match %d with the ranks %v and forfeits %q: %v", keep, row.K, row.Ranks,
					row.Forfeits, err)
				continue
			} else if err != nil {
				continue
			}
			r, err := recording.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := recording.Verify(t.Context(), r, games.List{c.Game}.Replay, nil); err != nil ||
				v.Cut {
				t.Errorf("match %d: %+v, %v", row.K, v, err)
			}
			_ = r.Close()
		}
	}
}

// The memory of a cup does not grow with its matches, nor do its goroutines.
func TestMemoryIsFlat(t *testing.T) {
	thorough.Long(t)
	c := contest(t, plan.RoundRobin, thorough.Size(3000, 60_000), 2, []string{"idle", "idle", "idle"},
		"pebble")
	c.Turns = 1
	type use struct {
		heap       uint64
		goroutines int
	}
	var early use
	measure := func() use {
		runtime.GC()
		runtime.GC() // a sync.Pool keeps what it has over the first
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return use{m.HeapAlloc, runtime.NumGoroutine()}
	}
	before := runtime.NumGoroutine()
	err := run(t.Context(), t, c, t.TempDir(), Options{Jobs: 4, Played: func(row *results.Row, _ bool) {
		switch row.K {
		case c.Plan.Count / 3:
			early = measure()
		case c.Plan.Count - 100:
			late := measure()
			if late.heap > early.heap+1<<20 || late.goroutines > early.goroutines+20 {
				t.Errorf("after a third of the matches %+v, at the end %+v", early, late)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if after := runtime.NumGoroutine(); after > before+2 {
		t.Errorf("%d goroutines before the cup, %d after it", before, after)
	}
}

// Each seat has its place of the map, and its player the id of the seat.
func TestPlaces(t *testing.T) {
	c := contest(t, plan.RoundRobin, 24, 2, []string{"random", "painter", "hunter"}, "crossroads",
		"snowflake")
	f, err := OpenFolder(t.TempDir(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := newRunner(c, f, Options{Jobs: 1})
	if err := r.resume(); err != nil {
		t.Fatal(err)
	}
	if r.player, err = openPlayer(c, r.guard, nil, 1, nil); err != nil {
		t.Fatal(err)
	}
	defer r.player.close(t.Context())
	choices := map[string]bool{}
	for k := range 24 {
		m, _ := r.ledger.match(k)
		choices[fmt.Sprint(m.Map, m.Places)] = true
		whole, err := rules.ParseMap(c.Boards[m.Map].Setup)
		if err != nil {
			t.Fatal(err)
		}
		board := r.player.board(&m)
		part, err := rules.ParseMap(board.Setup)
		if err != nil || part.Seats() != 2 {
			t.Fatalf("the board of match %d has %d seats, %v", k, part.Seats(), err)
		}
		result, _, err := r.player.playOnce(t.Context(), &played{Match: m}, make([]string, 2), false)
		if err != nil {
			t.Fatal(err)
		}
		report := result.Report()
		for i, place := range m.Places {
			if !slices.Equal(part.Starts[i], whole.Starts[place]) {
				t.Errorf("match %d: seat %d starts at %v, want %v", k, i, part.Starts[i], whole.Starts[place])
			}
			if id := report.Seats[i].ID; id != engine.PlayerID(i) {
				t.Errorf("match %d: seat %d has id %d", k, i, id)
			}
		}
	}
	if len(choices) < 8 {
		t.Errorf("24 matches have %d choices of places, want 12", len(choices))
	}
}
