package main

import (
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// scraped is what an address answers.
func scraped(url string) (text string, status int) {
	r, err := http.Get(url)
	if err != nil {
		return "", 0
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return "", 0
	}
	return string(body), r.StatusCode
}

// metric returns the value of a metric in what /metrics has; -1 if it is not there.
func metric(text, name string) float64 {
	m := regexp.MustCompile(
		`(?m)^hexarena_` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(text)
	if m == nil {
		return -1
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return -1
	}
	return v
}

// A coordinator and its worker serve probes, and metrics from which one sees how many matches wait
// for workers.
func TestMetricsOfWorkers(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	page, probes := servertest.FreeAddress(t), servertest.FreeAddress(t)
	worked := servertest.FreeAddress(t)
	coordinator := command(t, "cup", "random", "painter", "--format", "round-robin", "--seats", "2", "--count", "100000", "--turns", "5", "--maps", "pebble",
		"--out", filepath.Join(t.TempDir(),
			"cup"), "--workers", "127.0.0.1:0", "--http", page, "--health", probes)
	told := make(chan string, 1)
	coordinator.Stderr = &addressReader{told: told}
	if err := coordinator.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = coordinator.Process.Kill(); _ = coordinator.Wait() })
	servers := <-told
	await := func(what string, holds func(text string) bool, url string) {
		t.Helper()
		end := time.Now().Add(2 * time.Minute)
		for range time.Tick(20 * time.Millisecond) {
			text, _ := scraped(url)
			if holds(text) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s is not in\n%s", what, text)
			}
		}
	}
	await("a queue without workers", func(text string) bool {
		return metric(text, `cup_matches{state="queued"}`) > 1000 &&
			metric(text, `workers{state="alive"}`) == 0 && metric(text, "leases") == 0
	}, "http://"+page+"/metrics")
	for _, path := range []string{"/healthz", "/readyz"} {
		for _, address := range []string{page, probes} {
			if text, status := scraped("http://" + address + path); status != http.StatusOK {
				t.Errorf("%s%s answers %d %s", address, path, status, text)
			}
		}
	}
	if text, status := scraped("http://" + probes + "/metrics"); status != http.StatusNotFound {
		t.Errorf("the address of probes has /metrics: %d %s", status, text)
	}
	worker := command(t, "worker", servers, "--jobs", "1", "--health", worked)
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = worker.Process.Kill(); _ = worker.Wait() })
	await("a worker with leases and results", func(text string) bool {
		return metric(text, `workers{state="alive"}`) == 1 && metric(text, "leases") > 0 &&
			metric(text, `cup_matches{state="leased"}`) > 0 &&
			metric(text, "cup_results_total") > 300 && metric(text, "cup_results_verified_total") > 0 &&
			metric(text, `leases_ended_total{reason="done"}`) > 0 &&
			metric(text, `worker_matches_per_second{worker="slowest"}`) > 0
	}, "http://"+page+"/metrics")
	await("a worker that plays", func(text string) bool {
		return metric(text, "worker_matches_total") > 300 && metric(text, "worker_coordinator_up") == 1 &&
			metric(text, "worker_results_unsent") >= 0
	}, "http://"+worked+"/metrics")
	if text, status := scraped("http://" + worked + "/readyz"); status != http.StatusOK {
		t.Errorf("the worker's /readyz answers %d %s", status, text)
	}
	_ = worker.Process.Kill() // its matches are another worker's when there is one
	await("a worker that is silent", func(text string) bool {
		return metric(text, `workers{state="alive"}`) == 0 && metric(text, `workers{state="silent"}`) == 1
	}, "http://"+page+"/metrics")
	_ = coordinator.Process.Kill()
}

// Probes without a page are a mistake, and so is an address that cannot be listened on.
func TestHealthOfCupsAndWorkers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want string }{
		{"cup random painter --health 127.0.0.1:0", "give --http as well"},
		{"worker tls://worker:T@127.0.0.1:1#" + strings.Repeat("A", 43) + " --health 127.0.0.1", "--health"},
	} {
		out, err := command(t, strings.Fields(c.args)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s ends with %v and\n%s\nwant %q", c.args, err, out, c.want)
		}
	}
}
