//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hexarena/hexarena/server/recording"
	"github.com/hexarena/hexarena/tools/harness"
)

// resources are the metrics of a server that must be back to where they were when the attackers
// have left.
type resources struct {
	goroutines, descriptors int
	reasons                 int // for which it kicked clients
}

const (
	// resourceSlack is by how much goroutines and descriptors may grow. The honest bots go on, so
	// that a match may begin or end meanwhile; attackers have hundreds of connections.
	resourceSlack = 30
	// settleTime is the time that the server may take to notice that the attackers have left.
	settleTime = 30 * time.Second
	// maxReasons is more than the number of reasons for which the server kicks clients.
	maxReasons = 100
)

// resources reads the metrics.
func (t *trial) resources(ctx context.Context) (r resources, err error) {
	text, err := harness.Get(ctx, t.Page+"metrics")
	if err != nil {
		return r, err
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		number, _ := strconv.ParseFloat(value, 64)
		switch {
		case name == "hexarena_goroutines":
			r.goroutines = int(number)
		case name == "process_open_fds":
			r.descriptors = int(number)
		case strings.HasPrefix(name, "hexarena_kicks_total{"):
			r.reasons++
		}
	}
	if r.goroutines == 0 || r.descriptors == 0 {
		return r, errors.New("/metrics has no goroutines and descriptors")
	}
	return r, nil
}

// checkResources adds a fault if the server still uses what the attackers made it use.
func (t *trial) checkResources(ctx context.Context, r *row) error {
	for began := time.Now(); ; {
		now, err := t.resources(ctx)
		if err != nil {
			return err
		}
		left := max(now.goroutines-t.quietly.goroutines, now.descriptors-t.quietly.descriptors)
		if left > resourceSlack && time.Since(began) < settleTime && t.wait(ctx, sampleEvery) {
			continue
		}
		if left > resourceSlack {
			r.fault("%d goroutines and %d descriptors after the attack, %d and %d before", now.goroutines,
				now.descriptors, t.quietly.goroutines, t.quietly.descriptors)
		}
		if now.reasons > maxReasons {
			r.fault("clients were kicked for %d reasons: their input creates metrics", now.reasons)
		}
		return nil
	}
}

// unfinished is the exit code of hexarena replay verify if recordings agree but one is truncated.
const unfinished = 5

// verifyRecordings verifies the recordings of a server that has quit, and returns a fault if one
// differs.
func (t *trial) verifyRecordings(ctx context.Context) (fault string) {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(t.story), "*"+recording.Extension))
	if err != nil || len(files) < 2 { // one is the story
		return fmt.Sprintf("there are %d recordings, %v", len(files), err)
	}
	args := append([]string{"replay", "verify"}, files...)
	text, err := exec.CommandContext(ctx, t.Hexarena, args...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == unfinished {
		return ""
	}
	if err != nil {
		return fmt.Sprintf("%v: %.500s", err, text)
	}
	return ""
}
