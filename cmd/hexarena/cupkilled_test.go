package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/plan"
	"github.com/hexarena/hexarena/server/cup/archive"
)

// killedCup is a cup that is killed while it is played.
type killedCup struct {
	t       *testing.T
	bots    []string
	matches int
	turns   int
}

// args returns the command line that plays the cup in a folder.
func (c *killedCup) args(dir string, more ...string) []string {
	args := append([]string{"cup"}, c.bots...)
	return append(append(
		args, "--maps", "clover,pebble", "--seats", "2", "--turns", strconv.Itoa(c.turns), "--seed", "5",
		"--jobs", "3",
		// so that a busy machine makes no bot miss a turn
		"--turn-timeout", "5m", "--start-timeout", "10m",
		"--count", strconv.Itoa(c.matches), "--out", dir,
	), more...)
}

// rowsOf returns how many rows a log has.
func rowsOf(log []byte) int { return bytes.Count(log, []byte("\n")) }

// log returns the log of a folder, which need not exist.
func (c *killedCup) log(dir string) []byte {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "log.ndjson"))
	if err != nil && !os.IsNotExist(err) {
		c.t.Fatal(err)
	}
	return text
}

// finish plays the cup to its end and returns its log, which must have this many rows.
func (c *killedCup) finish(dir string, want int, more ...string) []byte {
	c.t.Helper()
	if out, err := command(c.t, c.args(dir, more...)...).CombinedOutput(); err != nil {
		c.t.Fatalf("the cup ended with %v\n%s", err, out)
	}
	log := c.log(dir)
	if rowsOf(log) != want {
		c.t.Fatalf("the log has %d rows, want %d", rowsOf(log), want)
	}
	return log
}

// kill plays the cup, kills it this many times at equal distances of its rows, and plays it to its
// end.
func (c *killedCup) kill(dir string, kills, matches int, more ...string) []byte {
	c.t.Helper()
	interrupted, before := 0, []byte(nil)
	for kill := range kills {
		cmd := command(c.t, c.args(dir, more...)...)
		if err := cmd.Start(); err != nil {
			c.t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for range time.Tick(10 * time.Millisecond) { // in which few matches end; each look reads the log
			if rowsOf(c.log(dir)) > matches*kill/kills || len(ended) > 0 {
				break
			}
		}
		_ = cmd.Process.Kill() // it may be over, on a slow machine
		<-ended
		log := c.log(dir)
		if !bytes.HasPrefix(log, before[:bytes.LastIndexByte(before, '\n')+1]) {
			c.t.Fatalf("after kill %d the log lacks what it had before:\n%s", kill+1, log)
		}
		before = log
		if rowsOf(log) < matches {
			interrupted++
		}
	}
	if interrupted < kills/2 {
		c.t.Errorf("%d of %d kills came before the end of the cup", interrupted, kills)
	}
	return c.finish(dir, matches, more...)
}

// killedMatches is a flag, because 2 000 matches of started bots take minutes.
var killedMatches = flag.Int("killed", 300, "matches of a bot in Python in TestCupKilled")

// A cup that is killed again and again, and goes on each time by the same command, has the same log
// as one that is not disturbed; so have three shards together that were killed as well. Bots are
// those of the program, and the starter in Python, which is started for each match and as another
// bot stays.
func TestCupKilled(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	const every = 100 // matches to a kill
	for _, tt := range []struct {
		name    string
		matches int
		bots    func(t *testing.T) []string
	}{
		{"built-in bots", 2000, func(*testing.T) []string {
			return []string{
				"random", "painter", "hunter", "random",
			}
		}},
		{"a bot in Python", *killedMatches, starters},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kills := max(1, tt.matches/every)
			c := &killedCup{t: t, bots: tt.bots(t), matches: tt.matches, turns: 12}
			dir := t.TempDir()
			whole := filepath.Join(dir, "whole")
			want := c.finish(whole, c.matches)
			if got := c.kill(filepath.Join(dir, "killed"), kills, c.matches); !bytes.Equal(got, want) {
				t.Errorf("a cup that was killed has another log:\n%s\nwant\n%s", got, want)
			}
			cup, err := archive.Open(whole)
			if err != nil {
				t.Fatal(err)
			}
			merge := []string{"cup", "merge", "--out", filepath.Join(dir, "merged")}
			for i := range 3 {
				s := plan.Shard{Number: i + 1, Of: 3}
				part := filepath.Join(dir, fmt.Sprint("shard", i))
				c.kill(part, max(1, kills/4), s.Matches(c.matches, cup.Plan.Stretch()), "--shard", s.String())
				merge = append(merge, part)
			}
			if out, err := command(t, merge...).CombinedOutput(); err != nil {
				t.Fatalf("the shards are merged with %v\n%s", err, out)
			}
			if got := c.log(filepath.Join(dir, "merged")); !bytes.Equal(got, want) {
				t.Errorf("the shards have another log:\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// starters returns a built-in bot and the starter in Python in two ways.
func starters(t *testing.T) []string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		thorough.Lack(t, "no Python to run the starter")
	}
	file := starterIn(t, t.TempDir(), "starter.py")
	// a file alone is started after a search for Python, which takes long on a busy machine
	line := fmt.Sprintf("%s '%s'", python, file)
	return []string{"painter", line, line + " --stay"}
}
