package main

import (
	"archive/zip"
	"bytes"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/server/event/workers/workerstest"
)

// sentScript is a bot in JavaScript. The page of these tests does not run it.
const sentScript = "const { run } = require(\"./hexarena.js\");\nrun(class { turn() { return []; } });\n"

// openAdmin opens the page that runs versions.
func (e *runningEvent) openAdmin() *workerstest.Page {
	e.t.Helper()
	return workerstest.Open(e.t, strings.Replace(e.url, "http", "ws", 1)+"/admin/runner", e.admin, 2)
}

// sendScript sends a bot in JavaScript.
func (e *runningEvent) sendScript(token, name, text string) {
	e.t.Helper()
	if answer, status := e.ask(http.MethodPost, "/event/versions?name="+name, token, text); status != http.StatusOK {
		e.t.Fatalf("%s cannot be sent: %v", name, answer)
	}
}

// startInBrowser starts an event whose versions run in the admin page, with two teams that have sent one each.
func startInBrowser(t *testing.T) (e *runningEvent, tokens []string) {
	t.Helper()
	e = startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send", "browser", "--map", "pebble", "--seats", "2", "--turns", "6", "--turn-timeout", "5m")
	tokens = e.signUp("Ann", "Bob")
	for _, token := range tokens {
		e.sendScript(token, "my_bot.js", sentScript)
	}
	return e, tokens
}

// Versions in JavaScript wait for the admin page, are tried in it, and play rounds in it. A match whose page is closed does not count, and is played in the
// next page.
func TestEventInAdminPage(t *testing.T) {
	t.Parallel()
	e, tokens := startInBrowser(t)
	if list, _ := e.versions(tokens[0]); len(list) != 1 || list[0].State != "untried" || list[0].File != "my_bot.js" {
		t.Errorf("before the page is open the versions are %+v", list)
	}
	if text := e.get("/admin?part=live"); !strings.Contains(text, "no admin page runs them") {
		t.Errorf("the admin page does not say that it is needed:\n%s", text)
	}
	first := e.openAdmin()
	started := first.Until(func(m workerstest.Message) bool { return m.Start > 0 })
	if _, status := e.fetch(http.MethodGet, started.Source, tokens[0], ""); status != http.StatusForbidden {
		t.Errorf("a team reads the code of a version: status %d", status)
	}
	if text := e.text(started.Source, e.admin); text != sentScript || started.File != "my_bot.js" {
		t.Errorf("the page is to run %s:\n%s", started.File, text)
	}
	first.Handle(started)
	first.Send(`{"from":%d,"line":"planted-secret"}`, started.Start)
	go func() { _ = first.Play() }()
	e.awaitReady(2)
	// Both versions are tried at once, so that either may be the first.
	if text := e.output(tokens[0]) + e.output(tokens[1]); strings.Count(text, "planted-secret") != 1 {
		t.Errorf("the teams read of their bots %q", text)
	}
	e.typeLines("round")
	e.awaitRows(1)
	row := e.lastRow()
	if slices.ContainsFunc(row.Versions, func(v string) bool { return !strings.HasPrefix(v, "sent:") }) || slices.ContainsFunc(row.Forfeits, func(f string) bool { return f != "" }) {
		t.Errorf("the match is %+v", row)
	}
	first.Close()
	e.awaitTeam(tokens[0], func(team map[string]any) bool { return team["asleep"] == true && team["ready"] == false })
	if text := e.get("/team/Ann"); !strings.Contains(text, "waits for the operator to open the admin page") {
		t.Errorf("the team's page does not say why it waits:\n%s", text)
	}

	second := e.openAdmin()
	e.awaitReady(2)
	e.typeLines("round")
	second.Until(func(m workerstest.Message) bool { return m.Message.Type == "TURN" })
	third := e.openAdmin()
	if err := second.Play(); err == nil || !strings.Contains(err.Error(), "another one runs them now") {
		t.Errorf("the older page is told %v", err)
	}
	go func() { _ = third.Play() }()
	e.awaitReady(2)
	if n := e.rows(); n != 1 {
		t.Errorf("%d matches count, and the page of the second was closed", n)
	}
	e.typeLines("round")
	e.awaitRows(2)
	if row := e.lastRow(); row.K != 1 || slices.ContainsFunc(row.Forfeits, func(f string) bool { return f != "" }) {
		t.Errorf("the match is %+v", row)
	}
	e.typeLines("quit")
	e.expectExit(0)
}

// A version in whose test matches the page is lost again and again plays no rounds, and the others are tried.
func TestEventVersionBreaksAdminPage(t *testing.T) {
	t.Parallel()
	e, tokens := startInBrowser(t)
	for range 3 {
		page := e.openAdmin()
		page.Until(func(m workerstest.Message) bool { return m.Start > 0 })
		page.Close()
		e.awaitPage("/admin?part=live", "no admin page runs them") // else the next page would replace it
	}
	page := e.openAdmin()
	go func() { _ = page.Play() }()
	e.awaitReady(1)
	bad := 0
	for _, token := range tokens {
		list, _ := e.versions(token)
		if list[0].State == "bad" && strings.Contains(list[0].Reason, "was lost 3 times") {
			bad++
		}
	}
	if bad != 1 {
		t.Errorf("%d versions are bad", bad)
	}
	e.typeLines("quit")
	e.expectExit(0)
}

// What is not one file in JavaScript is refused with the reason and what to do.
func TestEventSendsScriptsOnly(t *testing.T) {
	t.Parallel()
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send", "browser")
	token := e.signUp("Ann")[0]
	archive := func(names ...string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range names {
			f, err := z.Create("bot/" + name)
			if err == nil {
				_, err = f.Write([]byte(sentScript))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, tt := range []struct{ name, body, says string }{
		{"bot.py", "x", "bot.py is not JavaScript"},
		{"bot.zip", archive("bot.js", "more.js"), "the bot has two files, bot.js and more.js"},
		{"bot.zip", archive("hexarena.js"), "there is no bot in it"},
	} {
		answer, status := e.ask(http.MethodPost, "/event/versions?name="+tt.name, token, tt.body)
		text, _ := answer["error"].(string)
		if status != http.StatusUnprocessableEntity || !strings.Contains(text, tt.says) || !strings.Contains(text, "one file that ends in .js") || !strings.Contains(text, "hexarena join") {
			t.Errorf("%s: %d, %v, want %q", tt.name, status, answer, tt.says)
		}
	}
	e.sendScript(token, "bot.zip", archive("bot.js", "hexarena.js"))
	if list, _ := e.versions(token); len(list) != 1 || list[0].File != "bot.js" {
		t.Errorf("the versions are %+v", list)
	}
	if text, status := e.fetch(http.MethodGet, "/admin/versions/..%2Fsecret/x.js", e.admin, ""); status != http.StatusNotFound {
		t.Errorf("a file that is no version: status %d\n%s", status, text)
	}
	e.typeLines("quit")
	e.expectExit(0)
}

// Versions that run in the admin page play practice in it. They are frozen also while none is open, and play official matches when one is.
func TestEventFreezesScripts(t *testing.T) {
	t.Parallel()
	e, tokens := startInBrowser(t)
	page := e.openAdmin()
	go func() { _ = page.Play() }()
	e.awaitReady(2)
	if answer, status := e.post("/event/practice", tokens[0], map[string]any{"against": []string{"painter"}}); status != http.StatusOK {
		t.Errorf("no practice: %v", answer)
	}
	e.awaitTeam(tokens[0], func(team map[string]any) bool { return team["practice"] == nil })
	page.Close()
	e.awaitTeam(tokens[0], func(team map[string]any) bool { return team["asleep"] == true })
	if answer, status := e.post("/event/practice", tokens[0], map[string]any{"against": []string{"painter"}}); status != http.StatusConflict || !strings.Contains(answer["error"].(string), "no admin page is open") {
		t.Errorf("practice without the page: %d, %v", status, answer)
	}
	e.typeLines("freeze")
	e.awaitTeam(tokens[0], func(team map[string]any) bool { return team["frozen"] == true })
	if answer, status := e.ask(http.MethodPost, "/event/versions?name=my_bot.js", tokens[0], sentScript+"//"); status != http.StatusConflict {
		t.Errorf("a version after the freeze: %v", answer)
	}
	next := e.openAdmin()
	go func() { _ = next.Play() }()
	e.awaitRows(1)
	text := e.get("/event/official")
	if strings.Count(text, `"verified":true`) != len(tokens) {
		t.Errorf("the official standings are %s", text)
	}
	e.typeLines("quit")
	e.expectExit(0)
}
