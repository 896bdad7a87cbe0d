package main

import (
	"bytes"
	"errors"
	"flag"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// Sizes of TestWorkersAreKilled, which are flags because 100 000 matches take half an hour.
var (
	leasedMatches = flag.Int("leased", thorough.Size(240, 3000), "matches in TestWorkersAreKilled")
	leasedWorkers = flag.Int("leased-workers", thorough.Size(2, 8), "workers in TestWorkersAreKilled")
	leasedTurns   = flag.Int("leased-turns", 60, "turns of a match in TestWorkersAreKilled")
	leasedKills   = flag.Int("leased-kills", thorough.Size(3, 10), "kills in TestWorkersAreKilled")
)

// leasedCup is a cup that workers play.
type leasedCup struct {
	killedCup
	dir     string
	address string // of the broker
	servers string // what workers are started with

	running     sync.WaitGroup
	mu          sync.Mutex // guards the fields below
	coordinator *exec.Cmd
	workers     []*exec.Cmd
	over        bool
	printed     bytes.Buffer
}

// freeAddress returns an address of this machine that no process listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// coordinate keeps the coordinator running until the cup is over.
func (c *leasedCup) coordinate(told chan<- string) {
	defer close(told)
	for {
		cmd := command(c.t, slices.DeleteFunc(c.args(c.dir, "--workers", c.address), func(word string) bool { return word == "--jobs" || word == "3" })...)
		out := &addressReader{told: told}
		cmd.Stderr = out
		c.mu.Lock()
		c.coordinator = cmd
		err := cmd.Start()
		c.mu.Unlock()
		if err == nil {
			err = cmd.Wait()
		}
		c.mu.Lock()
		c.printed.WriteString(out.text.String())
		c.over = err == nil
		c.mu.Unlock()
		if exit := (*exec.ExitError)(nil); err == nil || !errors.As(err, &exit) || exit.ExitCode() >= 0 {
			for i := range c.workers { // one that did not hear that the cup is over waits for it to go on
				c.kill(func() *exec.Cmd { return c.workers[i] })
			}
			return // it is over, or failed by itself
		}
	}
}

// addressReader finds the address of workers in what a coordinator prints.
type addressReader struct {
	text strings.Builder
	told chan<- string
}

func (r *addressReader) Write(p []byte) (int, error) {
	r.text.Write(p)
	if _, after, ok := strings.Cut(r.text.String(), "hexarena worker "); ok && r.told != nil {
		if line, _, whole := strings.Cut(after, "\n"); whole {
			select {
			case r.told <- strings.Trim(line, "'"):
			default: // an earlier coordinator has told
			}
			r.told = nil
		}
	}
	return len(p), nil
}

// work keeps worker i running until it ends by itself: the cup is over.
func (c *leasedCup) work(i int) {
	for {
		cmd := command(c.t, "worker", c.servers, "--jobs", "1")
		var out bytes.Buffer
		cmd.Stderr = &out
		c.mu.Lock()
		c.workers[i] = cmd
		over, err := c.over, cmd.Start()
		c.mu.Unlock()
		if err == nil && over {
			_ = cmd.Process.Kill() // the coordinator was over before it could tell
		}
		if err == nil {
			err = cmd.Wait()
		}
		c.mu.Lock()
		over = c.over
		c.mu.Unlock()
		if exit := (*exec.ExitError)(nil); err == nil || over || !errors.As(err, &exit) || exit.ExitCode() >= 0 {
			if err != nil && !over {
				c.t.Errorf("worker %d ended with %v:\n%s", i, err, out.String())
			}
			return
		}
	}
}

// kill kills the coordinator or a worker.
func (c *leasedCup) kill(cmd func() *exec.Cmd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one := cmd(); one != nil && one.Process != nil {
		_ = one.Process.Kill() // it may be over
	}
}

// disturb does harm number i.
func (c *leasedCup) disturb(i int) {
	data := filepath.Join(c.dir, "workers", "broker")
	switch i % 3 {
	case 0:
		c.kill(func() *exec.Cmd { return c.workers[i/3%len(c.workers)] })
	case 1:
		c.kill(func() *exec.Cmd { return c.coordinator })
		if i == 1 {
			_ = os.RemoveAll(data) // while it is down, or just beginning again
		}
	case 2:
		if i == 2 {
			_ = os.RemoveAll(data) // under it
			return
		}
		c.kill(func() *exec.Cmd { return c.workers[(i/3+1)%len(c.workers)] })
	}
}

// A cup that workers play, while workers and the coordinator with its broker are killed, and the broker's data is deleted,
// has the log of a cup that one process plays.
func TestWorkersAreKilled(t *testing.T) {
	t.Parallel()
	matches := *leasedMatches
	c := &leasedCup{killedCup: killedCup{t: t, bots: []string{"random", "painter", "hunter"}, matches: matches, turns: *leasedTurns}, dir: filepath.Join(t.TempDir(), "leased"), address: freeAddress(t)}
	single := filepath.Join(t.TempDir(), "single")
	args := c.args(single)
	if out, err := command(t, args...).CombinedOutput(); err != nil {
		t.Fatalf("the cup ended with %v\n%s", err, out)
	}
	want := c.log(single)
	began := time.Now()
	told := make(chan string, 1)
	c.running.Go(func() { c.coordinate(told) })
	if c.servers = <-told; c.servers == "" {
		c.running.Wait()
		t.Fatalf("the cup names no address for workers:\n%s", c.printed.String())
	}
	c.workers = make([]*exec.Cmd, *leasedWorkers)
	for i := range c.workers {
		c.running.Go(func() { c.work(i) })
	}
	for i := range *leasedKills {
		for range time.Tick(20 * time.Millisecond) {
			c.mu.Lock()
			over := c.over
			c.mu.Unlock()
			if rowsOf(c.log(c.dir)) > matches*(i+1)/(*leasedKills+2) || over {
				break
			}
		}
		c.disturb(i)
	}
	c.running.Wait()
	if !c.over {
		t.Fatalf("the cup did not end:\n%s", c.printed.String())
	}
	if got := c.log(c.dir); !bytes.Equal(got, want) {
		t.Errorf("with workers the log has %d rows, want %d, and is\n%.2000s\nwant\n%.2000s", rowsOf(got), rowsOf(want), got, want)
	}
	t.Logf("%d matches, %d workers, %d harms in %v:\n%s", matches, *leasedWorkers, *leasedKills, time.Since(began).Round(time.Second), lastLines(c.printed.String(), 12))
}

// lastLines returns the last lines of a text.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
