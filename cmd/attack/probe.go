//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
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
	text, err := exec.CommandContext(ctx, t.program, "health", t.page()).CombinedOutput()
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
	ctx, stop := context.WithTimeout(ctx, probeTime)
	defer stop()
	c, err := netorcai.Dial(ctx, t.Addr, netorcai.Login{Nickname: "late", Role: netorcai.RoleVisualization})
	if err == nil {
		return c.Close()
	}
	if kick := (*netorcai.KickError)(nil); errors.As(err, &kick) && strings.HasPrefix(kick.Reason, "LOGIN denied") {
		return nil
	}
	return err
}}

// startProbes runs the probes every second until stop is called. stop returns the first
// error of each probe.
func (t *trial) startProbes(ctx context.Context) (stop func() []string) {
	ctx, cancel := context.WithCancel(ctx)
	faults := make(chan []string, 1)
	go func() {
		failed := map[string]bool{}
		var all []string
		for ctx.Err() == nil {
			for _, p := range t.probes {
				limited, release := context.WithTimeout(ctx, probeTime)
				err := p.ask(limited, t)
				release()
				if err != nil && ctx.Err() == nil && !failed[p.name] {
					failed[p.name] = true
					all = append(all, fmt.Sprintf("%s: %v", p.name, err))
				}
			}
			harness.Pause(ctx, probeEvery)
		}
		faults <- all
	}()
	return func() []string {
		cancel()
		return <-faults
	}
}
