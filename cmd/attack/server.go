//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hexarena/hexarena/server/harness"
)

// server is a hexarena serve whose memory, disk and log are watched.
type server struct {
	*harness.Server
	group      *cgroup // nil: none could be created
	recordings string
	peak       atomic.Int64  // of the resident memory, in bytes
	disk       atomic.Int64  // peak size of the recordings, in bytes
	down       chan struct{} // closed when the log ends
	last       []byte        // line of the log; valid after down
	all        sync.WaitGroup
	stopSample context.CancelFunc
}

const (
	// quitTime is the time that the server may take to quit.
	quitTime = 5 * time.Second
	// sampleEvery is the interval between measurements of memory and disk.
	sampleEvery = 100 * time.Millisecond
)

// open starts a server for an attack, with the recording of one match. It ends when ctx
// is done or close is called.
func (o *options) open(ctx context.Context, a attack, dir string) (*server, error) {
	s := &server{recordings: filepath.Join(dir, "recordings"), down: make(chan struct{})}
	if err := o.recordStory(ctx, s.recordings); err != nil {
		return nil, err
	}
	flags, err := o.flags(ctx, a, dir)
	if err != nil {
		return nil, err
	}
	s.group, _ = newCgroup() // printConditions has reported the error
	words := o.confined(servedOn, s.group, o.program)
	if s.Server, err = harness.ServeBy(ctx, words, append(flags, "--http", "127.0.0.1:0", "--record", s.recordings)...); err != nil {
		s.group.remove()
		return nil, err
	}
	sampling, stop := context.WithCancel(ctx)
	s.stopSample = stop
	s.all.Go(s.readLog)
	s.all.Go(func() { s.sample(sampling) })
	return s, nil
}

// flags returns the settings of the server that is attacked.
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
	board, err := harness.NewMap(ctx, o.program, dir, a.seats())
	if err != nil {
		return nil, err
	}
	return append(flags, "--map", board), nil
}

// defaultSeats is the number of players of the default map.
const defaultSeats = 4

// page returns the host and port of the page.
func (s *server) page() string {
	return strings.TrimSuffix(strings.TrimPrefix(s.Page, "http://"), "/")
}

// readLog reads the log to its end.
func (s *server) readLog() {
	defer close(s.down)
	for line := range s.Lines() {
		s.last = append(s.last[:0], line...)
	}
}

// sample measures memory and disk until ctx is done.
func (s *server) sample(ctx context.Context) {
	for tick := time.NewTicker(sampleEvery); ; {
		s.peak.Store(max(s.peak.Load(), int64(harness.Peak(s.ID()))))
		s.disk.Store(max(s.disk.Load(), sizeOf(s.recordings)))
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return
		}
	}
}

// sizeOf returns the size of all files in a folder, in bytes.
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

// close makes the server quit. It returns a fault if the server ended earlier or was
// killed.
func (s *server) close() (fault string) {
	s.stopSample()
	early := false
	select {
	case <-s.down:
		early = true
	default:
		_ = s.Tell("quit")
	}
	kill := time.AfterFunc(quitTime, s.Interrupt)
	defer kill.Stop()
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
