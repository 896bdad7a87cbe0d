package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/bots/kits"
	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// starterScript returns the starter in JavaScript.
func starterScript() string {
	kit := kits.Of("bot.js")
	return string(kit.File(kit.Starters["hexabomb"]))
}

// startUnisolated starts an event on a machine that has neither Node nor anything that isolates
// bots, nor any other program.
func startUnisolated(t *testing.T, args ...string) *runningEvent {
	t.Helper()
	none := func(args ...string) *exec.Cmd {
		cmd := command(t, args...)
		cmd.Env = append(cmd.Env, "PATH="+filepath.Join(t.TempDir(), "none"))
		return cmd
	}
	return startEventBy(t, none, filepath.Join(t.TempDir(), "event"), args...)
}

// upload sends a version by HTTP, and returns its name, or why it is refused.
func (e *runningEvent) upload(token, name, text string) (version, why string) {
	e.t.Helper()
	answer, _ := e.ask(http.MethodPost, "/event/versions?name="+name, token, text)
	version, _ = answer["version"].(string)
	why, _ = answer["error"].(string)
	return version, why
}

// version returns a version of a team.
func (e *runningEvent) version(token, name string) toldVersion {
	e.t.Helper()
	list, _ := e.versions(token)
	for _, v := range list {
		if v.Version == name {
			return v
		}
	}
	e.t.Fatalf("there is no version %s among %+v", name, list)
	return toldVersion{}
}

// tried uploads a version, and returns it once its test match is over.
func (e *runningEvent) tried(token, name, text string) (v toldVersion) {
	e.t.Helper()
	version, why := e.upload(token, name, text)
	if why != "" {
		e.t.Fatalf("%s cannot be sent: %s", name, why)
	}
	for v = e.version(token, version); v.State == "untried"; v = e.version(token, version) {
		runtime.Gosched()
	}
	return v
}

// folderOf returns an archive of a folder with files: their names and contents by turns.
func folderOf(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := z.Create("bot/" + files[i])
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
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

// scriptsFolder returns a folder with the starter in a file of its own, as a zip file.
func scriptsFolder(t *testing.T) string {
	t.Helper()
	return folderOf(t, "main.js", "require('./hexarena').run(require('./inner.js').Bot);",
		"inner.js", starterScript())
}

// Where nothing can isolate bots, versions in JavaScript pass their test matches and play rounds, a
// file or a folder, and others are refused with the reason.
func TestEventScripts(t *testing.T) {
	t.Parallel()
	e := startUnisolated(t, "--rounds", "operator", "--map", "pebble", "--seats", "2")
	for path, want := range map[string]string{
		"/join":  "Only a bot in JavaScript can be sent here",
		"/admin": "hexarena itself runs in 64 MiB each; no others, since bots cannot be isolated here",
	} {
		if text := e.get(path); !strings.Contains(text, want) {
			t.Errorf("%s does not say %q:\n%s", path, want, text)
		}
	}
	tokens := e.signUp("Ann", "Bob")
	for name, text := range map[string]string{
		"bot.py": "print(1)", "bot.sh": "#!/bin/sh\n", "bot.zip": folderOf(t, "main.py", "x"),
	} {
		_, why := e.upload(tokens[0], name, text)
		for _, want := range []string{
			"only a bot in JavaScript can be sent", "podman is not installed", "hexarena join",
		} {
			if !strings.Contains(why, want) {
				t.Errorf("%s is refused by %q, want %q", name, why, want)
			}
		}
	}
	text := e.text("/team/1/own", tokens[0])
	if !strings.Contains(text, "Rounds run JavaScript by hexarena itself") {
		t.Errorf("the team's page does not say what runs its version:\n%s", text)
	}
	folder := scriptsFolder(t)
	for i, v := range []toldVersion{
		e.tried(tokens[0], "my_bot.js", starterScript()), e.tried(tokens[1], "my_bot.zip", folder),
	} {
		if v.State != "plays" || v.File != []string{"my_bot.js", "main.js"}[i] {
			t.Fatalf("version %d is %+v", i, v)
		}
	}
	steps := e.text("/team/1/steps", tokens[0])
	if strings.Count(steps, `class="done"`) != 4 || !strings.Contains(steps, "not sent any action yet") {
		t.Errorf("of a version that answered in its test match the page says\n%s", steps)
	}
	e.awaitReady(2)
	e.typeLines("round")
	e.awaitRows(1)
	row := e.lastRow()
	for seat, version := range row.Versions {
		if !strings.HasPrefix(version, "sent:") || row.Forfeits[seat] != "" {
			t.Errorf("in seat %d the match is %+v", seat, row)
		}
	}
	e.quit()
}

// A team fetches what it has sent, a file or a folder, and lets an older version play again, which
// is not tried once more; other teams do neither.
func TestEventVersions(t *testing.T) {
	t.Parallel()
	e := startUnisolated(t, "--rounds", "operator", "--map", "pebble", "--seats", "2")
	tokens := e.signUp("Ann", "Bob")
	first := e.tried(tokens[0], "my_bot.js", starterScript())
	folder := e.tried(tokens[0], "my_bot.zip", scriptsFolder(t))
	if got := e.text("/event/versions/"+first.Version, tokens[0]); got != starterScript() {
		t.Errorf("the file that was sent is fetched as:\n%s", got)
	}
	packed := e.text("/event/versions/"+folder.Version, tokens[0])
	z, err := zip.NewReader(strings.NewReader(packed), int64(len(packed)))
	if err != nil || len(z.File) != 2 {
		t.Fatalf("the folder that was sent is fetched as %+v, %v", z, err)
	}
	activate := "/event/versions/" + first.Version + "/activate"
	for name, path := range map[string]string{
		"fetches": "/event/versions/" + first.Version, "activates": activate,
	} {
		method := http.MethodGet
		if path == activate {
			method = http.MethodPost
		}
		if answer, status := e.ask(method, path, tokens[1], ""); status < http.StatusBadRequest {
			t.Errorf("another team %s it: %d, %v", name, status, answer)
		}
	}
	for range 2 { // the second one changes nothing
		if answer, status := e.ask(http.MethodPost, activate, tokens[0], "{}"); status != http.StatusOK {
			t.Fatalf("the first version cannot play again: %d, %v", status, answer)
		}
		if list, plays := e.versions(tokens[0]); plays != first.Version || list[0].State != "plays" {
			t.Errorf("%s plays, of %+v", plays, list)
		}
	}
	e.quit()
}

// A script that needs a module of Node fails its test match, and its team is told which module, and
// what plays such a bot.
func TestEventScriptNeedsNode(t *testing.T) {
	t.Parallel()
	e := startUnisolated(t, "--rounds", "operator")
	v := e.tried(e.signUp("Ann")[0], "my_bot.js", "require('fs');\n"+starterScript())
	if v.State != "bad" || !strings.Contains(v.Reason, "fs") ||
		!strings.Contains(v.Reason, "hexarena join runs it on your machine") {
		t.Errorf("the version is %+v", v)
	}
	e.quit()
}

// Versions in JavaScript take exams where nothing can isolate bots, and so do submissions.
func TestScriptsTakeExams(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir := t.TempDir()
	sheet, bot := filepath.Join(dir, "exam.yaml"), filepath.Join(dir, "my_bot.js")
	writeText(t, sheet, "turns: 6\nturn-timeout: 5m\nmaps: [pebble]\nseeds: 1\nmarks:\n  random: 1%\n")
	writeText(t, bot, "console.log('there is', typeof process);\n"+starterScript())
	e := startUnisolated(t, "--rounds", "operator", "--exam", sheet)
	e.tried(e.signUp("Ann")[0], "my_bot.js", starterScript())
	e.awaitPage("/team/Ann", `<span class="ok">passed</span>`)
	e.quit()

	out, err := commandIn(t, dir, "cup", bot, "--exam", sheet).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "itself runs bots in JavaScript, in 64 MiB") {
		t.Errorf("%v\n%s", err, out)
	}
	writeText(t, sheet, "js: node\nmaps: [pebble]\nseeds: 1\nmarks:\n  random: 1%\n")
	refused := command(t, "event", filepath.Join(dir, "event"), "--exam", sheet)
	refused.Env = append(refused.Env, "PATH="+filepath.Join(dir, "none"))
	out, err = refused.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "nothing isolates bots here") {
		t.Errorf("%v\n%s", err, out)
	}
}

// What is not run as the operator wants it is said before the event begins.
func TestEventRefusesScripts(t *testing.T) {
	t.Parallel()
	none := filepath.Join(t.TempDir(), "none")
	for want, args := range map[string][]string{
		"--send browser: want auto, isolated, trusted or off":                    {"--send", "browser"},
		"--js deno: want builtin or node":                                        {"--js", "deno"},
		"--js auto: want builtin or node":                                        {"--js", "auto"},
		"--js-memory 15: want 16 to 1048576 MiB":                                 {"--js-memory", "15"},
		"--js node: Node runs bots that are sent only where they are isolated: ": {"--js", "node"},
	} {
		dir := filepath.Join(t.TempDir(), "event")
		cmd := command(t, append([]string{"event", dir}, args...)...)
		cmd.Env = append(cmd.Env, "PATH="+none)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != exitUsage || !strings.Contains(string(out), want) {
			t.Errorf("%q: %v, want %q\n%s", args, err, want, out)
		}
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: the folder of the refused event is left: %v", args, err)
		}
	}
}
