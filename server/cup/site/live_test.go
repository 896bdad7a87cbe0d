package site_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/rating"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/cup"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/cup/cuptest"
	"github.com/hexarena/hexarena/server/cup/site"
	"github.com/hexarena/hexarena/server/web"
)

// follower is the scoreboard of a cup whose log the test writes.
type follower struct {
	*site.Live
	t   *testing.T
	dir string
	log string // all of it
}

// follow returns the scoreboard of a cup of a plan without a row, and with the recordings of
// matches 12 and 13.
func follow(t *testing.T, p *plan.Plan, rows int) *follower {
	t.Helper()
	f := &follower{t: t, dir: filepath.Join(t.TempDir(), "one")}
	cuptest.Write(t, f.dir, p, plan.Whole, cuptest.Rows(p, rows))
	log, err := os.ReadFile(filepath.Join(f.dir, "log.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	f.log = string(log)
	f.write(0)
	c, err := archive.Open(f.dir)
	if err != nil {
		t.Fatal(err)
	}
	f.Live = site.OpenLive(t.Context(), c)
	return f
}

// write fills the log with that many rows and a part of one.
func (f *follower) write(rows int) {
	f.t.Helper()
	text := strings.Join(strings.SplitAfterN(f.log, "\n", rows+1)[:rows], "") + `{"k":`
	if err := os.WriteFile(filepath.Join(f.dir, "log.ndjson"), []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// see returns what is shown now.
func (f *follower) see() (*web.Document, *site.Scoreboard) {
	f.t.Helper()
	d, err := f.Scoreboard()
	if err != nil {
		f.t.Fatal(err)
	}
	board := new(site.Scoreboard)
	if err := json.Unmarshal(d.JSON(), board); err != nil {
		f.t.Fatal(err)
	}
	return d, board
}

// A scoreboard follows the cup, is computed at most once a second and only if there are new rows,
// and ends as the standings of the whole cup.
func TestLive(t *testing.T) {
	thorough.Long(t)
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	p.Count = 300
	synctest.Test(t, func(t *testing.T) {
		f := follow(t, p, 300)
		if _, board := f.see(); board.Standings.Matches != 0 || board.Expected != 300 || board.Over ||
			board.Name != "one" {
			t.Errorf("before the first match it is %+v", board)
		}
		f.write(30)
		if _, board := f.see(); board.Standings.Matches != 0 {
			t.Errorf("after no time it has %d matches", board.Standings.Matches)
		}
		for second := 1; second <= 5; second++ {
			time.Sleep(time.Second)
			f.write(30 * second)
			if _, board := f.see(); board.Standings.Matches != 30*second || board.Rate != 30 || board.Over {
				t.Errorf("after %d s it has %d matches, %v a second", second, board.Standings.Matches,
					board.Rate)
			}
		}
		time.Sleep(time.Second)
		final, _ := f.see() // with as many samples as later
		time.Sleep(time.Minute)
		if again, board := f.see(); again != final || board.Standings.Matches != 150 {
			t.Error("an unchanged cup is computed again")
		}
		f.write(300)
		time.Sleep(time.Second)
		f.see()
		time.Sleep(time.Second)
		_, board := f.see()
		if !board.Over || board.Rate != 0 {
			t.Errorf("a cup that is over is %+v", board)
		}
		whole := wholeTable(t, f.dir)
		text, err := json.Marshal(board.Standings)
		if err != nil || string(text) != whole {
			t.Errorf("the last standings are %s, %v, want %s", text, err, whole)
		}
	})
}

// The first that a page shows of a cup has the intervals that everything else has, and so has the
// first after its last row.
func TestFirstAndLast(t *testing.T) {
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	p.Count = 60
	synctest.Test(t, func(t *testing.T) {
		f := follow(t, p, 60)
		for _, rows := range []int{30, 60} {
			f.write(rows)
			_, board := f.see()
			text, err := json.Marshal(board.Standings)
			if want := wholeTable(t, f.dir); err != nil || string(text) != want {
				t.Errorf("after %d rows it shows %s, %v, want %s", rows, text, err, want)
			}
			time.Sleep(time.Second)
		}
	})
}

// wholeTable returns the standings as cup show prints them.
func wholeTable(t *testing.T, dir string) string {
	t.Helper()
	c, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := c.Standings(func(*results.Row) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(sums.Table(rating.TableResamples))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Matches whose recordings were kept are listed by their bots, the last one first, and errors link
// to theirs.
func TestMatches(t *testing.T) {
	p := cuptest.Plan(plan.RoundRobin, 4, 3)
	rows := cuptest.Rows(p, 30)
	for _, row := range rows {
		for seat := range row.Forfeits {
			row.Forfeits[seat] = ""
		}
	}
	rows[13].Forfeits[0] = "crash"
	p.Count = len(rows)
	dir, merged := t.TempDir(), filepath.Join(t.TempDir(), "merged")
	cuptest.Write(t, dir, p, plan.Whole, rows)
	if _, err := cup.Merge(t.Context(), []string{dir}, merged, nil); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{
		"from all rows": dir, "from a checkpoint after them": merged,
	} {
		t.Run(name, func(t *testing.T) { testMatches(t, dir, rows) })
	}
}

func testMatches(t *testing.T, dir string, rows []*results.Row) {
	c, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &follower{Live: site.OpenLive(t.Context(), c), t: t}
	if _, board := f.see(); board.Recorded != 2 || board.Replays[13] != "/?recording=13.hexarena" ||
		board.Standings.Errors[0].Turns != 100 {
		t.Errorf("the scoreboard is %+v", board)
	}
	bots := rows[12].Bots
	for _, tt := range []struct {
		bot, against string
		want         int
	}{{bots[0], bots[1], 2}, {bots[2], bots[0], 2}, {bots[0], "another", 0}, {"", "", 0}} {
		text, err := f.Matches(tt.bot, tt.against)
		var list []site.Match
		if err != nil || json.Unmarshal(text, &list) != nil || len(list) != tt.want ||
			len(list) > 1 && list[0].K != 13 {
			t.Errorf("%s against %s: %s, %v, want %d matches", tt.bot, tt.against, text, err, tt.want)
		}
	}
}

// A log that cannot be read is an error, and is read again once it can be.
func TestDamaged(t *testing.T) {
	f := follow(t, cuptest.Plan(plan.Comparison, 2, 4), 8)
	path := filepath.Join(f.dir, "log.ndjson")
	if err := os.WriteFile(path, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Scoreboard(); err == nil || !strings.Contains(err.Error(), "log.ndjson") {
		t.Errorf("the error is %v", err)
	}
	f.write(8)
	if _, board := f.see(); board.Standings.Matches != 8 || board.Expected == 0 ||
		board.Standings.Test.Left == nil {
		t.Errorf("then it is %+v", board)
	}
	f.Finish()
	if _, board := f.see(); !board.Over {
		t.Error("a finished cup is not over")
	}
}

// The end of the program ends the reading of a long log.
func TestEnd(t *testing.T) {
	f := follow(t, cuptest.Plan(plan.RoundRobin, 4, 3), 9)
	f.write(9)
	c, err := archive.Open(f.dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := site.OpenLive(ctx, c).Scoreboard(); err == nil {
		t.Error("it reads on")
	}
}
