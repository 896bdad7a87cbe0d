package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hexarena/hexarena/engine/enginetest/thorough"
	"github.com/hexarena/hexarena/protocol/netorcai"
)

// playHungBot is a bot that logs in and never answers.
func playHungBot() {
	c, err := netorcai.Dial(context.Background(), net.JoinHostPort(os.Getenv("BOT_HOST"), os.Getenv("BOT_PORT")), netorcai.Login{Nickname: "hangs", Role: netorcai.RolePlayer})
	if err == nil {
		defer c.Close()
		select {}
	}
}

// A comparison says by its exit code whether the second bot is better.
func TestCupCompares(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	for _, tt := range []struct {
		line string
		code int
		says string
	}{
		{"random painter --maps pebble", 0, "painter"},
		{"painter random --maps pebble", exitNotBetter, "painter"},
		{"random random --maps pebble --count 4", exitUndecided, "random#2"},
		{"random hunter --maps clover --with painter", 0, "hunter"},
	} {
		code, stdout, stderr := hexarena(strings.Fields("cup " + tt.line + " --turns 15 --seed 1 --out " + filepath.Join(t.TempDir(), "cup"))...)
		if code != tt.code || !strings.Contains(stdout, tt.says) ||
			!strings.Contains(stderr, "normalised Elo 30") {
			t.Errorf("%s: exit code %d\n%s\n%s", tt.line, code, stdout, stderr)
		}
	}
}

// The same command goes on with its seed, or says that the cup is over; another seed is another
// cup.
func TestCupGoesOn(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	dir, line := t.TempDir(), strings.Fields("cup random painter random --turns 5 --count 12")
	for i, tt := range []struct{ more, says string }{
		{"", "begins in cups"},
		{"", "this cup is over"},
		{"--seed 1", "begins in cups"},
		{"--seed 1", "this cup is over"},
		{"--maps clover", "begins in cups"},
		{"--jobs 3", "this cup is over"},
		{"--name a/*b", "begins in cups"},
		{"--name a/*b", "this cup is over"},
	} {
		if code, _, stderr := runToEnd(t, commandIn(t, dir, append(line, strings.Fields(tt.more)...)...)); code != 0 || !strings.Contains(stderr, tt.says) {
			t.Errorf("command %d: exit code %d\n%s, want %q", i, code, stderr, tt.says)
		}
	}
	if cups, err := filepath.Glob(filepath.Join(dir, "cups", "*")); err != nil || len(cups) != 4 {
		t.Errorf("the cups are %q, %v, want four", cups, err)
	}
}

// Mistakes are told, and nothing is written.
func TestCupMistakes(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	out := filepath.Join(t.TempDir(), "cup")
	for _, tt := range []struct{ line, says string }{
		{"painter", "name two bots or more"},
		{"painter nowhere.py", "nowhere.py"},
		{"painter random --order arrival", "must not depend on who answers first"},
		{"painter random --maps nowhere", "nowhere"},
		{"painter random --maps pebble,pebble", "named twice"},
		{"painter random hunter --format chess", `format "chess"`},
		{"painter random hunter --with evade", "a comparison is of two"},
		{"painter random hunter --seats 5", "lagoon has 4 starting places"},
		{"painter random --format round-robin --until 30%", "--until"},
		{"painter random --elo0 30 --elo1 0", "elo0 must be below elo1"},
		{"painter random --json --csv", "exclude each other"},
		{"painter random hunter --keep losses", "no bot is compared"},
		{"painter random --keep some", "want losses, errors, all or none"},
		{"painter random hunter --shard 2/3", "give --seed as well"},
		{"painter random hunter --seed 1 --shard 4/3", "--shard"},
		{"painter random --seed 1 --shard 1/3", "which matches follow depends on all results"},
		{"painter random --count -1 --jobs -2", "--count -1: want a whole number from 0 on\n  --jobs -2: want"},
		{"painter random --http nope", `http = "nope" (flag --http): want an address with a port`},
		{"painter random --workers nope", `workers = "nope" (flag --workers): want an address`},
		{"painter open", "starts its bots itself"},
	} {
		if code, _, stderr := hexarena(strings.Fields("cup " + tt.line + " --out " + out)...); code != exitUsage || !strings.Contains(stderr, tt.says) {
			t.Errorf("%s: exit code %d, %s", tt.line, code, stderr)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a mistake makes a folder")
	}
}

// Results decide who plays whom, and which round it is is told.
func TestCupInRounds(t *testing.T) {
	t.Parallel()
	thorough.Full(t)
	for line, want := range map[string][]string{
		"random painter hunter --format gauntlet --count 24": {"gauntlet of 3 bots"},
		"random painter hunter random --format knock-out --maps " +
			"pebble": {"round 1: ", "round 2: ", "wins the knock-out"},
		"random painter hunter random random --format swiss --seats 2": {"round 1: ", "round 3: "},
		"random painter hunter random painter random --format groups --seats 2 --maps " +
			"pebble": {"group 1: random, random#2, painter#2", "group 2: ", "wins the knock-out"},
		"random painter hunter random --format ladder --count 10": {
			"--count 10 is taken as 12", "round 3: painter",
		},
	} {
		code, stdout, stderr := hexarena(strings.Fields("cup " + line + " --turns 5 --seed 2 --out " + filepath.Join(t.TempDir(), "cup"))...)
		for _, text := range want {
			if code != 0 || !strings.Contains(stderr, text) {
				t.Errorf("%s: exit code %d\n%s\n%s, want %q", line, code, stdout, stderr, text)
			}
		}
	}
}

// hexagonal tic-tac-toe has no maps and a clock, and its table is JSON as well.
func TestCupOfAnotherGame(t *testing.T) {
	t.Parallel()
	thorough.Long(t)
	code, stdout, stderr := hexarena(strings.Fields("cup --game hextictactoe nearest random random --count 6 --turns 20 --json --out " + filepath.Join(t.TempDir(), "cup"))...)
	if code != 0 || !strings.Contains(stdout, `"bot": "nearest"`) {
		t.Errorf("exit code %d\n%s\n%s", code, stdout, stderr)
	}
}

// A cup of hexagonal tic-tac-toe plays each of its 300 openings with both sides, unless it is
// played without openings or by other distances. A cup that was played before there were openings
// is repeated without them.
func TestCupOfOpenings(t *testing.T) {
	t.Parallel()
	cup := func(more string) (dir string, matches map[string]int) {
		dir = filepath.Join(t.TempDir(), "cup")
		line := "cup --game hextictactoe nearest random --format round-robin --turns 1 --seed 1 " + more
		code, stdout, stderr := hexarena(append(strings.Fields(line), "--out", dir)...)
		log, err := os.ReadFile(filepath.Join(dir, "log.ndjson"))
		if code != 0 || err != nil {
			t.Fatalf("%s: exit code %d, %v\n%s\n%s", more, code, err, stdout, stderr)
		}
		matches = map[string]int{}
		for line := range strings.Lines(string(log)) {
			var row struct {
				Map  string
				Bots []string
			}
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			matches[row.Map+" "+strings.Join(row.Bots, " ")]++
		}
		return dir, matches
	}
	_, matches := cup("--count 600")
	for n := range 300 {
		for _, sides := range []string{"nearest random", "random nearest"} {
			if m := fmt.Sprintf("opening %d %s", n+1, sides); matches[m] != 1 {
				t.Errorf("%d matches on %s, want 1", matches[m], m)
			}
		}
	}
	for _, more := range []string{"--openings=", "--win-distance 5", "--view-distance 4"} {
		dir, matches := cup("--count 2 " + more)
		if matches["hextictactoe nearest random"] != 1 || matches["hextictactoe random nearest"] != 1 {
			t.Errorf("%s: the matches are %v, want them without openings", more, matches)
		}
		if more != "--openings=" {
			continue
		}
		path := filepath.Join(dir, "origin.json")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		older := regexp.MustCompile(`"--openings",\s*"",\s*`).ReplaceAll(text, nil)
		if string(older) == string(text) {
			t.Fatalf("%s does not say that there are no openings", text)
		}
		writeText(t, path, string(older))
		code, stdout, stderr := hexarena("cup", "replay", "0", dir, "--record", "")
		if code != 0 || !strings.Contains(stdout, "the same match as in") {
			t.Errorf("without openings: exit code %d\n%s\n%s", code, stdout, stderr)
		}
	}
}
