//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/servertest"
)

// heldPainter returns a bot to send that notes each start in the file starts of a folder, waits as
// long as there is a file hold, and then plays.
func heldPainter(t *testing.T, dir string) string {
	return scriptBot(t, "held.sh", fmt.Sprintf(`#!/bin/sh
echo started >> %s/starts
echo planted-secret >&2
while [ -e %[1]s/hold ]; do sleep 0.05; done
exec hexarena bot painter --port $BOT_PORT
`, dir))
}

// startWorker starts a worker, which is killed at the end of the test, and waits until the event
// knows as many.
func (e *runningEvent) startWorker(line string, workers int) *exec.Cmd {
	e.t.Helper()
	cmd := command(e.t, "worker", line, "--jobs", "2")
	if err := cmd.Start(); err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	e.awaitWorkers(workers)
	return cmd
}

// awaitWorkers waits until the event knows this many workers.
func (e *runningEvent) awaitWorkers(n int) {
	e.t.Helper()
	e.awaitPage("/admin?part=live", fmt.Sprintf("Workers on other machines: %d.", n))
}

// playRound plays a round of one match.
func (e *runningEvent) playRound() {
	e.t.Helper()
	n := e.rows()
	e.typeLines("round")
	e.awaitRows(n + 1)
}

// playedAway reports whether a worker has played the last match of a team.
func (e *runningEvent) playedAway(token string) bool {
	return strings.Contains(e.output(token), "A worker on another machine played")
}

// loggingTo returns a function that makes commands whose standard error is added to a file.
func loggingTo(t *testing.T, path string) func(args ...string) *exec.Cmd {
	return func(args ...string) *exec.Cmd {
		cmd := command(t, args...)
		sh := exec.Command("sh",
			append([]string{"-c", `exec "$@" 2>>"` + path + `"`, "sh", cmd.Path}, cmd.Args[1:]...)...)
		sh.Dir, sh.Env = cmd.Dir, cmd.Env
		return sh
	}
}

// awaitStarts waits until the file that heldPainter writes has this many lines.
func awaitStarts(dir string, n int) {
	for range time.Tick(20 * time.Millisecond) {
		if text, _ := os.ReadFile(filepath.Join(dir, "starts")); bytes.Count(text, []byte("\n")) >= n {
			return
		}
	}
}

// A round is played by a worker over a NATS server of its own.
func TestEventNATS(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir, address := t.TempDir(), servertest.FreeAddress(t)
	t.Cleanup(startNATS(t, buildNATS(t), address, filepath.Join(dir, "store")))
	e := startEvent(t, filepath.Join(dir, "event"), "--rounds", "operator", "--seats", "2", "--send",
		"trusted", "--nats", "nats://ann:secret@"+address)
	line := e.nextLine()
	if strings.Contains(line, "secret") {
		t.Errorf("workers are told the password of the event: %s", line)
	}
	_, line, found := strings.Cut(line, "hexarena worker ")
	if !found {
		t.Fatal("the event names no address for workers")
	}
	tokens := e.signUp("Ann", "Bob")
	for _, token := range tokens {
		if out, code := e.send(token, heldPainter(t, dir)); code != 0 {
			t.Fatalf("exit code %d\n%s", code, out)
		}
	}
	e.startWorker(strings.Trim(line, "'"), 1)
	e.playRound()
	for _, token := range tokens {
		if !e.playedAway(token) {
			t.Errorf("no worker has played: the output is %q", e.output(token))
		}
	}
}

// Matches of versions that were sent are played by workers, in rounds and for the official
// standings. A worker that is killed loses nothing: another one goes on, also after the event was
// killed, and without any the event plays itself. All recordings come to the event, and the
// standings are the fold of the log.
func TestEventWorkers(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir, control := filepath.Join(t.TempDir(), "event"), t.TempDir()
	log := filepath.Join(control, "log")
	address := servertest.FreeAddress(t)
	begin := func() (*runningEvent, string) {
		e := startEventBy(t, loggingTo(t, log), dir, "--rounds", "operator", "--seats", "2", "--send",
			"trusted", "--workers", address)
		_, line, found := strings.Cut(e.nextLine(), "hexarena worker ")
		if !found {
			t.Fatal("the event names no address for workers")
		}
		return e, strings.Trim(line, "'")
	}
	e, line := begin()
	tokens := e.signUp("Ann", "Bob")
	for _, token := range tokens {
		if out, code := e.send(token, heldPainter(t, control)); code != 0 {
			t.Fatalf("exit code %d\n%s", code, out)
		}
	}
	a := e.startWorker(line, 1)
	e.typeLines("round")
	e.awaitRows(1)
	for _, token := range tokens {
		if !e.playedAway(token) || !strings.Contains(e.output(token), "planted-secret") {
			t.Errorf("the output of a version that a worker has run is %q", e.output(token))
		}
	}

	hold := filepath.Join(control, "hold")
	if err := os.WriteFile(hold, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(filepath.Join(control, "starts"))
	starts := bytes.Count(text, []byte("\n"))
	e.typeLines("pause", "freeze") // official rounds that follow by themselves end when the places are certain, which may be after two
	e.awaitPage("/event/official", `"frozen":true`)
	e.typeLines("round")
	awaitStarts(control, starts+1)
	b := e.startWorker(line, 2)
	_ = a.Process.Kill()
	awaitStarts(control, starts+2) // by the other worker
	if n := e.rows(); n != 1 {
		t.Errorf("the log has %d matches, want 1", n)
	}
	if err := os.Remove(hold); err != nil {
		t.Fatal(err)
	}
	e.awaitRows(2)
	_ = e.Process.Kill()
	e.readRest()
	_ = e.Wait()

	e, _ = begin()
	e.awaitWorkers(1)
	// the first one may be played before the worker is heard
	for e.playRound(); !e.playedAway(tokens[0]); e.playRound() {
	}
	_ = b.Process.Kill()
	for e.playRound(); e.playedAway(tokens[0]); e.playRound() {
	}
	e.playRound()
	n := e.rows()
	e.awaitPage("/event/official", fmt.Sprintf(`"matches":%d,"certain"`, n-1))
	official := e.get("/event/official")
	e.quit()
	said, _ := os.ReadFile(log)
	if want := fmt.Sprintf("-%d: ", b.Process.Pid); !strings.Contains(string(said), want) {
		t.Errorf("the log does not say what worker %s has played:\n%s", want, said)
	}
	recordings, _ := filepath.Glob(filepath.Join(dir, "matches", "*"))
	if len(recordings) != n {
		t.Errorf("there are %d recordings of %d matches: %v", len(recordings), n, recordings)
	}
	if out, err := command(t, append([]string{"replay", "verify"}, recordings...)...).CombinedOutput(); err != nil {
		t.Errorf("the recordings do not verify: %v\n%s", err, out)
	}

	again := startEvent(t, dir, "--rounds", "operator", "--seats", "2", "--send", "trusted")
	if got := again.get("/event/official"); got != official {
		t.Errorf("by the log the official standings are\n%s\nand they were\n%s", got, official)
	}
	again.quit()
}

// A worker plays matches of versions in JavaScript as the event does: hexarena runs them,
// although the worker's machine may have Node.
func TestEventScriptsAway(t *testing.T) {
	t.Parallel()
	e := startUnisolated(t, "--rounds", "operator", "--map", "pebble", "--seats", "2",
		"--workers", "127.0.0.1:0")
	_, line, _ := strings.Cut(e.nextLine(), "hexarena worker ")
	tokens := e.signUp("Ann", "Bob")
	for _, token := range tokens {
		e.tried(token, "my_bot.js", "console.log('there is', typeof process);\n"+starterScript())
	}
	e.startWorker(strings.Trim(line, "'"), 1)
	e.playRound()
	for _, token := range tokens {
		if out := e.output(token); !e.playedAway(token) || !strings.Contains(out, "there is undefined") {
			t.Errorf("the output is %q", out)
		}
	}
	e.quit()
}

// An event refuses workers that could play nothing, and says why.
func TestEventRefusesWorkers(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"the operator has switched it off": {"--send", "off", "--workers", "127.0.0.1:0"},
		"exclude each other":               {"--send", "trusted", "--workers", "127.0.0.1:0", "--nats", "nats://127.0.0.1:1"},
		"flag --workers): want an address": {"--send", "trusted", "--workers", "nowhere"},
	} {
		if out, err := command(t, append([]string{"event", t.TempDir()}, args...)...).CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}
