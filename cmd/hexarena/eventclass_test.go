package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// The names of a class list have teams from the start. A list that has grown adds the new names,
// and the tokens of the others stay.
func TestEventClass(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir, class := filepath.Join(t.TempDir(), "event"), filepath.Join(t.TempDir(), "names.txt")
	write := func(names string) {
		t.Helper()
		writeText(t, class, names)
	}
	slips := func(e *runningEvent) (tokens map[string]string) {
		t.Helper()
		var page struct {
			Slips []struct{ Name, Token, Page string }
		}
		if err := json.Unmarshal([]byte(e.text("/admin/slips", e.admin)), &page); err != nil {
			t.Fatal(err)
		}
		tokens = map[string]string{}
		for _, s := range page.Slips {
			if tokens[s.Name] = s.Token; !strings.HasSuffix(s.Page, "#"+s.Token) {
				t.Errorf("the slip of %s leads to %s", s.Name, s.Page)
			}
		}
		return tokens
	}
	write("\ufeffAnn\r\n\r\n  Žofie Černá \r\n李小龙")
	e := startEvent(t, dir, "--rounds", "operator", "--class", class)
	first := slips(e)
	if len(first) != 3 || first["Ann"] == "" || first["Žofie Černá"] == "" || first["李小龙"] == "" {
		t.Errorf("the teams are %v", first)
	}
	e.quit()

	write("Ann\nŽofie Černá\nBob\n")
	e = startEvent(t, dir, "--rounds", "operator", "--class", class)
	second := slips(e)
	for name, token := range first {
		if second[name] != token {
			t.Errorf("the token of %s has changed", name)
		}
	}
	if len(second) != 4 || second["Bob"] == "" {
		t.Errorf("the teams are %v", second)
	}
	e.quit()

	before := readText(t, filepath.Join(dir, "acts", "log.ndjson"))
	refused := func(want string, args ...string) {
		t.Helper()
		out, err := command(t, append([]string{"event", dir, "--bind", "127.0.0.1", "--port", fmt.Sprint(freePort(t))}, args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) && runtime.GOOS != "windows" {
			t.Errorf("%q: %v\n%s\nwant %q", args, err, out, want)
		}
		if after, err := os.ReadFile(filepath.Join(dir, "acts", "log.ndjson")); err != nil ||
			string(after) != before {
			t.Errorf("%q: a team was signed up: %v\n%s", args, err, after)
		}
	}
	for list, want := range map[string]string{
		"New\n" + strings.Repeat("x", 31) + "\n": "line 2: the name has 31 characters",
		"New\nMax Müller\n\nMAX MÜLLER\n":        `line 4: "MAX MÜLLER" looks like the name in line 2`,
		"New\nM\xfcller\n":                       `line 2: "M\xfcller" is not UTF-8`,
		"\xff\xfeN\x00e\x00w\x00":                "it is UTF-16: save it as UTF-8",
		strings.Join(teamNames(197), "\n"):       "there would be 201 teams",
	} {
		write(list)
		refused(want, "--class", class)
	}
	refused("no such file", "--class", class+"x")

	if err := os.Remove(filepath.Join(dir, "secret")); err != nil {
		t.Fatal(err)
	}
	refused("secret is missing, from which the tokens of the teams follow: copy it")
	e = startEvent(t, dir, "--rounds", "operator", "--new-tokens")
	if renewed := slips(e); len(renewed) != 4 || renewed["Ann"] == second["Ann"] {
		t.Errorf("with --new-tokens the teams are %v", renewed)
	}
	e.quit()
}

// teamNames returns names of teams.
func teamNames(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint("Team ", i))
	}
	return names
}

// Without a flag, an event finds the programs in the folder beside its own.
func TestEventFindsBinaries(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := readText(t, self)
	dir := t.TempDir()
	own := filepath.Join(dir, filepath.Base(self))
	writeText(t, own, text)
	if err := os.Chmod(own, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "binaries"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeText(t, filepath.Join(dir, "binaries", "hexarena-v1-windows-amd64.zip"), "an archive")
	e := startEventBy(t, func(args ...string) *exec.Cmd {
		cmd := command(t, args...)
		link := filepath.Join(t.TempDir(), filepath.Base(cmd.Path))
		if err := os.Symlink(own, link); err != nil {
			t.Fatal(err)
		}
		cmd.Path = link
		return cmd
	}, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--send", "off")
	if got := e.text("/binaries/hexarena-v1-windows-amd64.zip", ""); got != "an archive" {
		t.Errorf("the program beside the event is %q", got)
	}
	e.quit()
}

// Teams can fetch the programs of a folder, and otherwise the one that runs; the page says which
// are missing.
func TestEventBinaries(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir := t.TempDir()
	files := map[string]string{
		"hexarena-v1-linux-arm64.tar.gz": "an archive", "hexarena-v1-windows-amd64.zip": "another one",
		"hexarena-darwin-arm64":            "a program",
		"hexarena-v1-linux-arm64.cdx.json": "no program", "secret-linux-arm64.txt": "no program",
	}
	for name, text := range files {
		writeText(t, filepath.Join(dir, name), text)
	}
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "operator", "--binaries", dir)
	own := e.text("/team/Ann/own", e.signUp("Ann")[0])
	for system, want := range map[string]string{
		"Linux on ARM": "curl -O [^ ]* " +
			"data-fill=\"origin\"></span>/binaries/hexarena-v1-linux-arm64.tar.gz</code>, and unpack it",
		"Windows": "curl -O [^ ]* " +
			"data-fill=\"origin\"></span>/binaries/hexarena-v1-windows-amd64.zip</code>, and unpack it",
		"macOS": "curl -o hexarena [^ ]* data-fill=\"origin\"></span>/binaries/hexarena-darwin-arm64 " +
			"&amp;&amp; chmod",
		"macOS on Intel": "not here: the operator gives it with <code>--binaries",
		"Windows on ARM": "not here: the operator",
	} {
		if !regexp.MustCompile(`<th scope="row">` + system + `</th><td>(<code>)?` + strings.ReplaceAll(want, "[^ ]*", "<span")).MatchString(own) {
			t.Errorf("for %s the page does not have %q:\n%s", system, want, own)
		}
	}
	for name, text := range files {
		status, body := http.StatusOK, text
		if text == "no program" {
			status, body = http.StatusNotFound, ""
		}
		if got, code := e.fetch(http.MethodGet, "/binaries/"+name, "", ""); code != status ||
			body != "" && string(got) != body {
			t.Errorf("%s: %d, %q", name, code, got)
		}
	}
	for _, path := range []string{"/binaries/..%2fsecret", "/binaries/%2e%2e", "/binaries/none"} {
		if text, code := e.fetch(http.MethodGet, path, "", ""); code != http.StatusNotFound ||
			!strings.Contains(string(text), "--binaries DIR") {
			t.Errorf("%s: %d, %s", path, code, text)
		}
	}
	program := readText(t, e.Path)
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" { // the folder has none for it
		if !strings.Contains(own, "/binaries/hexarena &amp;&amp; chmod") ||
			e.text("/binaries/hexarena", "") != program {
			t.Error("the program that runs cannot be fetched")
		}
	}
	e.quit()
}

// A team whose bot is kicked may connect again. The next rounds are played on the map and at the
// pace that the operator has set, until the event is started again.
func TestEventKickAndSetup(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "event")
	e := startEvent(t, dir, "--rounds", "operator", "--send", "off")
	tokens := e.signUp("Ann", "Bob")
	ctx, stop := context.WithCancel(t.Context())
	defer e.connect(ctx, tokens[1:])()
	defer stop()
	ann, err := netorcai.Dial(ctx, e.addr,
		netorcai.Login{Nickname: "a", Role: netorcai.RolePlayer, Token: tokens[0], Stay: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ann.Close()
	e.awaitReady(2)
	if answer, status := e.post("/admin/kick", tokens[1], map[string]any{"team": 0}); status != http.StatusForbidden {
		t.Errorf("a team kicks another one: %v", answer)
	}
	e.operate("kick", map[string]any{"team": 0})
	kick := (*netorcai.KickError)(nil)
	if _, err := ann.Start(ctx); !errors.As(err, &kick) {
		t.Errorf("a bot that was kicked gets %v", err)
	}
	e.awaitReady(1)
	defer e.connect(ctx, tokens[:1])()
	defer stop()
	e.awaitReady(2)
	e.typeLines("round")
	e.awaitRows(1)
	if row := e.lastRow(); row.Map != "garden" {
		t.Errorf("the first round is played on %s", row.Map)
	}
	for _, wrong := range []map[string]any{
		{"map": "nowhere"},
		{"map": "pebble"},
		{"turns": 100000},
		{"turns": -1},
		{"milliseconds": 1 << 30},
	} {
		if answer, status := e.post("/admin/setup", e.admin, wrong); status != http.StatusConflict ||
			answer["error"] == "" {
			t.Errorf("%v: %d, %v", wrong, status, answer)
		}
	}
	e.operate("setup", map[string]any{"map": "lagoon", "turns": 3, "milliseconds": 2000})
	if page := e.get("/admin?part=live"); !strings.Contains(page, "Map lagoon, 3 turns, 2s for an answer.") {
		t.Errorf("the page of the operator says\n%s", page)
	}
	e.awaitReady(2)
	e.typeLines("round")
	e.awaitRows(2)
	if row := e.lastRow(); row.Map != "lagoon" {
		t.Errorf("the second round is played on %s", row.Map)
	}
	out, err := command(t, "replay", "show",
		filepath.Join(dir, "matches", "1.hexarena")).CombinedOutput()
	if err != nil || !regexp.MustCompile(`\b3 turns`).Match(out) {
		t.Errorf("the second match is %v\n%s", err, out)
	}
	acts := e.text("/admin/acts", e.admin)
	for _, want := range []string{
		"the bots of Ann were disconnected", "map lagoon, 3 turns, 2s for an answer",
	} {
		if !strings.Contains(acts, want) {
			t.Errorf("the acts lack %q: %s", want, acts)
		}
	}
	stop()
	e.quit()
	e = startEvent(t, dir, "--rounds", "operator", "--send", "off")
	if page := e.get("/admin?part=live"); !strings.Contains(page, "Map garden, 6 turns, 5m0s for an answer.") {
		t.Errorf("after a start the page of the operator says\n%s", page)
	}
	e.quit()
}

// When its time has passed and fewer than two teams are ready, all pages say that the next round
// waits for them, in place of a countdown that stands still.
func TestEventWaitsForTwoTeams(t *testing.T) {
	t.Parallel()
	e := startEvent(t, filepath.Join(t.TempDir(), "event"), "--rounds", "1s", "--send", "off")
	e.signUp("Ann")
	const waits = "the next waits for two teams"
	e.awaitPage("/standings", waits)
	e.awaitPage("/screen.json", `"next":-1,"when":"as soon as two teams are ready"`)
	if page := e.get("/team/1"); !strings.Contains(page, waits) || strings.Contains(page, "data-until") {
		t.Errorf("the page of a team says\n%s", page)
	}
	e.quit()
}

// operate carries out an act of the operator.
func (e *runningEvent) operate(act string, form map[string]any) {
	e.t.Helper()
	if answer, status := e.post("/admin/"+act, e.admin, form); status != http.StatusOK {
		e.t.Fatalf("%s: %d, %v", act, status, answer)
	}
}
