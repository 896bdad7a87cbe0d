//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/tools/harness"
)

// server is a hexarena serve whose memory and disk are measured.
type server struct {
	*harness.Server
	group      cgroup
	story      string // path of a recording
	peak, disk int64  // of the resident memory and of the size of the recordings, in bytes
}

// measure measures memory and disk.
func (s *server) measure() {
	s.peak = max(s.peak, int64(harness.Peak(s.ID())))
	s.disk = max(s.disk, sizeOf(filepath.Dir(s.story)))
}

// open starts a server for an attack, with the recording of one match. It ends when ctx
// is done or close is called.
func (o *options) open(ctx context.Context, a attack, dir string) (*server, error) {
	recordings := filepath.Join(dir, "recordings")
	story, err := o.recordStory(ctx, recordings)
	if err != nil {
		return nil, err
	}
	flags, err := o.flags(ctx, a, dir)
	if err != nil {
		return nil, err
	}
	flags = append(flags, "--http", "127.0.0.1:0", "--record", recordings)
	s := &server{story: story}
	s.group, _ = newCgroup() // printConditions has reported the error
	err = o.startOn(servedOn, func() error {
		s.Server, err = harness.ServeBy(ctx, append(s.group.inside(), o.Hexarena), flags...)
		return err
	})
	if err != nil {
		s.group.remove()
		return nil, err
	}
	return s, nil
}

// storyTurns is the number of turns of the recording that is requested.
const storyTurns = "1500"

// recordStory records a match in a folder and returns the path of the recording, which no
// match of a server has.
func (o *options) recordStory(ctx context.Context, dir string) (string, error) {
	file, err := harness.Record(ctx, o.Hexarena, dir, "--turns", storyTurns)
	if err != nil {
		return "", err
	}
	story := strings.TrimSuffix(file, recording.Extension) + "-story" + recording.Extension
	return story, os.Rename(file, story)
}

// turnTimeout is that of deploy/compose.yaml.
const turnTimeout = 2 * time.Second

// defaultSeats is the number of players of the default map.
const defaultSeats = 4

// flags returns the settings of the server that is attacked.
func (o *options) flags(ctx context.Context, a attack, dir string) ([]string, error) {
	flags := []string{
		"--players", strconv.Itoa(a.seats()), "--visualizations", "0", "--autostart", "--matches",
		"endless",
	}
	if a.pace > 0 {
		pace := strconv.FormatInt(a.pace.Milliseconds(), 10)
		flags = slices.Concat(flags, longMatch,
			[]string{"--delay-turns", pace, "--delay-first-turn", pace})
	} else {
		flags = append(flags, "--fast", "--turn-timeout", turnTimeout.String())
	}
	flags = append(flags, a.flags...)
	if a.seats() <= defaultSeats {
		return flags, nil
	}
	board, err := harness.NewMap(ctx, o.Hexarena, dir, a.seats(), "--characters", "1")
	return append(flags, "--map", board), err
}

// page returns the host and port of the page.
func (s *server) page() string {
	return strings.TrimSuffix(strings.TrimPrefix(s.Page, "http://"), "/")
}

// close makes the server quit. It returns a fault if the server ended earlier or was
// killed.
func (s *server) close() (fault string) {
	early, err := s.Quit()
	killed := s.group.killed()
	s.group.remove()
	switch {
	case killed:
		return fmt.Sprintf("the server was killed at %d MiB", memoryLimit>>20)
	case early:
		return err.Error()
	}
	return ""
}

// sizeOf returns the size of all files in a folder, in bytes.
func sizeOf(dir string) (sum int64) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			sum += info.Size()
		}
	}
	return sum
}
