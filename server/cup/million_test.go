package cup

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup/archive"
)

// million is a flag, because a million rows take longer than continuous integration is to take.
var million = flag.Int("rows", thorough.Size(12_000, 200_000), "matches of TestMillion")

// maxHeap is what a cup may need however many matches it has.
const maxHeap = 100 << 20

// A cup of a million matches, whose results are drawn, needs little memory, and its folder is read
// from the last checkpoint on. The command make cups logs the time that it takes to go on and to
// show it.
func TestMillion(t *testing.T) {
	thorough.Full(t)
	rows := *million
	for _, bots := range []int{4, 40} {
		t.Run(fmt.Sprint(bots, " bots"), func(t *testing.T) {
			names := make([]string, bots)
			for i := range names {
				names[i] = "idle"
			}
			c := contest(t, plan.RoundRobin, rows, 4, names, "crossroads")
			dir := t.TempDir()
			f, err := OpenFolder(dir, c, nil)
			if err != nil {
				t.Fatal(err)
			}
			r := newRunner(c, f, Options{})
			if err := r.resume(); err != nil {
				t.Fatal(err)
			}
			if r.journal, err = f.openJournal(r.ends); err != nil {
				t.Fatal(err)
			}
			r.keeper = new(keeper)
			before, most, rng := heap(), int64(0), rand.New(rand.NewPCG(1, 2))
			for k := range rows {
				m, _ := r.ledger.match(k)
				r.waiting[k] = &played{Match: m, unstarted: make([]bool, 4), entry: drawn(c.Plan, m, rng)}
				if err := r.write(t.Context()); err != nil {
					t.Fatal(err)
				}
				if k%(rows/20) == 0 {
					most = max(most, heap()-before)
				}
			}
			if err := r.journal.close(); err != nil {
				t.Fatal(err)
			}
			f.Close()
			if most > maxHeap {
				t.Errorf("the cup needs %d MiB", most>>20)
			}
			log, _ := os.Stat(filepath.Join(dir, logFile))
			checkpoint, _ := os.Stat(filepath.Join(dir, archive.CheckpointFile))
			t.Logf("%d matches, %d MiB of log, %d KiB of checkpoint, at most %d MiB of heap", rows,
				log.Size()>>20, checkpoint.Size()>>10, most>>20)
			r = nil
			began, fresh := time.Now(), 0
			if err := run(t.Context(), t, c, dir, Options{Played: func(*results.Row, bool) { fresh++ }}); err != nil {
				t.Fatal(err)
			}
			t.Logf("going on takes %v, with %d rows that are read",
				time.Since(began).Round(time.Millisecond), fresh)
			began = time.Now()
			table, fresh := tableOf(t, dir, true)
			t.Logf("reading it to show it takes %v, with a table of 50 samples",
				time.Since(began).Round(time.Millisecond))
			if fresh >= checkpointRows || table.Matches != rows {
				t.Errorf("%d rows are read, and the table has %d matches, want %d", fresh, table.Matches, rows)
			}
		})
	}
}

// heap returns the bytes that are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// drawn returns the entry of a match whose result is drawn, in which a bot fails now and then.
func drawn(p *plan.Plan, m plan.Match, rng *rand.Rand) entry {
	row := &results.Row{
		K: m.K, Seed: m.Seed, Map: p.Maps[m.Map].Name, Refused: make([]int, len(m.Bots)),
		Digest: results.Digest(rng.Uint64()),
	}
	var times []seatTimes
	for seat, bot := range m.Bots {
		row.Bots = append(row.Bots, p.Bots[bot].Name)
		row.Scores = append(row.Scores, rng.Int64N(60)+int64(bot))
		kind, printed := "", []string(nil)
		if rng.IntN(10_000) == 0 {
			kind, printed = results.Crash, []string{
				"Traceback (most recent call last):", fmt.Sprint("KeyError: ", rng.IntN(100)),
			}
		}
		row.Forfeits = append(row.Forfeits, kind)
		times = append(times,
			seatTimes{K: m.K, Seat: seat + 1, Bot: row.Bots[seat], Host: "host", Printed: printed})
	}
	row.Rank()
	return entry{row: row, times: times}
}
