//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// sentPainter is a bot to send. It prints a text that only its team may read, and then plays as the
// built-in painter.
const sentPainter = "#!/bin/sh\necho planted-secret\nexec hexarena bot painter --port $BOT_PORT\n"

// send sends a bot by the command.
func (e *runningEvent) send(token, path string) (out string, code int) {
	e.t.Helper()
	cmd := command(e.t, "join", "--send", e.url+"#token="+token, path)
	text, _ := cmd.CombinedOutput()
	return string(text), cmd.ProcessState.ExitCode()
}

// scriptBot returns a bot that is one file.
func scriptBot(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// Versions that were sent play while no bot of their teams is connected, also after the event was
// killed. One that fails its test match plays no rounds, one that fails three matches rests, and
// the version before them goes on. Their output is for their team alone.
func TestEventSent(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir := filepath.Join(t.TempDir(), "event")
	// none but those that are needed: each starts the bots
	rounds := []string{"--rounds", "operator", "--send", "trusted"}
	e := startEvent(t, dir, rounds...)
	tokens := e.signUp("Ann", "Bob")
	good := scriptBot(t, "painter.sh", sentPainter)
	for i, token := range tokens {
		if out, code := e.send(token, good); code != 0 ||
			!strings.Contains(out, "It plays for "+[]string{"Ann", "Bob"}[i]) {
			t.Fatalf("exit code %d\n%s", code, out)
		}
	}
	e.awaitReady(2)
	e.playRound()
	_, first := e.versions(tokens[0])
	if !strings.HasPrefix(first, "sent:") {
		t.Fatalf("for Ann plays %q", first)
	}

	out, code := e.send(tokens[0], scriptBot(t, "bad.sh", "#!/bin/sh\necho why it failed\nexit 3\n"))
	if code != 1 || !strings.Contains(out, "plays no rounds: never logged in: exit code 3") ||
		!strings.Contains(out, "why it failed") {
		t.Errorf("a bad version: exit code %d\n%s", code, out)
	}
	// It has only a test match, and fails the others.
	once := filepath.Join(t.TempDir(), "once")
	late := scriptBot(t, "late.sh",
		fmt.Sprintf("#!/bin/sh\nmkdir %s || exit 4\nexec hexarena bot painter --port $BOT_PORT\n", once))
	if out, code := e.send(tokens[0], late); code != 0 {
		t.Errorf("exit code %d\n%s", code, out)
	}
	for {
		e.awaitReady(2)
		e.playRound()
		list, plays := e.versions(tokens[0])
		states := map[string]toldVersion{}
		for _, v := range list {
			states[v.File] = v
		}
		if states["late.sh"].State != "rests" {
			continue
		}
		if v := states["late.sh"]; v.Forfeits != 3 || v.Matches != 3 ||
			!strings.Contains(v.Reason, "failed 3 matches in a row") || plays != first ||
			states["bad.sh"].State != "bad" || states["bad.sh"].Matches != 0 ||
			states["painter.sh"].State != "plays" {
			t.Errorf("the versions are %+v, and %q plays", list, plays)
		}
		break
	}
	n := e.rows()
	_ = e.Process.Kill()
	e.readRest()
	_ = e.Wait()

	e = startEvent(t, dir, rounds...)
	e.awaitReady(2)
	e.playRound()
	if e.rows() <= n {
		t.Errorf("%d rows are left of %d, and one is new", e.rows(), n)
	}
	if _, plays := e.versions(tokens[0]); plays != first {
		t.Errorf("after a crash %q plays", plays)
	}
	e.checkPrivate(tokens, "planted-secret", "painter.sh", tokens[0])
	if answer, status := e.ask(http.MethodGet, "/event/team", "WRONG", ""); status != http.StatusUnauthorized || answer["error"] == "" {
		t.Errorf("a wrong token gets %v", answer)
	}
	e.quit()
}

// The starters of all languages that can be built here are sent, also in Java, and play.
func TestEventSentLanguages(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send",
		"trusted")
	token := e.signUp("Ann")[0]
	for _, k := range kits.All {
		t.Run(k.Folder, func(t *testing.T) {
			if k.Tool() == "" {
				thorough.Lack(t, "no "+k.Tools[0]+" to build the starter")
			}
			file := filepath.Join(t.TempDir(), "Sent"+k.Extension)
			if out, err := command(t, "new", file).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if out, code := e.send(token, file); code != 0 || !strings.Contains(out, "It plays for Ann") {
				t.Errorf("exit code %d\n%s", code, out)
			}
		})
	}
	e.quit()
}

// checkPrivate fails the test if a public page or file has data that is for one team alone.
func (e *runningEvent) checkPrivate(tokens []string, secrets ...string) {
	e.t.Helper()
	for own := ""; !strings.Contains(own, secrets[0]); { // the next match's output may have just begun
		own = e.output(tokens[0])
	}
	secrets = append(secrets, e.dir, e.admin)
	paths := []string{
		"/", "/screen", "/screen?part=live", "/screen.json", "/join", "/admin", "/admin?part=live",
		"/team/Ann", "/team/Bob", "/team/Ann/own", "/team/Ann/steps",
		"/event/team", "/event/output", "/admin/slips", "/admin/acts", "/admin/standings.csv",
		"/api/matches", "/api/recordings", "/api/health", "/api/cup", "/api/starters", "/metrics",
		"/debug/pprof/goroutine?debug=2",
	}
	hidden := func(where, text string) {
		for _, secret := range secrets {
			if at := strings.Index(text, secret); at >= 0 {
				e.t.Errorf("%s shows others %q: …%q", where, secret, text[max(0, at-200):at+len(secret)])
			}
		}
	}
	var list []struct{ ID string }
	if err := json.Unmarshal([]byte(e.get("/api/matches")), &list); err != nil || len(list) == 0 {
		e.t.Fatal(err, list)
	}
	for _, m := range list {
		paths = append(paths, "/api/match/events?match="+m.ID, "/api/match?match="+m.ID,
			"/api/match/state?match="+m.ID, "/api/map?match="+m.ID)
	}
	recordings, _ := filepath.Glob(filepath.Join(e.dir, "matches", "*"))
	for _, path := range recordings[:min(len(recordings), 3)] {
		at := "/api/recordings/" + filepath.Base(path)
		paths = append(paths, at, at+"/analysis", at+"/page.html")
	}
	for _, path := range paths {
		hidden(path, e.body(path))
	}
	for _, path := range recordings {
		if out, err := command(e.t, "replay", "show", path, "--json").Output(); err == nil {
			hidden(path, strings.ReplaceAll(string(out), path, "")) // which the command names
		}
	}
}

// body returns what anyone is sent for a path, whatever the status is, as much as comes in a
// moment.
func (e *runningEvent) body(path string) string {
	e.t.Helper()
	client := http.Client{Timeout: time.Second} // some paths go on as long as a match
	resp, err := client.Get(e.url + path)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return string(text)
}

// A file that cannot be sent is refused with the reason.
func TestEventRefusesToSend(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send",
		"trusted")
	token := e.signUp("Ann")[0]
	for _, tt := range []struct {
		query, body string
		status      int
		says        string
	}{
		{"", "x", http.StatusUnprocessableEntity, "add ?name="},
		{"?name=../bot.py", "x", http.StatusUnprocessableEntity, "leave out the folders"},
		{"?name=bot.py", "", http.StatusUnprocessableEntity, "bot.py is empty"},
		{"?name=bot.go", "package main\n\nfunc main() {}\n", http.StatusUnprocessableEntity, "is source in Go"},
		{"?name=bot.zip", "x", http.StatusUnprocessableEntity, "no zip archive"},
		{"?name=big.py", strings.Repeat("#",
			8<<20+1), http.StatusRequestEntityTooLarge, "more than 8 MiB"},
	} {
		answer, status := e.ask(http.MethodPost, "/event/versions"+tt.query, token, tt.body)
		if text, _ := answer["error"].(string); status != tt.status || !strings.Contains(text, tt.says) ||
			strings.Contains(text, os.TempDir()) {
			t.Errorf("%s: %d, %v, want %q", tt.query, status, answer, tt.says)
		}
	}
	if entries, _ := os.ReadDir(filepath.Join(e.dir, "versions")); len(entries) != 0 {
		t.Errorf("what was refused is kept: %v", entries)
	}
	if out, code := e.send(token, scriptBot(t, "notes.txt", "hello")); code != 1 ||
		!strings.Contains(out, "notes.txt is no program: ") {
		t.Errorf("what is no program: exit code %d\n%s", code, out)
	}
	for want, args := range map[string][]string{
		"by --token or in the address": {"join", "--send", e.url, "x"},
		"name a file or a folder":      {"join", "--send", e.url + "#token=" + token, "no-such-bot"},
		"does not accept the token": {"join", "--send", e.url + "#token=WRONG", scriptBot(
			t, "a.sh", sentPainter)},
		"--send maybe: want auto, isolated, trusted or off": {"event", t.TempDir(), "--send", "maybe"},
	} {
		if out, err := command(t, args...).CombinedOutput(); err == nil ||
			!strings.Contains(string(out), want) {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
	e.quit()

	off := startEvent(t, filepath.Join(t.TempDir(), "event"), "--send", "off")
	token = off.signUp("Ann")[0]
	if out, code := off.send(token, scriptBot(t, "a.sh", sentPainter)); code != 1 ||
		!strings.Contains(out, "the operator has switched it off") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	off.quit()
}

// A bot that is connected plays rather than a version that was sent, and its results are its own
// version's.
func TestEventVersionsOfConnections(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send",
		"trusted")
	tokens := e.signUp("Ann", "Bob")
	for _, token := range tokens {
		if out, code := e.send(token, scriptBot(t, "painter.sh", sentPainter)); code != 0 {
			t.Fatal(out)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	wait := e.connect(ctx, tokens[:1])
	for {
		if answer, _ := e.ask(http.MethodGet, "/event/team", tokens[0], ""); answer["connected"] == true {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	e.typeLines("round")
	played := map[string]int{}
	// the row is in the log a moment before it counts
	for sum := 0; sum < len(tokens); time.Sleep(5 * time.Millisecond) {
		sum = 0
		for i := range tokens {
			list, _ := e.versions(tokens[i])
			for _, v := range list {
				played[fmt.Sprint(i, v.File)] = v.Matches
				sum += v.Matches
			}
		}
	}
	stop()
	wait()
	if played["0"] != 1 || played["0painter.sh"] != 0 || played["1painter.sh"] != 1 {
		t.Errorf("the matches by team and version are %v", played)
	}
	e.quit()
}
