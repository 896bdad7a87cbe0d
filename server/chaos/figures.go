package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// figures are what /metrics tells, by name with labels.
type figures map[string]float64

// What is asked of them.
const (
	goroutines  = "hexarena_goroutines"
	connections = "hexarena_connections"
	finished    = `hexarena_matches_total{outcome="finished"}`
	aborted     = `hexarena_matches_total{outcome="aborted"}`
	resident    = "process_resident_memory_bytes"
	heap        = "go_memstats_heap_alloc_bytes"
	descriptors = "process_open_fds"
)

// Each question has a connection of its own, which is gone with the answer.
var client = http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}

// get asks the page for something.
func (h *house) get(ctx context.Context, path string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(h.Page, "/")+path, nil)
	if err != nil {
		return "", err
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s: %.200s", path, resp.Status, body)
	}
	return string(body), err
}

// ask asks the server for its figures.
func (h *house) ask(ctx context.Context) (figures, error) {
	text, err := h.get(ctx, "/metrics")
	if err != nil {
		return nil, err
	}
	f := figures{}
	for line := range strings.Lines(text) {
		// A label may hold spaces, and the value is behind the last one.
		line = strings.TrimSpace(line)
		if i := strings.LastIndexByte(line, ' '); i > 0 && line[0] != '#' {
			if v, err := strconv.ParseFloat(line[i+1:], 64); err == nil {
				f[line[:i]] = v
			}
		}
	}
	return f, nil
}

// count is how many names begin so.
func (f figures) count(prefix string) (n int) {
	for name := range f {
		if strings.HasPrefix(name, prefix) {
			n++
		}
	}
	return n
}

// rest is the server's figures when nobody is connected, the garbage is
// collected, and it is enough: or what they are when that takes too long.
func (h *house) rest(ctx context.Context, enough func(figures) bool) (f figures, err error) {
	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()
	patience := time.After(30 * time.Second)
	for {
		for range 2 { // for what finalizers and pools let go
			if _, err := h.get(ctx, "/debug/pprof/heap?gc=1"); err != nil {
				return nil, err
			}
		}
		if f, err = h.ask(ctx); err != nil || f[connections] == 0 && enough(f) {
			return f, err
		}
		select {
		case <-again.C:
		case <-patience:
			return f, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (f figures) String() string {
	return fmt.Sprintf("%.0f goroutines, %.0f descriptors, %.1f MiB in use, %.1f MiB resident",
		f[goroutines], f[descriptors], f[heap]/(1<<20), f[resident]/(1<<20))
}
