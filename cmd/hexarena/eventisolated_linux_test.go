package main

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
)

// isolatedMatches is the number of matches that isolated bots play. Each bot of each match is
// started in a container of its own, which takes long on a machine that does other things.
var isolatedMatches = thorough.Size(1, 2)

// sendIsolated sends bots to an event that isolates them, and returns its matches' log when they
// have played.
func (s *isolated) sendIsolated(args ...string) {
	s.t.Helper()
	e := startEventBy(s.t, s.command, filepath.Join(s.dir, "event"),
		append([]string{"--rounds", "ready", "--send", "isolated"}, args...)...)
	tokens := e.signUp("Ann", "Bob", "Cid")
	s.write("script.js", starterScript())
	for i, bot := range []string{"./dials.sh", "stdio:./speaks.sh", "./script.js"} {
		out, code := s.run("join", "--send", e.url+"#token="+tokens[i], bot)
		if code != 0 || !strings.Contains(out, "It plays for ") {
			s.t.Fatalf("%s: exit code %d\n%s", bot, code, out)
		}
	}
	e.awaitRows(isolatedMatches)
	e.quit()
	if rows := s.read("event/log.ndjson"); strings.Count(rows, `"forfeits":["","","",""]`) < isolatedMatches || !strings.Contains(rows, `"sent:`) {
		s.t.Errorf("the matches are\n%s", rows)
	}
}

// Versions that teams send run in containers, of which each has the files of its version alone.
// Where there is no container runtime, only those in JavaScript can be sent, and the pages and the
// command say why.
func TestEventSentIsolated(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	s := newIsolated(t)
	none := &isolated{
		t: t, dir: s.dir,
		env: append(append([]string(nil), s.env...), "PATH="+filepath.Join(s.dir, "empty")),
	}
	s.standIn()
	s.sendIsolated()
	commands := s.read("commands")
	if strings.Count(commands, `["run"`) < 2+2*isolatedMatches ||
		!strings.Contains(commands, "/event/versions/") ||
		!strings.Contains(commands, `"--network","none"`) {
		t.Errorf("the commands are\n%s", commands)
	}
	if strings.Contains(commands, "script.js") || strings.Contains(commands, "node:") {
		t.Errorf("a container is for the version in JavaScript, which needs none:\n%s", commands)
	}

	e := startEventBy(t, none.command, filepath.Join(s.dir, "off"))
	token := e.signUp("Ann")[0]
	answer, _ := e.ask(http.MethodGet, "/event/team", token, "")
	only, _ := answer["send_only"].(string)
	if answer["send"] != true || !strings.Contains(only, "Only a bot in JavaScript") {
		t.Errorf("the team is told %v", answer)
	}
	for path, want := range map[string]string{
		"/join":  "Only a bot in JavaScript",
		"/admin": "no others, since bots cannot be isolated here: podman is not installed",
	} {
		if text := e.body(path); !strings.Contains(text, want) {
			t.Errorf("%s does not say %q:\n%s", path, want, text)
		}
	}
	if out, code := s.run("join", "--send", e.url+"#token="+token, "./dials.sh"); code != exitFailure || !strings.Contains(out, "podman is not installed") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	e.quit()
	if out, code := none.run("event", "other", "--send", "isolated"); code != exitUsage ||
		!strings.Contains(out, "podman is not installed") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// With --js node, versions in JavaScript run by Node in containers, as those in other languages do.
func TestEventScriptsByNode(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	if _, err := exec.LookPath("node"); err != nil {
		thorough.Lack(t, err)
	}
	s := newIsolated(t)
	s.standIn()
	e := startEventBy(t, s.command, filepath.Join(s.dir, "event"), "--rounds", "operator", "--js",
		"node")
	script := "console.log('there is', typeof process);\n" + starterScript()
	token := e.signUp("Ann")[0]
	if v := e.tried(token, "script.js", script); v.State != "plays" {
		t.Errorf("the version is %+v", v)
	}
	if out := e.output(token); !strings.Contains(out, "there is object") {
		t.Errorf("it printed %q", out)
	}
	if commands := s.read("commands"); !strings.Contains(commands, "docker.io/library/node:") {
		t.Errorf("the commands are\n%s", commands)
	}
	e.quit()
}

// The same with podman itself.
func TestEventSentByPodman(t *testing.T) {
	thorough.Full(t)
	s := newIsolated(t)
	image := s.podman()
	s.sendIsolated("--isolate-image", image, "--isolate-memory", "128")
}

// A container runtime that answers, and cannot start a container, is found when the event starts:
// no team is told that its bot is bad.
func TestEventTriesIsolation(t *testing.T) {
	thorough.Full(t)
	s := newIsolated(t)
	s.breakRuntime()
	if out, code := s.run("event", "isolated", "--send", "isolated"); code != exitUsage ||
		!strings.Contains(out, "no container can be started: podman: crun: no such controller") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	e := startEventBy(t, s.command, filepath.Join(s.dir, "auto"))
	if text := e.body("/admin"); !strings.Contains(text, "no container can be started") {
		t.Errorf("/admin does not say why bots are not isolated:\n%s", text)
	}
	e.quit()
}
