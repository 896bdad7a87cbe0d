package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// Sizes of TestWorkersAreKilled, which are flags because 100 000 matches take half an hour.
var (
	leasedMatches = flag.Int("leased", 3000, "matches in TestWorkersAreKilled")
	leasedWorkers = flag.Int("leased-workers", 8, "workers in TestWorkersAreKilled")
	leasedTurns   = flag.Int("leased-turns", 60, "turns of a match in TestWorkersAreKilled")
	leasedKills   = flag.Int("leased-kills", 10, "kills in TestWorkersAreKilled")
)

// leasedCup is a cup that workers play.
type leasedCup struct {
	killedCup
	dir   string
	queue []string // the flags that name the queue: --workers or --nats
	// has a process run in the network of a node; nil: in that of the test
	inside  func(cmd *exec.Cmd, node int)
	servers string // what workers are started with

	running     sync.WaitGroup
	mu          sync.Mutex // guards the fields below
	coordinator *exec.Cmd
	workers     []*exec.Cmd
	ended       bool  // the coordinator, by itself
	failed      error // of a coordinator that did not play the cup to its end
	printed     bytes.Buffer

	rows rowCounter // which belongs to the test's goroutine
}

// The nodes of the coordinator and of the first worker.
const (
	coordinatorNode = 0
	firstWorker     = 1
)

// command returns a command that runs hexarena at a node.
func (c *leasedCup) command(node int, args ...string) *exec.Cmd {
	cmd := command(c.t, args...)
	if c.inside != nil {
		c.inside(cmd, node)
	}
	return cmd
}

// coordinate keeps the coordinator running until the cup is over.
func (c *leasedCup) coordinate(told chan<- string) {
	defer close(told)
	for {
		args := c.args(c.dir, c.queue...)
		jobs := slices.Index(args, "--jobs") // which is a worker's
		cmd := c.command(coordinatorNode, slices.Delete(args, jobs, jobs+2)...)
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
		c.ended, c.failed = !wasKilled(err), err
		c.mu.Unlock()
		if c.ended {
			for i := range c.workers { // one that did not hear that the cup is over waits for it to go on
				c.kill(func() *exec.Cmd { return c.workers[i] })
			}
			return
		}
	}
}

// wasKilled reports whether a process ended by a signal.
func wasKilled(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() < 0
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
		cmd := c.command(firstWorker+i, "worker", c.servers, "--jobs", "1")
		var out bytes.Buffer
		cmd.Stderr = &out
		c.mu.Lock()
		c.workers[i] = cmd
		ended, err := c.ended, cmd.Start()
		c.mu.Unlock()
		if err == nil && ended {
			_ = cmd.Process.Kill() // the coordinator was over before it could tell
		}
		if err == nil {
			err = cmd.Wait()
		}
		c.mu.Lock()
		ended = c.ended
		c.mu.Unlock()
		if ended || !wasKilled(err) {
			if err != nil && !ended {
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
		c.killWorker(i / 3)
	case 1:
		c.killCoordinator()
		if i == 1 {
			_ = os.RemoveAll(data) // while it is down, or just beginning again
		}
	case 2:
		if i == 2 {
			_ = os.RemoveAll(data) // under it
			return
		}
		c.killWorker(i/3 + 1)
	}
}

// killWorker kills a worker, which is started again.
func (c *leasedCup) killWorker(i int) {
	c.kill(func() *exec.Cmd { return c.workers[i%len(c.workers)] })
}

// killCoordinator kills the coordinator, which is started again.
func (c *leasedCup) killCoordinator() { c.kill(func() *exec.Cmd { return c.coordinator }) }

// start starts the coordinator and workers.
func (c *leasedCup) start(workers int) {
	c.t.Helper()
	told := make(chan string, 1)
	c.running.Go(func() { c.coordinate(told) })
	if c.servers = <-told; c.servers == "" {
		c.running.Wait()
		c.t.Fatalf("the cup names no address for workers:\n%s", c.printed.String())
	}
	c.workers = make([]*exec.Cmd, workers)
	for i := range c.workers {
		c.running.Go(func() { c.work(i) })
	}
}

// awaitRows waits until the log has this many rows, and reports whether the cup is not over before.
func (c *leasedCup) awaitRows(rows int) bool {
	for range time.Tick(20 * time.Millisecond) {
		c.mu.Lock()
		ended := c.ended
		c.mu.Unlock()
		if ended || c.rows.read() >= rows {
			return !ended
		}
	}
	panic("unreachable")
}

// rowCounter counts the rows of a log that grows, each of which it reads once.
type rowCounter struct {
	path string
	at   int64
	rows int
}

// read returns how many rows the log has, which need not exist.
func (r *rowCounter) read() int {
	f, err := os.Open(r.path)
	if err != nil {
		return r.rows
	}
	defer f.Close()
	text, _ := io.ReadAll(io.NewSectionReader(f, r.at, math.MaxInt64-r.at))
	end := bytes.LastIndexByte(text, '\n') + 1
	r.at += int64(end)
	r.rows += rowsOf(text[:end])
	return r.rows
}

// finish waits for the end of the cup, whose log must be this one.
func (c *leasedCup) finish(want []byte) {
	c.t.Helper()
	c.running.Wait()
	if c.failed != nil {
		c.t.Fatalf("the coordinator ended with %v:\n%s", c.failed, c.printed.String())
	}
	if got := c.log(c.dir); !bytes.Equal(got, want) {
		c.t.Errorf("with workers the log has %d rows, want %d, and is\n%.2000s\nwant\n%.2000s",
			rowsOf(got), rowsOf(want), got, want)
	}
}

// newLeasedCup returns a cup of matches of some turns that workers can play over a queue, and the
// log that it has when one process plays it.
func newLeasedCup(t *testing.T, matches, turns int, queue ...string) (c *leasedCup, log []byte) {
	t.Helper()
	c = &leasedCup{
		killedCup: killedCup{
			t: t, bots: []string{"random", "painter", "hunter"}, matches: matches, turns: turns,
		},
		dir: filepath.Join(t.TempDir(), "leased"), queue: queue,
	}
	c.rows.path = filepath.Join(c.dir, "log.ndjson")
	return c, c.killedCup.finish(filepath.Join(t.TempDir(), "single"), matches)
}

// A cup that workers play, while workers and the coordinator with its broker are killed, and the
// broker's data is deleted, has the log of a cup that one process plays.
func TestWorkersAreKilled(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	matches := *leasedMatches
	c, want := newLeasedCup(t, matches, *leasedTurns, "--workers", servertest.FreeAddress(t))
	began := time.Now()
	c.start(*leasedWorkers)
	for i := range *leasedKills {
		c.awaitRows(matches*(i+1)/(*leasedKills+2) + 1)
		c.disturb(i)
	}
	c.finish(want)
	t.Logf("%d matches, %d workers, %d harms in %v:\n%s", matches, *leasedWorkers, *leasedKills,
		time.Since(began).Round(time.Second), c.said())
}

// said returns what the coordinator has printed, without its progress.
func (c *leasedCup) said() string {
	var list []string
	for line := range strings.Lines(c.printed.String()) {
		if !strings.Contains(line, " a second") {
			list = append(list, line)
		}
	}
	return strings.Join(list, "")
}
