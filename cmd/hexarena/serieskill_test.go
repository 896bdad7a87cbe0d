package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/recording"
)

// seriesTurns is the number of turns of the matches of a series that is killed.
const seriesTurns = 40

// TestSeriesKilled repeatedly kills a server during a series of matches and restarts it
// on the same folder. The recordings of finished matches are complete, and that of the
// last match has all turns except the one being played. The restarted server shows them
// all.
func TestSeriesKilled(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	const kills = 5
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(uint64(kills), 2))
	known := map[string]bool{}
	turns := 0
	for range kills {
		var page string
		p := startServer(t, func(port string) *exec.Cmd {
			page = "127.0.0.1:" + strconv.Itoa(freePort(t))
			return command(t, "serve", "--bind=127.0.0.1", "--port="+port, "--http="+page, "--record="+dir, "--matches=endless",
				"--nb-players-max=1", "--nb-visus-max=0", "--nb-turns-max="+strconv.Itoa(
					seriesTurns), "--autostart", "--fast")
		})
		shown := string(received(t, "http://"+page+"/api/recordings"))
		if n := strings.Count(shown, recording.Extension); n != len(known) {
			t.Errorf("after a kill, %d recordings are shown of %d", n, len(known))
		}
		time.AfterFunc(time.Duration(rnd.IntN(400))*time.Millisecond, func() { _ = p.Process.Kill() })
		matches, seen := playUntilKilled(t, p.addr)
		_ = p.Wait()
		turns += checkSeries(t, dir, known, matches, seen)
	}
	t.Logf("%d kills, %d recordings, %d turns", kills, len(known), turns)
}

// playUntilKilled plays one match after another. It returns the number of matches, and of
// the turns seen of the last one.
func playUntilKilled(t *testing.T, addr string) (matches, seen int) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for {
		c, err := netorcai.Dial(ctx, addr, netorcai.Login{Nickname: "witness", Role: netorcai.RolePlayer})
		if err != nil {
			break
		}
		matches, seen = matches+1, 0
		_, err = c.Start(ctx)
		for err == nil {
			turn, ends, failed := c.Next(ctx)
			if ends != nil {
				seen = seriesTurns
				break
			}
			if err = failed; err == nil {
				seen = turn.Number + 1
				err = c.Answer(ctx, turn.Number, nil)
			}
		}
		_ = c.Close()
	}
	if ctx.Err() != nil {
		t.Fatal("the server was not killed")
	}
	return matches, seen
}

// checkSeries checks the recordings that are not in known, adds them, and returns the
// number of their turns.
func checkSeries(t *testing.T, dir string, known map[string]bool, matches, seen int) (turns int) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	whole, cut := 0, 0
	for _, path := range paths {
		if known[path] {
			continue
		}
		known[path] = true
		r, err := recording.Open(path)
		// killed before the first record: it is not shown
		if errors.Is(err, recording.ErrEmpty) && seen == 0 {
			cut++
			delete(known, path)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		v, err := recording.Verify(t.Context(), r, gameList.Replay, nil)
		_ = r.Close()
		switch {
		case err != nil:
			t.Errorf("%s: %v", path, err)
		case !v.Cut && v.Turns == seriesTurns:
			whole++
		case v.Turns >= seen-1:
			cut++
		default:
			t.Errorf("%s: %+v; the last match had %d turns", path, v, seen)
		}
		turns += v.Turns
	}
	if whole < matches-1 || cut > 1 || whole+cut > matches || seen > 0 && whole+cut < matches {
		t.Errorf("%d whole recordings and %d cut ones of %d matches, whose last had %d turns", whole, cut,
			matches, seen)
	}
	return turns
}
