//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
	"github.com/hexarena/hexarena/server/harness"
)

// probe is a request that a server must answer during an attack.
type probe struct {
	name string
	ask  func(ctx context.Context, t *trial) error
}

const (
	probeEvery = time.Second
	probeTime  = 10 * time.Second // time limit of an answer
)

// health runs the health check of a container.
var health = probe{"hexarena health", func(ctx context.Context, t *trial) error {
	text, err := exec.CommandContext(ctx, t.Hexarena, "health", t.page()).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	return nil
}}

// listing requests the page's list of recordings.
var listing = probe{"GET /api/recordings", func(ctx context.Context, t *trial) error {
	_, err := harness.Get(ctx, t.Page+"api/recordings")
	return err
}}

// entry logs in from an address that has no other connections. A refusal because the match
// is running or full is a good answer.
var entry = probe{"a login", func(ctx context.Context, t *trial) error {
	c, err := netorcai.Dial(ctx, t.Addr, netorcai.Login{Nickname: "late", Role: netorcai.RoleVisualization})
	if err == nil {
		return c.Close()
	}
	if kick := (*netorcai.KickError)(nil); errors.As(err, &kick) && strings.HasPrefix(kick.Reason, "LOGIN denied") {
		return nil
	}
	return err
}}

// startProbes makes the probes every second until stop is called. stop returns the first
// error of each probe.
func (t *trial) startProbes(ctx context.Context) (stop func() (faults []string)) {
	ctx, cancel := context.WithCancel(ctx)
	first := map[string]error{}
	var all sync.WaitGroup
	all.Go(func() {
		for ; ctx.Err() == nil; harness.Pause(ctx, probeEvery) {
			for _, p := range t.probes {
				limited, release := context.WithTimeout(ctx, probeTime)
				err := p.ask(limited, t)
				release()
				if err != nil && ctx.Err() == nil && first[p.name] == nil {
					first[p.name] = err
				}
			}
		}
	})
	return func() (faults []string) {
		cancel()
		all.Wait()
		for name, err := range first {
			faults = append(faults, fmt.Sprintf("%s: %v", name, err))
		}
		return faults
	}
}
