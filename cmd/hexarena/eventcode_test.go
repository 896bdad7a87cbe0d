package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/maps"
)

// Wrong codes are refused, and so is the right one once the operator shows another code. Neither
// code nor tokens are on the pages for all but the screen.
func TestEventCode(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator")
	tokens := e.signUp("Ann")
	code := e.code()
	if answer, status := e.post("/join", "", map[string]any{"name": "Guess", "code": "wrong"}); status != http.StatusForbidden || !strings.Contains(answer["error"].(string), "eight letters") {
		t.Errorf("a wrong code is answered with %d, %v", status, answer)
	}
	if _, status := e.post("/admin/code", tokens[0], map[string]any{}); status != http.StatusForbidden {
		t.Errorf("a team renews the code: status %d", status)
	}
	if answer, status := e.post("/admin/code", e.admin, map[string]any{}); status != http.StatusOK {
		t.Errorf("the operator cannot renew the code: %v", answer)
	}
	if e.code() == code {
		t.Error("the code is the same")
	}
	if answer, status := e.post("/join", "", map[string]any{"name": "Bob", "code": code}); status != http.StatusForbidden {
		t.Errorf("the code of before signs up: %v", answer)
	}
	tokens = append(tokens, e.signUp("Bob")...)
	for _, path := range []string{
		"/join", "/admin", "/admin?part=live", "/event.js", "/api/health", "/api/matches",
	} {
		text := e.get(path)
		for _, secret := range append(tokens, e.admin, e.code()) {
			if strings.Contains(text, secret) {
				t.Errorf("%s has the secret %s", path, secret)
			}
		}
	}
	e.quit()
}

// An event plays on a map for a class, and its start says how much network that needs.
func TestEventTraffic(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir := t.TempDir()
	cmd := command(t, "event", dir, "--bind", "127.0.0.1", "--port", strconv.Itoa(freePort(t)))
	cmd.Stdin = strings.NewReader("quit\n")
	out, err := cmd.CombinedOutput()
	if err != nil || !regexp.MustCompile(`(?m)^network \d\d Mbit/s for 40 bots`).Match(out) {
		t.Errorf("the event prints %v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil || !strings.Contains(string(text), `"garden"`) {
		t.Errorf("the event plays %v\n%s", err, text)
	}
	g, err := maps.Load(maps.Event)
	if err != nil || len(g.Cells) > 270 || g.Seats() != 4 {
		t.Errorf("the map has %d cells and %d seats", len(g.Cells), g.Seats())
	}
}
