package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/cup/archive"
	"github.com/hexarena/hexarena/server/event"
)

// folded returns the event of a folder as its logs have it, read from a copy. It fails the test if
// a match is there twice.
func folded(t *testing.T, dir string) event.View {
	t.Helper()
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	c, err := archive.Open(copied)
	if err != nil {
		t.Fatal(err)
	}
	e, err := event.Open(event.Options{Dir: copied, Plan: *c.Plan})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.View()
}

var shownMatch = regexp.MustCompile(`Match (\d+)`)

// An event that is killed again and again, between rounds and during them, goes on each time: the
// tokens are the same, no match that was shown is lost, and none is played twice. Interrupted, it
// ends cleanly, and the commands of cups read its folder.
func TestEventKilled(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir := filepath.Join(t.TempDir(), "event")
	rounds := []string{"--rounds", "ready"}
	e := startEvent(t, dir, rounds...)
	tokens := e.signUp("Ann", "Bob", "Carl", "Dora", "Eva", "The Hexagon Breakers")
	var before []byte
	for kill := range thorough.Size(3, 20) {
		ctx, stop := context.WithCancel(t.Context())
		wait := e.connect(ctx, tokens)
		e.awaitRows(2*kill + 1 + kill%3)
		shown := 0
		if m := shownMatch.FindStringSubmatch(e.get("/admin?part=live")); m != nil {
			shown, _ = strconv.Atoi(m[1])
		}
		_ = e.Process.Kill()
		e.readRest()
		_ = e.Wait()
		stop()
		wait()
		text, err := os.ReadFile(filepath.Join(dir, "log.ndjson"))
		if err != nil || !bytes.HasPrefix(text, before) || rowsOf(text) < shown {
			t.Fatalf("after kill %d, %v, the log has %d matches, of %d that were shown:\n%s", kill+1, err,
				rowsOf(text), shown, text)
		}
		before = text[:bytes.LastIndexByte(text, '\n')+1]
		if v := folded(t, dir); v.Matches != rowsOf(before) || len(v.Standings) != len(tokens) {
			t.Errorf("after kill %d the event has %d matches and %d teams", kill+1, v.Matches,
				len(v.Standings))
		}
		e = startEvent(t, dir, rounds...)
	}
	ctx, stop := context.WithCancel(t.Context())
	wait := e.connect(ctx, tokens)
	e.awaitRows(rowsOf(before) + 4)
	if runtime.GOOS == "windows" {
		e.typeLines("quit")
	} else if err := e.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	e.expectExit(0)
	stop()
	wait()
	out, err := command(t, "cup", "show", dir, "--csv").Output()
	if err != nil || !strings.Contains(string(out), "The Hexagon Breakers") ||
		strings.Count(string(out), "\n") < len(tokens) {
		t.Errorf("cup show prints %v\n%s", err, out)
	}
	site := filepath.Join(t.TempDir(), "site")
	if out, err := command(t, "cup", "export", dir, "--out", site).CombinedOutput(); err != nil ||
		!strings.Contains(string(out), fmt.Sprintf("Wrote %d matches", e.rows())) {
		t.Errorf("cup export prints %v\n%s", err, out)
	}
}

// The operator begins rounds by a line on standard input and by the page, which needs its token,
// lets a team rest and pauses. Built-in bots fill the seats that two teams leave.
func TestEventOperated(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator")
	tokens := e.signUp("Ann", "Bob & <b>", "Carl")
	ctx, stop := context.WithCancel(t.Context())
	defer e.connect(ctx, tokens)()
	defer stop()
	await := func(text string) {
		t.Helper()
		for range time.Tick(5 * time.Millisecond) {
			if strings.Contains(e.get("/admin?part=live"), text) {
				return
			}
		}
	}
	await("3 of 3 teams ready")
	e.typeLines("round")
	e.awaitRows(1)
	await("3 of 3 teams ready")
	if answer, status := e.post("/admin/round", tokens[0], nil); status != http.StatusForbidden {
		t.Errorf("a team operates the event: %v", answer)
	}
	for _, act := range []string{"rest", "pause"} {
		if answer, status := e.post("/admin/"+act, e.admin, map[string]any{"team": 2}); status != http.StatusOK {
			t.Errorf("%s: %v", act, answer)
		}
	}
	await("2 of 3 teams ready")
	await("paused by the operator")
	await("Bob &amp; &lt;b&gt;")
	if _, status := e.post("/admin/round", e.admin, map[string]any{}); status != http.StatusOK {
		t.Error("no round can be begun")
	}
	e.awaitRows(2)
	for form, want := range map[string]int{
		"/admin/rest": http.StatusConflict, "/admin/void": http.StatusConflict,
		"/admin/dance": http.StatusNotFound,
	} {
		if answer, status := e.post(form, e.admin, map[string]any{"team": 99, "match": 99}); status != want || answer["error"] == "" {
			t.Errorf("%s: %d, %v", form, status, answer)
		}
	}
	await("(built-in)")
	text, err := os.ReadFile(filepath.Join(e.dir, "log.ndjson"))
	if err != nil || strings.Contains(strings.Split(string(text), "\n")[1], "Carl") {
		t.Errorf("a team that rests has played: %v\n%s", err, text)
	}
	e.typeLines("dance", "quit")
	e.expectExit(0)
}

// Wrong settings prevent the start, with all that is wrong.
func TestEventWrong(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"--rounds soon: want": {"--rounds", "soon"}, "such as ready:2m": {"--rounds", "ready2m"},
		"--seats 9: want 2 to": {"--seats", "9"}, "--pairing odd": {"--pairing", "odd"},
		"no built-in bots": {"--game", "external"},
	} {
		out, err := command(t, append([]string{"event", t.TempDir()}, args...)...).CombinedOutput()
		exit := new(exec.ExitError)
		if !errors.As(err, &exit) || exit.ExitCode() != exitUsage ||
			!strings.Contains(string(out), want) {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}
