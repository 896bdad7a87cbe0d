//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/server/proc"
)

// server is a hexarena serve that is watched.
type server struct {
	*proc.Server
	group      *cgroup // nil: none could be made
	recordings string
	peak       atomic.Int64 // bytes that were resident
	disk       atomic.Int64 // bytes of the recordings, the most there were
	down       chan struct{}
	last       []byte // line of the log; valid when it is down
	all        sync.WaitGroup
	enough     context.CancelFunc // ends the watch
}

const (
	// endTime is how long a server may take to quit.
	endTime = 5 * time.Second
	// sampleEvery is how often memory and disk are looked at.
	sampleEvery = 100 * time.Millisecond
)

// open starts a server for an attack, with the recording of one match. It ends with
// ctx, or when close is called.
func (o *options) open(ctx context.Context, a attack, dir string) (*server, error) {
	s := &server{recordings: filepath.Join(dir, "recordings"), down: make(chan struct{})}
	if err := o.story(ctx, s.recordings); err != nil {
		return nil, err
	}
	flags, err := o.flags(ctx, a, dir)
	if err != nil {
		return nil, err
	}
	s.group, _ = newCgroup() // surroundings has told why there is none
	words := o.confined(servedOn, s.group, o.program)
	if s.Server, err = proc.ServeBy(ctx, words, append(flags, "--http", "127.0.0.1:0", "--record", s.recordings)...); err != nil {
		s.group.remove()
		return nil, err
	}
	watched, enough := context.WithCancel(ctx)
	s.enough = enough
	s.all.Go(s.listen)
	s.all.Go(func() { s.sample(watched) })
	return s, nil
}

// flags are the settings of the server that is attacked.
func (o *options) flags(ctx context.Context, a attack, dir string) ([]string, error) {
	flags := []string{"--nb-players-max", strconv.Itoa(a.seats()), "--nb-visus-max", "0", "--autostart", "--matches", "endless"}
	if a.pace > 0 {
		pace := strconv.FormatInt(a.pace.Milliseconds(), 10)
		flags = append(flags, "--delay-turns", pace, "--delay-first-turn", pace)
	} else {
		flags = append(flags, "--fast", "--turn-timeout", "2s")
	}
	if a.turns > 0 {
		flags = append(flags, "--nb-turns-max", strconv.Itoa(a.turns))
	}
	if a.keep != "" {
		flags = append(flags, "--keep-recordings", a.keep)
	}
	if a.seats() <= defaultSeats {
		return flags, nil
	}
	board := filepath.Join(dir, "board.json")
	text, err := exec.CommandContext(ctx, o.program, "maps", "new", "--players", strconv.Itoa(a.seats()), "--characters", "1", "-o", board).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("hexarena maps new: %w: %s", err, text)
	}
	return append(flags, "--map", board), nil
}

// defaultSeats is how many players the default map has room for.
const defaultSeats = 4

// page is the host and port of the page.
func (s *server) page() string {
	return strings.TrimSuffix(strings.TrimPrefix(s.Page, "http://"), "/")
}

// listen reads the log to its end.
func (s *server) listen() {
	defer close(s.down)
	for line := range s.Lines() {
		s.last = append(s.last[:0], line...)
	}
}

// sample looks at memory and disk until ctx ends.
func (s *server) sample(ctx context.Context) {
	for tick := time.NewTicker(sampleEvery); ; {
		s.peak.Store(max(s.peak.Load(), int64(proc.Peak(s.ID()))))
		s.disk.Store(max(s.disk.Load(), sizeOf(s.recordings)))
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return
		}
	}
}

// sizeOf is how many bytes the files of a folder have.
func sizeOf(dir string) (sum int64) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil || !errors.Is(err, fs.ErrNotExist) && info != nil {
			sum += info.Size()
		}
	}
	return sum
}

// close has the server quit. It returns how the server ended, if that was before it
// was told to, or did not go well.
func (s *server) close() (fault string) {
	s.enough()
	early := false
	select {
	case <-s.down:
		early = true
	default:
		_ = s.Tell("quit")
	}
	hard := time.AfterFunc(endTime, s.Interrupt)
	defer hard.Stop()
	s.all.Wait()
	err := s.Wait()
	killed := s.group.killed()
	s.group.remove()
	switch {
	case killed:
		return fmt.Sprintf("the server was killed at %d MiB", memoryLimit>>20)
	case early:
		return fmt.Sprintf("the server ended (%v): %s", err, s.last)
	}
	return ""
}
