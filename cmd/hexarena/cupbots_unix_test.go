//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/server/contest/results"
)

// writeBot writes a bot that is started, as a folder in dir: a script of the shell, in which
// $PROGRAMS is a folder with the programs of the tests.
func writeBot(t *testing.T, dir, name, script string) string {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name, "main"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// A cup that is interrupted prints the command that goes on, also if no match was played.
func TestCupInterrupted(t *testing.T) {
	t.Parallel()
	cmd := command(t, "cup", "random", "painter", "hunter", "--count", "1000000", "--turns", "10",
		"--seed", "3", "--name", "a cup")
	var table bytes.Buffer
	cmd.Stdout = &table
	lines := startLines(t, cmd)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "begins in cups") {
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var rest []string
	for lines.Scan() {
		rest = append(rest, lines.Text())
	}
	_ = cmd.Wait()
	const again = "  hexarena cup --count 1000000 --name 'a cup' --seed 3 --turns 10 random painter " +
		"hunter"
	if code := cmd.ProcessState.ExitCode(); code != exitFailure || !slices.Contains(rest, again) {
		t.Errorf("exit code %d, %q, want the line %q", code, rest, again)
	}
}

// Bots that hang, crash or never log in forfeit and are named, and the cup goes on to its end. A
// bot that crashes in its third match only is started again.
func TestCupOfBotsThatFail(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	programs := t.TempDir()
	for _, name := range []string{"hexarena", "hangs"} {
		if err := os.Symlink(filepath.Join(filepath.Dir(command(t).Path), "hexarena"), filepath.Join(programs, name)); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	const random = `exec "$PROGRAMS/hexarena" bot random --host "$BOT_HOST" --port "$BOT_PORT" --nickname "$BOT_NICKNAME" --seed "$BOT_SEED"`
	line := []string{
		"cup",
		writeBot(t, dir, "good", random), writeBot(t, dir, "hung", `exec "$PROGRAMS/hangs"`),
		writeBot(t, dir, "never", "exit 0"), writeBot(t, dir, "crashes", "echo it cannot go on; exit 3"),
		writeBot(t, dir, "third", `n=$(cat "$HOME/count" 2>/dev/null); n=$((n + 1)); echo $n > "$HOME/count"; if [ $n = 3 ]; then exit 1; fi; `+random),
	}
	cmd := commandIn(t, dir, append(line, strings.Fields("--maps pebble --turns 8 --count 40 --jobs "+
		"4 --seed 3 --start-timeout 1m --turn-timeout 500ms --env PROGRAMS --out cup")...)...)
	cmd.Env = append(cmd.Env, "HOME="+t.TempDir(), "PROGRAMS="+programs)
	code, table, stderr := runToEnd(t, cmd)
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	_, shown, _ := runToEnd(t, commandIn(t, dir, "cup", "show", "cup"))
	if _, told, _ := strings.Cut(table, "\nErrors:\n"); !strings.Contains(told, "crashes absent in ") || !strings.HasSuffix(shown, "\nErrors:\n"+told) {
		t.Errorf("the cup ends with\n%s\nand cup show prints\n%s\nwant the same errors", table, shown)
	}
	for _, want := range []string{
		"crashes forfeits (absent): exit code 3 before it had logged in: it cannot go on",
		"hung forfeits (hung)", "crashes is not started any more",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("the progress is\n%s\nwant %q in it", stderr, want)
		}
	}
	log := readText(t, filepath.Join(dir, "cup", "log.ndjson"))
	kinds := map[string]map[string]int{}
	for r := results.NewReader(strings.NewReader(log), 0, 0); ; {
		row, err := r.Read()
		if err != nil {
			break
		}
		for i, bot := range row.Bots {
			if kinds[bot] == nil {
				kinds[bot] = map[string]int{}
			}
			kinds[bot][row.Forfeits[i]]++
		}
	}
	if k := kinds["good"]; len(k) != 1 {
		t.Errorf("a bot that holds out has %v", k)
	}
	if k := kinds["third"]; k["absent"] != 1 || k["unstarted"] != 0 {
		t.Errorf("the bot that crashes once has %v", k)
	}
	for bot, kind := range map[string]string{"hung": "hung", "never": "absent", "crashes": "absent"} {
		if k := kinds[bot]; k[kind] == 0 || k["unstarted"] == 0 {
			t.Errorf("%s has %v, want %q and unstarted", bot, k, kind)
		}
	}
	times, err := os.ReadFile(filepath.Join(dir, "cup", "times.csv"))
	if err != nil || !strings.Contains(string(times), "it cannot go on") {
		t.Errorf("the times do not have what a bot printed: %v\n%s", err, times)
	}
}

// Starters stay between the matches of a cup and begin each afresh, with an object that remembers
// nothing, so that the log does not depend on how many are played at once.
func TestCupOfStarters(t *testing.T) {
	thorough.Full(t)
	if _, err := exec.LookPath("python3"); err != nil {
		thorough.Lack(t, "no Python to run the starter")
	}
	t.Parallel()
	dir := t.TempDir()
	bot := starterIn(t, dir, "remembers.py")
	starter := readText(t, bot)
	// The bot crashes if it remembers the turns of another match, of which there are 7 in each.
	text := strings.NewReplacer("\n    def turn(", `
    def __init__(self, match):
        super().__init__(match)
        self.turns = 0

    def turn(`, "\n        mine, ", "\n        self.turns += 1\n        assert self.turns <= 7\n        mine, ").Replace(starter)
	if n := strings.Count(text, "self.turns"); n != 3 {
		t.Fatalf("the bot counts turns in %d places", n)
	}
	writeText(t, bot, text)
	var logs []string
	for _, jobs := range []string{"1", "3"} {
		out := filepath.Join(dir, "cup"+jobs)
		args := strings.Fields(
			"cup " + bot + " painter random --maps pebble --turns 8 --count 12 --seed 3 --start-timeout 1m")
		if code, _, stderr := hexarena(append(args, "--jobs", jobs, "--out", out)...); code != 0 ||
			strings.Contains(stderr, "forfeits") {
			t.Errorf("%s matches at once: exit code %d\n%s", jobs, code, stderr)
		}
		logs = append(logs, readText(t, filepath.Join(out, "log.ndjson")))
	}
	if diff := cmp.Diff(logs[0], logs[1]); diff != "" || strings.Count(logs[0], "\n") != 12 {
		t.Errorf("one match at a time and three have the logs\n%s\nand\n%s", logs[0], logs[1])
	}
}
