//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"github.com/hexarena/hexarena/protocol/netorcai"
)

// probe asks a server for what it has to answer under an attack.
type probe struct {
	name string
	ask  func(ctx context.Context, t *trial) error
}

const (
	probeEvery = time.Second
	probeTime  = 10 * time.Second // how long an answer may take
)

// health is what a container's health check runs.
var health = probe{"hexarena health", func(ctx context.Context, t *trial) error {
	text, err := exec.CommandContext(ctx, t.program, "health", t.page()).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	return nil
}}

// listing is the page's list of recordings.
var listing = probe{"GET /api/recordings", func(ctx context.Context, t *trial) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, t.Page+"api/recordings", nil)
	if err != nil {
		return err
	}
	reply, err := fresh.Do(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err == nil && reply.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %.200s", reply.Status, text)
	}
	return err
}}

// fresh asks on a connection of its own.
var fresh = http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// entry is a login by an address from which nothing came so far. A match that is under
// way, or has no seat for it, is a good answer.
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

// probing asks every second, until the function that it returns is called. That
// returns what went wrong first with each probe.
func (t *trial) probing(ctx context.Context) (end func() []string) {
	ctx, stop := context.WithCancel(ctx)
	faults := make(chan []string, 1)
	go func() {
		failed := map[string]bool{}
		var all []string
		for ctx.Err() == nil {
			for _, p := range t.probes {
				asked, done := context.WithTimeout(ctx, probeTime)
				err := p.ask(asked, t)
				done()
				if err != nil && ctx.Err() == nil && !failed[p.name] {
					failed[p.name] = true
					all = append(all, fmt.Sprintf("%s: %v", p.name, err))
				}
			}
			pause(ctx, probeEvery)
		}
		faults <- all
	}()
	return func() []string {
		stop()
		return <-faults
	}
}
