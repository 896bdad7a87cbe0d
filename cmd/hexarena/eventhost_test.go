package main

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// An event has the settings of a public host: another address of the pages with metrics, probes,
// names of the pages, and bounds. None of them is in what everyone can read.
func TestEventAsPublicHost(t *testing.T) {
	t.Parallel()
	page, probes := fmt.Sprintf("127.0.0.1:%d", freePort(t)), fmt.Sprintf("127.0.0.1:%d", freePort(t))
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send", "off",
		"--http", page, "--health", probes, "--page-hosts", "arena.example", "--max-connections", "20", "--name", "Summer <b>")
	e.signUp("Ann", "Bob")
	ask := func(url, host string) (text string, status int) {
		t.Helper()
		req, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body), answer.StatusCode
	}
	for url, want := range map[string]string{
		"http://" + page + "/metrics":   `hexarena_event_teams{state="absent"} 2`,
		"http://" + page + "/join":      "Summer &lt;b&gt;",
		"http://" + probes + "/healthz": "ok",
		"http://" + probes + "/readyz":  "ready",
	} {
		if text, status := ask(url, ""); status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d, want %s in\n%s", url, status, want, text)
		}
	}
	for host, want := range map[string]int{
		"arena.example": http.StatusOK, "evil.example": http.StatusForbidden,
	} {
		if text, status := ask(e.url+"/join", host); status != want {
			t.Errorf("the page as %s: %d, %s", host, status, text)
		}
	}
	if text := e.get("/event/standings"); strings.Contains(text, page) || strings.Contains(text, "json") {
		t.Errorf("the standings tell how the event is hosted: %s", text)
	}
}

// With a certificate, the port of an event answers browsers over https only, as its addresses say.
func TestEventOverHTTPS(t *testing.T) {
	t.Parallel()
	cert, key := selfSigned(t)
	p := start(t, command(t, "event", filepath.Join(t.TempDir(), "event"), "--rounds", "operator",
		"--bind", "127.0.0.1", "--port", strconv.Itoa(freePort(t)), "--tls-cert", cert, "--tls-key", key))
	client := trusting(t, cert)
	for _, page := range []string{"screen", "join", "admin"} {
		line := p.nextLine()
		name, address, _ := strings.Cut(line, " ")
		address, _, _ = strings.Cut(strings.TrimSpace(address), "#")
		if name != page || !strings.HasPrefix(address, "https://") {
			t.Errorf("the line %q, want the https address of /%s", line, page)
			continue
		}
		resp, err := client.Get(address)
		if err != nil {
			t.Error(err)
			continue
		}
		if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %s, %v", address, resp.Status, err)
		}
	}
	p.quit()
}
