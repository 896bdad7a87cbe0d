package cup

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"go.uber.org/goleak"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/contest/results"
	"github.com/hexarena/hexarena/server/games/hexabomb"
	"github.com/hexarena/hexarena/server/launch"
)

// botWord makes the test binary a bot, which plays as the built-in one that the next word names.
// The environment has how it plays match after match, and a file for a line from each process.
const (
	botWord = "cup-test-bot"
	manner  = "CUP_TEST_BOT"
	notes   = "CUP_TEST_NOTES"
)

// The manners of a bot.
const (
	once    = "once"    // it plays one match
	stays   = "stays"   // it stays between matches
	deserts = "deserts" // it asks to stay, and ends after each match
	stale   = "stale"   // it stays, and fails at the first turn of its second match
	fails   = "fails"   // it stays, and fails in the middle of its third match
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == botWord {
		if err := startedBot(os.Args[2], os.Getenv(manner)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	thorough.Overlap()
	goleak.VerifyTestMain(m)
}

// startedBot plays as a bot that was started.
func startedBot(name, how string) error {
	if file := os.Getenv(notes); file != "" {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		fmt.Fprintln(f, name, launch.Cores())
		_ = f.Close()
	}
	ctx := context.Background()
	login := netorcai.Login{
		Nickname: os.Getenv("BOT_NICKNAME"), Role: netorcai.RolePlayer, Stay: how != once,
	}
	c, err := netorcai.Dial(ctx, net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT")), login)
	if err != nil {
		return err
	}
	defer c.Close()
	if how == once {
		var seed uint64
		if _, err := fmt.Sscan(os.Getenv("BOT_SEED"), &seed); err != nil {
			return err
		}
		bot, err := hexabomb.Game().NewBuiltin(name, seed)
		if err != nil {
			return err
		}
		return c.Play(ctx, bot)
	}
	matches := 0
	return c.PlayAll(ctx, func(starts netorcai.GameStarts) (netorcai.Bot, error) {
		matches++
		bot, err := hexabomb.Game().NewBuiltin(name, starts.Seed)
		switch {
		case how == deserts && matches == 2:
			os.Exit(0)
		case how == stale && matches == 2:
			return &failing{bot, 0}, err
		case how == fails && matches == 3:
			return &failing{bot, 4}, err
		}
		return bot, err
	})
}

// startedContest returns a contest of bots in processes of their own, which play in a manner.
func startedContest(
	t testing.TB, how string, count, seats int, names ...string,
) (c *Contest, started func() int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "notes")
	var bots []string
	for _, name := range names {
		bots = append(bots, os.Args[0]+" "+botWord+" "+name)
	}
	c = contest(t, plan.RoundRobin, count, seats, bots,
		map[int]string{2: "pebble", 4: "crossroads"}[seats])
	// else each ends a second later with the race detector
	c.Env = []string{manner + "=" + how, notes + "=" + file, "GORACE=atexit_sleep_ms=0"}
	return c, func() int {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(text, []byte("\n"))
	}
}

// The log is the same whether bots are started for each match, stay, or ask to stay and cannot, and
// however many matches are played at once.
func TestTheLogDoesNotDependOnStaying(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	var want []byte
	for _, how := range []string{once, stays, deserts, stale} {
		for _, jobs := range []int{1, 3} {
			c, started := startedContest(t, how, 6, 2, "random", "random", "painter")
			got := playAll(t, c, t.TempDir(), jobs)
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("of bots that play %s, %d matches at once, the log is\n%s\nwant\n%s", how, jobs, got,
					want)
			}
			if n := started(); how == once && n != 12 || how == stays && n > 3*jobs || n > 12+2*3*jobs {
				t.Errorf("bots that play %s, %d matches at once, were started %d times", how, jobs, n)
			}
		}
	}
	for _, row := range rowsOf(t, want) {
		for i, kind := range row.Forfeits {
			if kind != "" {
				t.Errorf("match %d: %s forfeits (%s)", row.K, row.Bots[i], kind)
			}
		}
	}
}

// A bot that has stayed and fails in the middle of a match forfeits that one only.
func TestStayingBotFails(t *testing.T) {
	thorough.Long(t)
	c, _ := startedContest(t, fails, 6, 2, "random", "painter")
	failed := 0
	for _, row := range rowsOf(t, playAll(t, c, t.TempDir(), 1)) {
		want := ""
		if row.K%3 == 2 {
			want = results.Crash
		}
		for i, kind := range row.Forfeits {
			if kind != "" {
				failed++
			}
			if kind != want {
				t.Errorf("match %d: %s forfeits (%s), want (%s)", row.K, row.Bots[i], kind, want)
			}
		}
	}
	if failed != 4 {
		t.Errorf("%d forfeits, want one for each bot in every third match", failed)
	}
}

// Bots stay connected over many matches, sixteen at once, on one port. Memory does not grow, and
// nothing is left at the end.
func TestManyMatchesOfStayingBots(t *testing.T) {
	thorough.Full(t)
	const jobs = 16
	c, started := startedContest(t, stays, 1000, 4, "random", "random", "random", "random", "random",
		"random")
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	var early uint64
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	err := run(t.Context(), t, c, t.TempDir(), Options{Jobs: jobs, Played: func(row *results.Row, _ bool) {
		switch row.K {
		case c.Plan.Count / 2:
			early = heap()
		case c.Plan.Count - 1:
			if late := heap(); late > early+1<<20 {
				t.Errorf("%d bytes after half of the matches, %d at the end", early, late)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if n := started(); n > 4*c.Plan.Count/3 {
		t.Errorf("%d bots were started for %d matches of 4: they do not stay", n, c.Plan.Count)
	}
}
